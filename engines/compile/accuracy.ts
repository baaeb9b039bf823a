import { hostUlps } from "../../spec/contract/index.ts";
import type { Precision } from "./plan/index.ts";
import type { VectorFunction } from "./wasm/functions/index.ts";

/**
 * The promised errors of the vector functions, in units in the last place of the truth, at least a quarter
 * above the largest found against MPFR (`bench/accuracy.ts`). In float64, at a million points of each
 * function and near special ones: exp 0.99, expm1 1.11, log 0.90, log1p 1.48, sin 1.45, cos 1.44, tanh 1.41.
 * In float32, over all numbers (cos: up to 2³¹, and a million): exp 1.05, expm1 1.41, log 0.96, log1p 1.54,
 * sin 1.58, cos 1.57, tanh 1.41. At 300,000 points erf 1.42 in float64, 1.29 in float32.
 */
export const vectorAccuracy: Readonly<Record<Precision, Readonly<Record<VectorFunction, number>>>> = {
  float64: { exp: 1.5, expm1: 2, log: 1.5, log1p: 2, sin: 2, cos: 2, tanh: 2, erf: 2 },
  float32: { exp: 1.5, expm1: 2, log: 1.5, log1p: 2, sin: 2, cos: 2, tanh: 2, erf: 2 },
};

/** The promised errors of all functions of a C file, in units in the last place of the truth. */
export const ownAccuracy: { readonly [F in keyof typeof hostUlps]: number } = {
  ...hostUlps,
  ...vectorAccuracy.float64,
  log2: 3,
  tan: 4,
  asin: 3,
  acos: 3,
  atan: 2,
  sinh: 4,
  cosh: 3,
  asinh: 4,
  acosh: 4,
  atanh: 4,
  pow: 2,
  atan2: 3,
  hypot: 2,
};
