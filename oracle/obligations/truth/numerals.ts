import { type Rational, rationalFromNumber } from "../../../reference/index.ts";
import { InvariantError } from "../../../spec/shapes/index.ts";

/** Writes a rational number in SMT-LIB. */
export function textOf({ numerator, denominator }: Rational): string {
  const size = numerator < 0n ? -numerator : numerator;
  const whole = denominator === 1n ? `${size}.0` : `(/ ${size}.0 ${denominator}.0)`;
  return numerator < 0n ? `(- ${whole})` : whole;
}

/** Writes a number of JavaScript; what is next to its smallest one is written as a multiple of that. */
export function numeral(x: number): string {
  if (!Number.isFinite(x)) throw new InvariantError(`${x} is no real number`);
  if (x !== 0 && Math.abs(x) < 2 ** -1000) {
    const text = `(* ${Math.abs(x) / Number.MIN_VALUE}.0 tiny)`;
    return x < 0 ? `(- ${text})` : text;
  }
  return textOf(rationalFromNumber(x));
}
