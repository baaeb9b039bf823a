import { allows, type Precision, type Regime } from "../../plan/index.ts";

/**
 * It says how generated code computes: in `float64`; in `float32`, rounding every application; or `wide`,
 * where memory and literals are float32 and everything between them is float64, which saves conversions and
 * most roundings.
 */
export type Arithmetic = "float64" | "float32" | "wide";

/** Returns the arithmetic; a regime that may round `x y + z` once may save other roundings too. */
export function arithmeticOf(precision: Precision, regime: Regime): Arithmetic {
  if (precision === "float64") return "float64";
  return allows(regime, "contraction") ? "wide" : "float32";
}
