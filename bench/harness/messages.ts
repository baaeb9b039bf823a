import type { Mode } from "../contestants/contestant.ts";
import type { Workload } from "../workloads/workload.ts";

/** Processes that are not JavaScript read a workload's numbers from a file of little-endian float64. */
export interface DataFile {
  readonly path: string;
  readonly entries: readonly {
    readonly name: string;
    readonly shape: readonly number[];
    readonly kind: "input" | "real" | "index";
  }[];
}

/** A contestant's process is asked in lines of JSON; it answers each with one line. */
export type Request =
  | {
      readonly ask: "prepare";
      readonly contestant: string;
      readonly workload: Workload;
      readonly mode: Mode;
      readonly data?: DataFile;
    }
  /** This many timings of this many calls each are made. */
  | { readonly ask: "round"; readonly timings: number; readonly calls: number }
  /** Value and gradient are written to a file, float64, joined. */
  | { readonly ask: "answer"; readonly path: string }
  | { readonly ask: "memory" };

/** It answers this. Times are nanoseconds for one call, memory is bytes. */
export type Reply =
  | { readonly kind: "ready"; readonly preparation: number }
  | { readonly kind: "absent"; readonly reason: string }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "timed"; readonly least: number; readonly median: number }
  | { readonly kind: "answered"; readonly sizes: readonly number[] }
  | { readonly kind: "memory"; readonly before: number; readonly peak: number };
