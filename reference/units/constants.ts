import { type OrderedField, present } from "../../spec/shapes/index.ts";
import { type MaybeTruth, type Rational, rational } from "../algebras/rational.ts";

const field: OrderedField<Rational, MaybeTruth> = present(
  rational.levels.orderedField,
  "the field of the rationals",
);

/** Beyond this many hexadecimal digits a number is not followed further. */
const MAXIMUM_DIGITS = 1024;

interface Known {
  readonly field: OrderedField<Rational, MaybeTruth>;
  readonly zero: Rational;
  readonly one: Rational;
  /** Says whether the constant is known, and zero. */
  isZero(x: Rational | undefined): x is Rational;
  /** The number itself, or `undefined` where it has no value, or too many digits to be worth following. */
  bounded(x: Rational | undefined): Rational | undefined;
}

/** Exact arithmetic on numbers that are known of a graph before it runs. */
export const known: Known = {
  field,
  zero: field.zero,
  one: field.one,
  isZero: (x): x is Rational => x !== undefined && x.denominator !== 0n && x.numerator === 0n,
  bounded: (x) =>
    x === undefined || x.denominator === 0n || isLong(x.numerator) || isLong(x.denominator) ? undefined : x,
};

function isLong(x: bigint): boolean {
  // Most numbers are short, and no text is made of them.
  return (x > 4294967296n || x < -4294967296n) && x.toString(16).length > MAXIMUM_DIGITS;
}
