import type { Mode } from "../contestants/contestant.ts";
import type { Precision } from "../deviation.ts";
import type { Workload } from "../workloads/workload.ts";
import type { DataFile } from "./messages.ts";

/** An entrant is asked a workload, with a file of its numbers for those who cannot draw them. */
export interface Task {
  readonly workload: Workload;
  readonly mode: Mode;
  readonly data: DataFile;
}

/** These are nanoseconds of one call: the least and the median of the timings of a round. */
interface Timing {
  readonly least: number;
  readonly median: number;
}

/** These are resident bytes at most, before the contestant was loaded and at the end. */
export interface Memory {
  readonly before: number;
  readonly peak: number;
}

/** A contestant runs in a process of its own, ready to be timed. */
export interface Running extends AsyncDisposable {
  readonly kind: "running";
  /** These are nanoseconds from loading to the first answer; unknown if it was compiled beforehand. */
  readonly preparation: number | undefined;
  round(timings: number, calls: number): Promise<Timing>;
  /** Returns the value and the gradient, joined. */
  answer(): Promise<Float64Array>;
  memory(): Promise<Memory | undefined>;
}

/** A contestant is missing: nobody wrote it for the workload, it is not installed, or it failed. */
export interface Missing {
  readonly kind: "absent" | "failed";
  readonly reason: string;
}

/** The benchmark knows this entrant; a process of its own runs each workload. */
export interface Entrant {
  readonly name: string;
  /** It is `asked` if the entrant computes in the workload's precision. */
  readonly precision: Precision | "asked";
  readonly style: string;
  /** A program that uses it imports this, if it is JavaScript. */
  readonly module: string | undefined;
  start(task: Task): Promise<Running | Missing>;
}
