import type { ScalarFunction } from "../../engines/compile/plan/index.ts";
import { Arena, rationalFromMpfr } from "../../reference/algebras/mpfr.ts";
import {
  compareRationals,
  dyadicOf,
  positValue,
  type Rational,
  roundToPosit,
} from "../../reference/index.ts";
import { forBinary, forUnary } from "../../spec/operators/index.ts";
import { present } from "../../spec/shapes/index.ts";
import type { PositFormat } from "../../spec/wire/index.ts";
import { type Enclosure, type Enclosures, enclosuresIn, isKnown } from "../truth/centre/index.ts";
import type { CodeRange } from "./summands.ts";

/** Ranges are computed with this many bits, more than a posit64 has. */
const PRECISION = 96;

type Operands = readonly Enclosure[];
type Enclosed = (enclosures: Enclosures, operands: Operands) => Enclosure;

const first = ([x]: Operands): Enclosure => present(x, "an operand");
const second = ([, y]: Operands): Enclosure => present(y, "a second operand");
const third = ([, , z]: Operands): Enclosure => present(z, "a third operand");

/** A comparison gives 0 or 1, or the range between if it is undecided. */
const truth =
  (name: "less" | "equal"): Enclosed =>
  ({ operations, hull }, operands) => {
    const holds = operations[name](first(operands), second(operands));
    const { zero, one } = operations;
    return holds === undefined ? hull(zero, one) : holds ? one : zero;
  };

/** Maps each function to enclosures of its operands. */
const functions: Readonly<Record<ScalarFunction, Enclosed>> = {
  ...forUnary<Enclosed>(
    (name) =>
      ({ operations }, operands) =>
        operations[name](first(operands)),
  ),
  ...forBinary<Enclosed>(
    (name) =>
      ({ operations }, operands) =>
        operations[name](first(operands), second(operands)),
  ),
  negative: ({ operations }, operands) => operations.negative(first(operands)),
  floor: ({ operations }, operands) => operations.floor(first(operands)),
  add: ({ operations }, operands) => operations.add(first(operands), second(operands)),
  subtract: ({ operations }, operands) =>
    operations.add(first(operands), operations.negative(second(operands))),
  multiply: ({ operations }, operands) => operations.multiply(first(operands), second(operands)),
  divide: ({ operations }, operands) => operations.divide(first(operands), second(operands)),
  less: truth("less"),
  equal: truth("equal"),
  select: ({ operations, hull }, operands) => {
    const isFalse = operations.equal(first(operands), operations.zero);
    if (isFalse === undefined) return hull(second(operands), third(operands));
    return isFalse ? third(operands) : second(operands);
  },
  multiply_add: ({ operations }, operands) =>
    operations.add(operations.multiply(first(operands), second(operands)), third(operands)),
};

/**
 * Bounds a function's value by posits, from bounds of its operands; `undefined` where nothing is known, or
 * the value may be NaN. Law: the bounds hold the exact value, and so what it is rounded to.
 */
export function appliedTo(
  name: ScalarFunction,
  operands: readonly CodeRange[],
  format: PositFormat,
): CodeRange | undefined {
  using arena = new Arena(PRECISION);
  const enclosures = enclosuresIn(arena);
  const value = functions[name](
    enclosures,
    operands.map((range) => enclosed(range, format, enclosures)),
  );
  return isKnown(value)
    ? between(rationalFromMpfr(value.low), rationalFromMpfr(value.high), format)
    : undefined;
}

/** Rounds `low` down and `high` up to codes; beyond the ends there are no codes. */
export function between(low: Rational, high: Rational, format: PositFormat): CodeRange {
  const [below, above] = [roundToPosit(format, low), roundToPosit(format, high)];
  const greatest = (1n << BigInt(format.width - 1)) - 1n;
  return {
    low: compareRationals(positValue(format, below), low) === 1 && below > -greatest ? below - 1n : below,
    high: compareRationals(positValue(format, above), high) === -1 && above < greatest ? above + 1n : above,
  };
}

/** Encloses the numbers of codes; those of more digits than a double has, by the doubles beside them. */
function enclosed(
  { low, high }: CodeRange,
  format: PositFormat,
  { operations, hull }: Enclosures,
): Enclosure {
  const [least, greatest] = [double(low, format, -1), double(high, format, 1)];
  return least === greatest
    ? operations.literal(least)
    : hull(operations.literal(least), operations.literal(greatest));
}

/** Integers up to this size are doubles. */
const EXACT = 2n ** 53n;

/** Returns a code's number as a double, or a double on that side of it. */
function double(code: bigint, format: PositFormat, side: 1 | -1): number {
  const { significand, exponent } = dyadicOf(format, code);
  const size = significand < 0n ? -significand : significand;
  const near = Number(significand) * 2 ** exponent;
  return size <= EXACT ? near : near + side * Math.abs(near) * 2 ** -51;
}
