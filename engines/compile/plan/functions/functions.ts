import type { Elementary } from "../../../../spec/operators/index.ts";
import { errorFunction } from "./error_function.ts";
import { power } from "./power.ts";

/**
 * The elementary functions in float64 that generated code calls: the host's, and ours where the host's are
 * wrong. Where V8 has a machine instruction for one, it gives the same number.
 */
export const elementaryFunctions: Elementary<number> = {
  exp: Math.exp,
  log: Math.log,
  sin: Math.sin,
  cos: Math.cos,
  tanh: Math.tanh,
  sqrt: Math.sqrt,
  expm1: Math.expm1,
  log1p: Math.log1p,
  log2: Math.log2,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  asinh: Math.asinh,
  acosh: Math.acosh,
  atanh: Math.atanh,
  erf: errorFunction,
  pow: power,
  atan2: Math.atan2,
  hypot: Math.hypot,
};
