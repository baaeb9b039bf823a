import type { Bindings } from "./binding.ts";
import type { Executable, Numbers, PlanReport } from "./plan/index.ts";

/** The form of a call's inputs: an array for each, or one that holds all of them. */
export type Form = "each" | "packed";

/**
 * A compiled function computes by loop programs, or by runs of scalars. Inputs are checked. Answers are views
 * that the next call of the same method overwrites. Gradients come in the form of the inputs.
 */
export interface Runner {
  value(inputs: readonly Numbers[], form: Form, bindings: Bindings): Numbers;
  /** Uses the cotangent `c` of the output; `undefined` means 1. */
  gradient(
    inputs: readonly Numbers[],
    form: Form,
    bindings: Bindings,
    c: Numbers | undefined,
  ): readonly Numbers[];
  /** Returns the value too. */
  valueAndGradient(inputs: readonly Numbers[], form: Form, bindings: Bindings): ValueAndGradient;
  /** Returns the cotangent of every id of the original graph. */
  backwardDense(
    inputs: readonly Numbers[],
    form: Form,
    bindings: Bindings,
    c: Numbers | undefined,
  ): readonly Numbers[];
  /** Returns the output's tangents along `count` tangents of the inputs. */
  jvp(
    inputs: readonly Numbers[],
    form: Form,
    bindings: Bindings,
    tangents: readonly Numbers[],
    count: number,
  ): Numbers;
  readonly report: Report;
  /** Programs that a caller in a hurry may run directly, on inputs that come one by one. */
  readonly plain: Plain;
}

/** Programs that have been asked for before, with their answers. */
export interface Plain {
  readonly gradient?: Executable | undefined;
  readonly both?: Both | undefined;
}

/** The program of a value and its gradient. */
export interface Both {
  readonly executable: Executable;
  readonly answer: ValueAndGradient;
}

/** A value and its derivatives by the inputs. */
export interface ValueAndGradient {
  readonly value: Numbers;
  readonly gradient: readonly Numbers[];
}

/** The report says how a gradient is computed. */
export interface Report {
  /** Loops over tensors, or runs or single steps over scalars. */
  readonly kind: "loops" | "runs" | "steps";
  /** Bytes of numbers and tables; code is not counted. */
  readonly bytes: number;
  /** The planner reports what it did to loops. */
  readonly plan?: PlanReport;
}
