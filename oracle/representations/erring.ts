import { DOWN, mpfr, UP } from "../../reference/algebras/mpfr.ts";
import type { MaybeTruth } from "../../reference/index.ts";
import { hostUlps } from "../../spec/contract/index.ts";
import { type BinaryName, type Elementary, elementary, type UnaryName } from "../../spec/operators/index.ts";
import {
  type Algebra,
  everyLevel,
  type Field,
  type Ordered,
  type OrderedReal,
  type Ring,
} from "../../spec/shapes/index.ts";
import {
  binaryGrowths,
  type Enclosure,
  type Enclosures,
  growths,
  isKnown,
  roundingOfBall,
} from "../truth/centre/index.ts";
import { greatestSize } from "./storage_formats.ts";

/**
 * An erring number has a range for its true value and a bound for the error of the computed one, valid for
 * all that is given within its ranges. If the error is infinite, nothing is known of the computed value.
 */
export interface Erring {
  readonly range: Enclosure;
  readonly error: number;
  /** It is one of two numbers, by how these compare. */
  readonly choice?: Choice;
}

/** One of two numbers is taken where the first is less, and one where it is greater. */
interface Choice {
  readonly between: readonly [first: Erring, second: Erring];
  readonly below: Erring;
  readonly above: Erring;
}

/** A comparison says what holds for true and computed values at once, and which two were compared. */
interface Compared {
  readonly name: "less" | "equal";
  readonly holds: MaybeTruth;
  readonly operands: readonly [Erring, Erring];
}

/** This factor covers the roundings of a handful of float operations that compute a bound. */
const UPWARDS = 1 + 2 ** -48;

const up = (x: number): number => (Number.isNaN(x) ? Number.POSITIVE_INFINITY : x * UPWARDS);

/** Returns the ends of an enclosure as float64s, rounded outwards. */
export function endsOf(range: Enclosure): readonly [low: number, high: number] {
  if (!isKnown(range)) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return [mpfr.mpfr_get_d(range.low, DOWN), mpfr.mpfr_get_d(range.high, UP)];
}

/** Bounds the size of the true value. */
export function sizeOfRange(range: Enclosure): number {
  return greatestSize(...endsOf(range));
}

/** Returns the middle of a range, and how far from it a computed value may lie. */
function middle({ range, error }: Erring): readonly [x: number, reach: number] {
  const [low, high] = endsOf(range);
  const x = low / 2 + high / 2;
  return [x, up(Math.max(high - x, x - low) + error)];
}

/** Adds the propagated errors of the operands and a rounding of this many ulps. */
function computed(range: Enclosure, propagated: number, ulps: number): Erring {
  const [low, high] = endsOf(range);
  const isExact = low === high && propagated === 0 && ulps <= 0.5;
  const size = greatestSize(low, high) + propagated;
  return { range, error: isExact ? 0 : up(propagated + roundingOfBall(up(size), ulps)) };
}

function isZero({ range, error }: Erring): boolean {
  return error === 0 && sizeOfRange(range) === 0;
}

/**
 * Returns functions, each of which moves by its growth and errs by the host's ulps. An operand of unknown
 * error may be NaN, so that nothing is known even of functions between two numbers, as atan2 is.
 */
function functionsOf({ operations }: Enclosures): Elementary<Erring> {
  const unknown = Number.POSITIVE_INFINITY;
  const unary = (name: UnaryName) => (x: Erring) => {
    const [mid, reach] = middle(x);
    const moved = x.error === 0 ? 0 : x.error === unknown ? unknown : growths[name](mid, x.error, reach);
    return computed(operations[name](x.range), up(moved), hostUlps[name]);
  };
  const binary = (name: BinaryName) => (x: Erring, y: Erring) => {
    const [[a, aReach], [b, bReach]] = [middle(x), middle(y)];
    const isExact = x.error === 0 && y.error === 0;
    const isUnknown = x.error + y.error === unknown;
    const grown = (): number => binaryGrowths[name](a, b, x.error, y.error, aReach, bReach);
    const moved = isExact ? 0 : isUnknown ? unknown : grown();
    return computed(operations[name](x.range, y.range), up(moved), hostUlps[name]);
  };
  return elementary(unary, binary);
}

/** Returns arithmetic of operands that err, each result with a rounding. */
function fieldOf({ operations }: Enclosures): Field<Erring> {
  const literal = (x: number): Erring => ({ range: operations.literal(x), error: 0 });
  const zero = literal(0);
  return {
    zero,
    one: literal(1),
    literal,
    detach: (x) => x,
    negative: ({ range, error }) => ({ range: operations.negative(range), error }),
    add: (x, y) => {
      if (isZero(x)) return y;
      if (isZero(y)) return x;
      return computed(operations.add(x.range, y.range), x.error + y.error, 0.5);
    },
    multiply: (x, y) => {
      const range = operations.multiply(x.range, y.range);
      // An operand of unknown error may be NaN, so 0 times it need not be 0.
      if (x.error + y.error === Number.POSITIVE_INFINITY) return { range, error: Number.POSITIVE_INFINITY };
      if ((isZero(x) && isKnown(y.range)) || (isZero(y) && isKnown(x.range))) return zero;
      const [a, b] = [sizeOfRange(x.range), sizeOfRange(y.range)];
      const moved = part(a, y.error) + part(b, x.error) + part(x.error, y.error);
      return computed(range, up(moved), 0.5);
    },
    divide: (x, y) => {
      const range = operations.divide(x.range, y.range);
      const [low, high] = endsOf(y.range);
      const least = Math.max(low, -high) - y.error;
      const moved =
        x.error === 0 && y.error === 0 ? 0 : (x.error + part(sizeOfRange(range), y.error)) / least;
      return computed(range, least > 0 ? up(moved) : Number.POSITIVE_INFINITY, 0.5);
    },
  };
}

