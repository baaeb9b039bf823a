import { compareRationals, type Rational, rational, rationalOf } from "../../reference/index.ts";
import { type BinaryName, binaryNames, type UnaryName, unaryNames } from "../../spec/operators/index.ts";
import { at, present } from "../../spec/shapes/index.ts";
import { isEnclosed } from "./enclosed.ts";
import {
  around,
  type Interval,
  isKnownInterval,
  isPointInterval,
  outwards,
  subtractRationals,
} from "./interval.ts";
import { slopesOf } from "./table.ts";
import { roundedValue } from "./tabled.ts";

/**
 * `Adjudge.FunctionRow`: where a function's arguments are in these intervals, value and slopes are in those.
 */
export interface FunctionRow {
  readonly f: UnaryName | BinaryName;
  readonly arguments: readonly Interval[];
  readonly value: Interval;
  readonly slopes: readonly Interval[];
}

/** A row as it is read, of whatever function. */
export interface NamedRow extends Omit<FunctionRow, "f"> {
  readonly f: string;
}

const field = present(rational.levels.field, "the rational numbers");
const half = rationalOf(1n, 2n);

/** Lean sees a value to be where it is by no less than one part in 2⁶⁰, of 1 where that is more. */
function widened({ low, high }: Interval, by: Rational = field.zero): Interval {
  const margin = (x: Rational): Rational => {
    const magnitude = x.numerator < 0n ? field.negative(x) : x;
    return field.add(by, field.multiply(field.add(field.one, magnitude), rationalOf(1n, 1n << 60n)));
  };
  return outwards(subtractRationals(low, margin(low)), field.add(high, margin(high)));
}

/**
 * Returns the row of a call; `undefined` where the function has no value, or where its values between those
 * at the ends are not known. Nothing of it has to be trusted where {@link isNearRow} holds.
 */
export function rowOf(f: UnaryName | BinaryName, operands: readonly Interval[]): FunctionRow | undefined {
  const [only] = operands;
  const found =
    operands.length === 1 && only !== undefined && !isPointInterval(only)
      ? alongOne(f, only)
      : atPoint(f, operands);
  if (found === undefined) return undefined;
  const row = { f, arguments: operands, ...found };
  return [row.value, ...row.slopes].every(isKnownInterval) ? row : undefined;
}

type Found = Pick<FunctionRow, "value" | "slopes"> | undefined;

function atPoint(f: UnaryName | BinaryName, operands: readonly Interval[]): Found {
  if (!operands.every(isPointInterval)) return undefined;
  const point = operands.map(({ low }) => low);
  return {
    value: widenedAround([roundedValue(f, point)]),
    slopes: slopesOf(f, point).map((slope) => widenedAround([slope])),
  };
}

function widenedAround(numbers: readonly Rational[], by?: Rational): Interval {
  const interval = around(numbers);
  return isKnownInterval(interval) ? widened(interval, by) : interval;
}

/**
 * The sine and the cosine change by no more than their argument; the others rise or fall on each side of
 * zero, the tangent as long as it does not reach its pole.
 */
function alongOne(f: UnaryName | BinaryName, { low, high }: Interval): Found {
  const isInRange = (x: Rational): boolean => isEnclosed({ f, arguments: [x], value: field.zero });
  if (f === "tan" && !(isInRange(low) && isInRange(high))) return undefined;
  const isWave = f === "sin" || f === "cos";
  const isAstride = low.numerator < 0n && high.numerator > 0n;
  const middle = field.multiply(half, field.add(low, high));
  const points = isWave ? [middle] : isAstride ? [low, field.zero, high] : [low, high];
  const by = isWave ? field.multiply(half, subtractRationals(high, low)) : field.zero;
  return {
    value: widenedAround(
      points.map((x) => roundedValue(f, [x])),
      by,
    ),
    slopes: [
      widenedAround(
        points.map((x) => at(slopesOf(f, [x]), 0)),
        by,
      ),
    ],
  };
}

/** Tells whether Lean is asked if a row is one of its function; others are hypotheses of the theorem. */
export function isNearRow({ f, arguments: operands, value }: Omit<NamedRow, "slopes">): boolean {
  const [only, ...more] = operands;
  if (only === undefined || more.length > 0) return false;
  const middle = field.multiply(half, field.add(value.low, value.high));
  return [only.low, only.high].every((x) => isEnclosed({ f, arguments: [x], value: middle }));
}

/** Tells whether a row holds the value and the slopes that {@link rowOf} finds for its arguments. */
export function isAround({ f, arguments: operands, value, slopes }: NamedRow): boolean {
  const name = [...unaryNames, ...binaryNames].find((one) => one === f);
  const own = name && rowOf(name, operands);
  if (own === undefined || own.slopes.length !== slopes.length) return false;
  return [value, ...slopes].every((interval, place) => {
    const { low, high } = at([own.value, ...own.slopes], place);
    return compareRationals(interval.low, low) !== 1 && compareRationals(high, interval.high) !== 1;
  });
}

/**
 * Puts rows in the order in which Lean looks for one that holds its arguments: those that it is asked about
 * come first, and a narrow one before one that is around it.
 */
export function inOrderOfSearch(rows: readonly FunctionRow[]): readonly FunctionRow[] {
  const width = ({ arguments: operands }: FunctionRow): Rational =>
    operands.map(({ low, high }) => subtractRationals(high, low)).reduce(field.add, field.zero);
  const sorted = rows.toSorted((a, b) => compareRationals(width(a), width(b)) ?? 0);
  return [...sorted.filter(isNearRow), ...sorted.filter((row) => !isNearRow(row))];
}
