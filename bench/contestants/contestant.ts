import type { Numbers, Precision } from "../deviation.ts";
import type { Problem } from "../gradbench/graphs/problem.ts";
import type { Workload } from "../workloads/workload.ts";

/** What is timed: the value alone, or the value with the gradient by every input. */
export type Mode = "value" | "gradient";

/** The value, and in gradient mode one gradient for each input of the graph, in order, or one for all. The next call may overwrite it. */
export interface Answer {
  readonly value: number;
  readonly gradient: readonly Numbers[];
}

/** Computes a workload once, from its inputs in the contestant's own form to an answer that JavaScript can read. */
export type Run = () => Answer;

/** A library, or an engine of ours, that computes workloads. */
export interface Contestant {
  readonly name: string;
  /** `asked` where it computes in the precision that the workload is for. */
  readonly precision: Precision | "asked";
  /** How the workloads were written for it. */
  readonly style: string;
  /** What a program that uses it imports, for the time that takes. */
  readonly module: string;
  /**
   * Everything that is done once for a function: tracing, compiling, moving data. A string says why the workload is not
   * run; a rejection is shown as a failure.
   */
  prepare(workload: Workload, problem: Problem, mode: Mode): Promise<Run | string>;
}

/** Said of a workload that was not written for a contestant. */
export const notWritten = "not written for it";
