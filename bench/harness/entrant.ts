import type { Mode } from "../contestants/contestant.ts";
import type { Precision } from "../deviation.ts";
import type { Workload } from "../workloads/workload.ts";
import type { DataFile } from "./messages.ts";

/** What is asked of an entrant: a workload, and its numbers for those who cannot draw them. */
export interface Task {
  readonly workload: Workload;
  readonly mode: Mode;
  readonly data: DataFile;
}

/** Nanoseconds of one call: the least and the median of the timings of a round. */
interface Timing {
  readonly least: number;
  readonly median: number;
}

/** Bytes resident at most, before the contestant was loaded and at the end. */
export interface Memory {
  readonly before: number;
  readonly peak: number;
}

/** A contestant in a process of its own, ready to be timed. */
export interface Running extends AsyncDisposable {
  readonly kind: "running";
  /** Nanoseconds from loading to the first answer; not known of those compiled beforehand. */
  readonly preparation: number | undefined;
  round(timings: number, calls: number): Promise<Timing>;
  /** The value and the gradient, one behind the other. */
  answer(): Promise<Float64Array>;
  memory(): Promise<Memory | undefined>;
}

/** A contestant that does not take part, and why: nobody wrote it for the workload, it is not installed, or it failed. */
export interface Missing {
  readonly kind: "absent" | "failed";
  readonly reason: string;
}

/** Whom the benchmark knows; each workload is run by a process started for it. */
export interface Entrant {
  readonly name: string;
  /** `asked` where it computes in the precision that the workload is for. */
  readonly precision: Precision | "asked";
  readonly style: string;
  /** What a program that uses it imports, if it is JavaScript. */
  readonly module: string | undefined;
  start(task: Task): Promise<Running | Missing>;
}
