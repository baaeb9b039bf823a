import type { Mode } from "../contestants/contestant.ts";
import type { Workload } from "../workloads/workload.ts";

/** Where the numbers of a workload lie for processes that are not JavaScript: float64, little-endian, one entry after the other. */
export interface DataFile {
  readonly path: string;
  readonly entries: readonly {
    readonly name: string;
    readonly shape: readonly number[];
    readonly kind: "input" | "real" | "index";
  }[];
}

/** What a contestant's process is asked, a line of JSON each; it answers each with one line. */
export type Request =
  | {
      readonly ask: "prepare";
      readonly contestant: string;
      readonly workload: Workload;
      readonly mode: Mode;
      readonly data?: DataFile;
    }
  /** So many timings of so many calls each. */
  | { readonly ask: "round"; readonly timings: number; readonly calls: number }
  /** Writes value and gradient to a file, float64, one behind the other. */
  | { readonly ask: "answer"; readonly path: string }
  | { readonly ask: "memory" };

/** What it answers. Times are nanoseconds for one call, memory is bytes. */
export type Reply =
  | { readonly kind: "ready"; readonly preparation: number }
  | { readonly kind: "absent"; readonly reason: string }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "timed"; readonly least: number; readonly median: number }
  | { readonly kind: "answered"; readonly sizes: readonly number[] }
  | { readonly kind: "memory"; readonly before: number; readonly peak: number };
