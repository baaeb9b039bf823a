/** The memory of a module. */
export interface Memory {
  readonly buffer: ArrayBuffer | SharedArrayBuffer;
}

/** A compiled module, which a message can carry to another thread. */
export interface CompiledModule {
  readonly [Symbol.toStringTag]?: string;
}

/** The part of the WebAssembly API that is used; the loaded type libraries do not declare it. */
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

/** This host's WebAssembly. */
export const webAssembly: WebAssemblyHost = WebAssembly;
