import { allows, type Precision, type Regime } from "../../plan/index.ts";

/**
 * How generated code computes. `float64`; `float32`, where every application is rounded to float32; or `wide`, where numbers in memory and
 * literals are of float32, and what is between two of them is float64: the conversions that rounding costs are saved, and of the roundings that an
 * answer may differ by, most do not happen.
 */
export type Arithmetic = "float64" | "float32" | "wide";

/** The arithmetic of a precision. A regime that lets `x y + z` be rounded once lets other applications do with fewer roundings too. */
export function arithmeticOf(precision: Precision, regime: Regime): Arithmetic {
  if (precision === "float64") return "float64";
  return allows(regime, "contraction") ? "wide" : "float32";
}
