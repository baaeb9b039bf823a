/** Memory of a module. */
export interface Memory {
  readonly buffer: ArrayBuffer | SharedArrayBuffer;
}

/** A compiled module; a message can carry it to another thread. */
export interface CompiledModule {
  readonly [Symbol.toStringTag]?: string;
}

/** The part of the WebAssembly JavaScript API that is used here; the libraries of types that are loaded do not have it. */
export interface WebAssemblyHost {
  readonly Memory: new (limits: {
    readonly initial: number;
    readonly maximum: number;
    readonly shared?: boolean;
  }) => Memory;
  readonly Module: new (binary: Uint8Array<ArrayBuffer>) => CompiledModule;
  readonly Instance: new (
    module: CompiledModule,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
  validate(binary: Uint8Array<ArrayBuffer>): boolean;
}

declare const WebAssembly: WebAssemblyHost;

/** WebAssembly as this host has it. */
export const webAssembly: WebAssemblyHost = WebAssembly;
