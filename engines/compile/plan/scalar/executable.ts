import type { Numbers, Precision } from "../executable.ts";
import type { Regime } from "../rewrite.ts";
import type { ScalarPlan } from "./plan.ts";

/**
 * A scalar graph as machine code, with its memory. `x` has the inputs, in order; `environment` all entries of Δ, in order (one element each;
 * those that are no scalars are not looked at). Both have the precision of the program and are copied in, nothing else is. What comes back
 * as a view is overwritten by the next call.
 */
export interface ScalarExecutable {
  /** The value of the output. */
  evaluate(x: Numbers, environment: Numbers): number;
  /** The cotangents of the inputs, as a view, for the cotangent `seed` of the output. The output's value is in {@link value}. */
  gradient(x: Numbers, environment: Numbers, seed: number): Numbers;
  /** The tangent of the output along `tangents`, one per input. The output's value is in {@link value}. */
  jvp(x: Numbers, environment: Numbers, tangents: Numbers): number;
  /** The value of the output, of the last call. */
  readonly value: number;
  /** What the executable holds: numbers and tables. Code is not counted. */
  readonly bytes: number;
}

/** Answers for all ids of a graph, in views that the next call overwrites. Arguments as for {@link ScalarExecutable}. */
export interface DenseScalarExecutable {
  /** The value of every id. */
  evaluate(x: Numbers, environment: Numbers): Numbers;
  /** The cotangent of every id, its seed included; `seeded` tells which ids have a seed, and `seeds` has one number for each of them. */
  backward(x: Numbers, environment: Numbers, seeded: readonly number[], seeds: Numbers): Numbers;
  /** The tangent of every id. */
  jvp(x: Numbers, environment: Numbers, tangents: Numbers): Numbers;
  readonly bytes: number;
}

/** Makes machine code of plans. */
export interface ScalarBackend {
  readonly name: string;
  /** Mean nodes in a run below which it is slower than single steps. */
  readonly shortestRun: number;
  /** Code of a plan for one output. */
  build(plan: ScalarPlan, precision: Precision, regime: Regime): ScalarExecutable;
  /** Code of a plan for all ids. */
  buildDense(plan: ScalarPlan, precision: Precision, regime: Regime): DenseScalarExecutable;
}
