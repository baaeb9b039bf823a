import type { Numbers, Precision } from "../executable.ts";
import type { Regime } from "../rewrite.ts";
import type { ScalarPlan } from "./plan.ts";

/**
 * A scalar graph as machine code, with its memory. `x` has the inputs in order; `environment` has one element
 * per entry of Δ in order, of which those that are no scalars are ignored. Both have the program's precision,
 * and are copied. The next call overwrites what is returned as a view.
 */
export interface ScalarExecutable {
  /** Computes the value of the output. */
  evaluate(x: Numbers, environment: Numbers): number;
  /** Computes the inputs' cotangents, as a view, from the output's cotangent `seed`; sets {@link value}. */
  gradient(x: Numbers, environment: Numbers, seed: number): Numbers;
  /** Computes the tangent of the output along `tangents`, one per input; sets {@link value}. */
  jvp(x: Numbers, environment: Numbers, tangents: Numbers): number;
  /** The value of the output at the last call. */
  readonly value: number;
  /** Bytes of numbers and tables; code is not counted. */
  readonly bytes: number;
}

/** Answers for all ids of a graph, in views that the next call overwrites; see {@link ScalarExecutable}. */
export interface DenseScalarExecutable {
  /** Computes the value of every id. */
  evaluate(x: Numbers, environment: Numbers): Numbers;
  /** Computes the cotangent of every id, its seed included. `seeds` has a number for each id of `seeded`. */
  backward(x: Numbers, environment: Numbers, seeded: readonly number[], seeds: Numbers): Numbers;
  /** Computes the tangent of every id. */
  jvp(x: Numbers, environment: Numbers, tangents: Numbers): Numbers;
  readonly bytes: number;
}

/** Turns plans into machine code. */
export interface ScalarBackend {
  readonly name: string;
  /** If runs have fewer nodes on average, single steps are faster. */
  readonly shortestRun: number;
  /** Compiles a plan for one output. */
  build(plan: ScalarPlan, precision: Precision, regime: Regime): ScalarExecutable;
  /** Compiles a plan for all ids. */
  buildDense(plan: ScalarPlan, precision: Precision, regime: Regime): DenseScalarExecutable;
}
