import type { Precision } from "../plan/index.ts";

/** Writes a number as a literal of a precision's type; NaN and infinities are constants of the file. */
export function literalText(value: number, precision: Precision): string {
  if (Number.isNaN(value)) return "NOT_A_NUMBER";
  if (value === Infinity) return "INFINITE";
  if (value === -Infinity) return "(-INFINITE)";
  const digits = Object.is(value, -0) ? "-0.0" : `${value}`;
  const real = /[.e]/.test(digits) ? digits : `${digits}.0`;
  const text = precision === "float32" ? `${real}f` : real;
  return real.startsWith("-") ? `(${text})` : text;
}
