import type { ScalarFunction } from "../plan/expression.ts";
import { errorFunction } from "../plan/functions/error_function.ts";
import { power } from "../plan/functions/power.ts";

/** The scalar functions without an instruction. */
export type HostFunction = Exclude<
  ScalarFunction,
  | "negative"
  | "sqrt"
  | "floor"
  | "add"
  | "subtract"
  | "multiply"
  | "divide"
  | "less"
  | "equal"
  | "select"
  | "multiply_add"
>;

/**
 * What a module imports for functions without an instruction. The functions of `Math` go in as they are: V8 knows several of them in an import
 * and calls its own code directly.
 */
export const hostFunctions: Readonly<Record<HostFunction, (x: number, y: number) => number>> = {
  exp: Math.exp,
  log: Math.log,
  sin: Math.sin,
  cos: Math.cos,
  tanh: Math.tanh,
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

/** What a module that calls these functions imports under the name `host`. */
export function importsNamed(
  names: Iterable<HostFunction>,
): Record<string, (x: number, y: number) => number> {
  return Object.fromEntries([...names].map((name) => [name, hostFunctions[name]]));
}
