import type { BinaryName, UnaryName } from "../operators/index.ts";
import type { Description } from "./engine.ts";

/**
 * The largest errors of this host's elementary functions, in units in the last place: V8's, ports of fdlibm,
 * and our own `erf`. Each is over 1.5 times the largest error against MPFR at 180,000 points (1.95, of
 * `hypot`), unless fdlibm promises an error below 1. In float32 a further rounding leaves them below one
 * unit.
 */
export const hostUlps: { readonly [F in UnaryName | BinaryName]: number } = {
  exp: 1,
  expm1: 1,
  log: 1,
  log1p: 1,
  log2: 2,
  sqrt: 0.5,
  sin: 1,
  cos: 1,
  tan: 1.5,
  asin: 1.5,
  acos: 1.5,
  atan: 1.5,
  sinh: 3,
  cosh: 3,
  tanh: 3,
  asinh: 2.5,
  acosh: 3,
  atanh: 2.5,
  // Its series at 1 makes at most five relative errors of `u`, and its factors seven.
  erf: 6,
  pow: 2,
  atan2: 2,
  hypot: 3,
};

const { sqrt: _, ...inexact } = hostUlps;

/** The interpreter promises this accuracy of its elementary functions. */
export const accuracy: Description["accuracy"] = inexact;
