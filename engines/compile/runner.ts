import type { Bindings } from "./binding.ts";
import type { Executable, Numbers, PlanReport } from "./plan/index.ts";

/** How the inputs of a call come: an array for each, or one that holds them all, one after the other. */
export type Form = "each" | "packed";

/**
 * How a compiled function computes: by loop programs, or by the runs of a scalar graph. `inputs` are checked, and come in a form; answers are views that the next
 * call of the same method overwrites. Gradients come as the inputs did: one array for each, or one for all.
 */
export interface Runner {
  value(inputs: readonly Numbers[], form: Form, bindings: Bindings): Numbers;
  /** For the cotangent `c` of the output; `undefined` is 1. */
  gradient(
    inputs: readonly Numbers[],
    form: Form,
    bindings: Bindings,
    c: Numbers | undefined,
  ): readonly Numbers[];
  /** The value too. */
  valueAndGradient(inputs: readonly Numbers[], form: Form, bindings: Bindings): ValueAndGradient;
  /** The cotangent of every id of the graph that was handed in. */
  backwardDense(
    inputs: readonly Numbers[],
    form: Form,
    bindings: Bindings,
    c: Numbers | undefined,
  ): readonly Numbers[];
  /** The output's tangents along `count` tangents of the inputs. */
  jvp(
    inputs: readonly Numbers[],
    form: Form,
    bindings: Bindings,
    tangents: readonly Numbers[],
    count: number,
  ): Numbers;
  readonly report: Report;
  /** What can be run at once, for callers in a hurry: inputs come one by one, and nothing else is needed. */
  readonly plain: Plain;
}

/** Programs that have been asked for before, and where their answers will lie. */
export interface Plain {
  readonly gradient?: Executable | undefined;
  readonly both?: Both | undefined;
}

/** The program of a value and its gradient. */
export interface Both {
  readonly executable: Executable;
  readonly answer: ValueAndGradient;
}

/** A value and its derivative in the inputs. */
export interface ValueAndGradient {
  readonly value: Numbers;
  readonly gradient: readonly Numbers[];
}

/** How a gradient is computed. */
export interface Report {
  /** Loops over tensors, or runs or single steps over scalars. */
  readonly kind: "loops" | "runs" | "steps";
  /** What numbers and tables take, in bytes. Code is not counted. */
  readonly bytes: number;
  /** What the planner did to loops. */
  readonly plan?: PlanReport;
}
