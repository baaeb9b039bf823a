import type { Numbers, Precision } from "../deviation.ts";
import type { Problem } from "../gradbench/graphs/problem.ts";
import type { Workload } from "../workloads/workload.ts";

/** The value alone is timed, or the value with the gradient by every input. */
export type Mode = "value" | "gradient";

/** Gradient mode adds a gradient for each input in order, or one for all. The next call may overwrite it. */
export interface Answer {
  readonly value: number;
  readonly gradient: readonly Numbers[];
}

/** Computes a workload once, from inputs in the contestant's own form to an answer JavaScript can read. */
export type Run = () => Answer;

/** A contestant is a library, or an engine of ours, that computes workloads. */
export interface Contestant {
  readonly name: string;
  /** It is `asked` if the contestant computes in the workload's precision. */
  readonly precision: Precision | "asked";
  /** The workloads were written for it in this style. */
  readonly style: string;
  /** A program that uses it imports this, which is timed. */
  readonly module: string;
  /**
   * Does everything that is done once for a function: tracing, compiling, moving data. A string says why the
   * workload is not run; a rejection is shown as a failure.
   */
  prepare(workload: Workload, problem: Problem, mode: Mode): Promise<Run | string>;
}

/** This is said of a workload that was not written for a contestant. */
export const notWritten = "not written for it";