/** Tells whether the computed value is surely a number. */
function isNumber({ range, error }: Erring): boolean {
  return isKnown(range) && error < Number.POSITIVE_INFINITY;
}

/**
 * Returns what a selection takes on each side of where the two compared numbers meet, if it takes one of
 * them, or what such selections took. Where they meet it does not matter which.
 */
function choiceOf({ name, operands }: Compared, x: Erring, y: Erring): Choice | undefined {
  const [first, second] = operands;
  const sidesOf = (one: Erring): Omit<Choice, "between"> | undefined => {
    if (one === first || one === second) return { below: one, above: one };
    const { between, below, above } = one.choice ?? {};
    if (between?.[0] === first && between[1] === second) return one.choice;
    const isTurned = between?.[0] === second && between[1] === first;
    return isTurned && below !== undefined && above !== undefined
      ? { below: above, above: below }
      : undefined;
  };
  const [whereTrue, whereFalse] = [sidesOf(x), sidesOf(y)];
  if (whereTrue === undefined || whereFalse === undefined) return undefined;
  const { below } = name === "less" ? whereTrue : whereFalse;
  return { between: operands, below, above: whereFalse.above };
}

/** Returns comparisons of values that may err, and choices by them. */
function comparisonsOf({
  operations,
  hull,
}: Enclosures): Omit<Ordered<Erring, Compared>, keyof Ring<Erring>> {
  const widened = ({ range, error }: Erring): Enclosure => {
    if (error === 0) return range;
    const [low, high] = endsOf(range);
    return hull(operations.literal(-up(error - low)), operations.literal(up(high + error)));
  };
  /** Of two numbers it is one, the greater or the less: neither moves further than they do. */
  const chosen = (choice: Choice): Erring => {
    const { between, below, above } = choice;
    if (below === above) return below;
    const [x, y] = between;
    const outer = below === y ? Math.max : Math.min;
    const [[xLow, xHigh], [yLow, yHigh]] = [endsOf(x.range), endsOf(y.range)];
    const ends = [outer(xLow, yLow), outer(xHigh, yHigh)] as const;
    const isBounded = isKnown(x.range) && isKnown(y.range) && ends.every(Number.isFinite);
    const range = isBounded
      ? hull(operations.literal(ends[0]), operations.literal(ends[1]))
      : hull(x.range, y.range);
    return { range, error: Math.max(x.error, y.error), choice };
  };
  const compared =
    (name: "less" | "equal") =>
    (x: Erring, y: Erring): Compared => ({
      name,
      holds: x === y && isNumber(x) ? name === "equal" : operations[name](widened(x), widened(y)),
      operands: [x, y],
    });
  return {
    less: compared("less"),
    equal: compared("equal"),
    select: (compared, x, y) => {
      const { holds } = compared;
      if (holds !== undefined) return holds ? x : y;
      const choice = choiceOf(compared, x, y);
      if (choice !== undefined) return chosen(choice);
      const range = hull(x.range, y.range);
      const error = Math.max(x.error, y.error);
      const apart = operations.add(x.range, operations.negative(y.range));
      return { range, error: up(error + sizeOfRange(apart)) };
    },
    floor: (x) => {
      const range = operations.floor(x.range);
      const [low, high] = endsOf(operations.floor(widened(x)));
      return { range, error: x.error === 0 || low === high ? 0 : Math.ceil(x.error) };
    },
  };
}

/**
 * Analyses running errors over boxes: of the reference's float64 arithmetic, on operands that err, for
 * everything in the box at once. A function moves by at most its steepest slope in reach (`truth/growth.ts`).
 * Source: Higham, Accuracy and Stability of Numerical Algorithms (2002), 3.3; Moore, Kearfott and Cloud,
 * Introduction to Interval Analysis (2009), 5.
 */
export function erringIn(enclosures: Enclosures): Algebra<Erring, Compared> {
  const all: OrderedReal<Erring, Compared> = {
    ...fieldOf(enclosures),
    ...functionsOf(enclosures),
    ...comparisonsOf(enclosures),
  };
  return {
    name: "erring numbers",
    additive: all,
    levels: everyLevel(all),
    isSame: (x, y) => x.error === y.error && endsOf(x.range).join() === endsOf(y.range).join(),
    format: ({ range, error }) => `[${endsOf(range).join(", ")}] ± ${error}`,
    parse: (text) => {
      const x = Number(text);
      return text.trim() === "" || Number.isNaN(x) ? undefined : all.literal(x);
    },
  };
}

/** Multiplies sizes; an exact or zero factor contributes nothing, even if the other is infinite. */
function part(x: number, y: number): number {
  return x === 0 || y === 0 ? 0 : x * y;
}
