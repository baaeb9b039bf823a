import type { BinaryName, UnaryName } from "../operators/elementary.ts";
import type { Description } from "./engine.ts";

/**
 * Units in the last place by which the elementary functions of this host are off at most: those of V8, which are ports of fdlibm, and our own
 * `erf`. Each is more than half as large again as the largest error found against MPFR at 180,000 points (1.95, of `hypot`), but for
 * those that fdlibm itself promises to keep below 1. In float32 they are rounded once more, which leaves them below one unit.
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
  // At most twelve relative errors of `u`: five in its series at 1, seven in the factors.
  erf: 6,
  pow: 2,
  atan2: 2,
  hypot: 3,
};

const { sqrt: _, ...inexact } = hostUlps;

/** What the interpreter promises of its elementary functions. */
export const accuracy: Description["accuracy"] = inexact;
