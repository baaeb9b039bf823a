import type { Precision } from "../../plan/executable.ts";
import type { VectorFunction } from "./vector_functions.ts";

/**
 * What is promised of the vector functions, in units in the last place of the true value. In float32 no number at all is
 * further off; in float64 it is at least a third more than the largest error against MPFR at a million points of each function,
 * near all that is special to it (`bench/accuracy.ts`).
 */
export const vectorAccuracy: Readonly<Record<Precision, Readonly<Record<VectorFunction, number>>>> = {
  float64: { exp: 1.5, expm1: 2, log: 1.5, log1p: 2, sin: 2, cos: 2, tanh: 2 },
  float32: { exp: 1.5, expm1: 2, log: 1.5, log1p: 2, sin: 2, cos: 2, tanh: 2 },
};
