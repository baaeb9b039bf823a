import { float64 } from "../../../reference/index.ts";
import {
  type BinaryName,
  elementary,
  type UnaryName,
  unaryFunctions,
} from "../../../spec/operators/index.ts";
import { type Algebra, everyLevel, present } from "../../../spec/shapes/index.ts";
import { formats } from "../../../spec/wire/index.ts";
import { greatestSum } from "../bound/index.ts";
import { UNDERFLOWS } from "../centre/index.ts";
import { forwardUlps, type Standard } from "../standard/index.ts";
import {
  anything,
  between,
  type FloatSet,
  floatSet,
  isRange,
  type Kind,
  mayBe,
  ofKinds,
  only,
  type Piece,
  pairwise,
  union,
  withoutSigns,
  wordsOf,
} from "./float_set.ts";

/** A comparison may hold, fail, or do either. */
interface Verdicts {
  readonly mayHold: boolean;
  readonly mayFail: boolean;
}

const reals = present(float64.levels.orderedReal, "the elementary functions of float64");

/** This covers the rounding of an end of a range, by float64 and by its functions. */
const HOST = 2 ** -48;

const INF = Number.POSITIVE_INFINITY;

/** Returns one nonzero number of the piece's sign, for IEEE 754's rules on zeros and infinities. */
function sample({ kind, low }: Piece): number {
  if (kind === "+" || kind === "far") return 1;
  return kind === "-" || kind === "-far" ? -1 : low;
}

/** Tells whether a piece is a NaN, an infinity or a zero. */
function isSpecial({ kind }: Piece): boolean {
  return !isRange(kind);
}

const opposites: Readonly<Record<Kind, Kind>> = {
  nan: "nan",
  "-inf": "inf",
  "-far": "far",
  "-": "+",
  "-0": "0",
  "0": "-0",
  "+": "-",
  far: "-far",
  inf: "-inf",
};

function opposite({ kind, low, high }: Piece): Piece {
  // The end of a range has no sign where it is 0, since something is divided by it.
  return kind === "0" || kind === "-0"
    ? { kind: opposites[kind], low: -high, high: -low }
    : { kind: opposites[kind], low: 0 - high, high: 0 - low };
}

/**
 * Returns what an operation of `units` times `u` makes of a real number between `low` and `high`: rounded,
 * flushed, or beyond the range. An engine may keep the last two for one operation more.
 */
function rounded(standard: Standard, low: number, high: number, units: number): readonly Piece[] {
  if (Number.isNaN(low + high) && low !== -high) return anything.pieces;
  const { unitRoundoff, underflow, largest, taper } = standard;
  const relative = 1.01 * units * (taper === undefined ? unitRoundoff : 0) + HOST;
  const lost = (x: number): number =>
    x * relative + 2 * underflow + UNDERFLOWS + (taper === undefined ? 0 : 1.01 * units * taper.errorUpTo(x));
  const moved = (x: number, by: number): number => (Number.isFinite(x) ? x + by * lost(Math.abs(x)) : x);
  // Rounding keeps signs.
  const least = low > 0 ? Math.max(0, moved(low, -1)) : moved(low, -1);
  const most = high < 0 ? Math.min(0, moved(high, 1)) : moved(high, 1);
  if (least >= -largest && most <= largest) return between(least, most);
  const edge = largest * (1 + 2 * unitRoundoff);
  const pieces: Piece[] = [];
  if (least < -largest) pieces.push(...ofKinds("-inf", "-far").pieces);
  if (most > largest) pieces.push(...ofKinds("inf", "far").pieces);
  if (least < edge && most > -edge) pieces.push(...between(clipped(least, largest), clipped(most, largest)));
  return pieces;
}

function clipped(x: number, largest: number): number {
  return Math.max(-largest, Math.min(x, largest));
}

/** Returns a product's or a quotient's pieces: IEEE 754's for special operands, else sizes with the sign. */
function scaled(
  standard: Standard,
  units: number,
  exactly: (x: number, y: number) => number,
  sizes: (x: Piece, y: Piece) => readonly [number, number],
): (p: FloatSet, q: FloatSet) => FloatSet {
  return (p, q) =>
    pairwise(p, q, (x, y) => {
      const [a, b] = [sample(x), sample(y)];
      if (isSpecial(x) || isSpecial(y)) return only(exactly(a, b)).pieces;
      const positive = (piece: Piece): Piece => (piece.high <= 0 ? opposite(piece) : piece);
      const [low, high] = sizes(positive(x), positive(y));
      const result = rounded(standard, low, high, units);
      // A single piece is no zero, of which there are two.
      const signed = result.length === 1 ? result : result.filter(({ kind }) => kind !== "-0");
      return a * b < 0 ? signed.map(opposite) : signed;
    });
}

/** Returns a term after 0 is added: by a fused multiply-add, a negative product may underflow to −0 then. */
function unrounded(piece: Piece): readonly Piece[] {
  return piece.kind === "-" && piece.high === 0 ? [piece, ...ofKinds("-0").pieces] : [piece];
}

/** Tells whether some of the terms that are added are no zeros, though their sum may be one. */
function hasCancelled({ terms, up, down }: FloatSet): boolean {
  return terms > 1 && up + down > 0;
}

/** Returns the sum of two terms of one sum in any order. */
function sumOf(standard: Standard, p: FloatSet, q: FloatSet): FloatSet {
  if (q.terms === 0) return p;
  if (p.terms === 0) return withoutSigns(q);
  const { unitRoundoff, largest, taper } = standard;
  const [up, down, terms] = [p.up + q.up, p.down + q.down, p.terms + q.terms];
  const units = 2 * terms;
  // Other orders may lose this to cancellation.
  const lost =
    taper === undefined
      ? units * unitRoundoff * (up + down)
      : units * taper.errorUpTo(greatestSum(taper.errorUpTo, up + down, terms));
  const found = pairwise(p, q, (x, y) => {
    if (x.kind === "nan" || y.kind === "nan" || !Number.isFinite(sample(x) + sample(y)))
      return only(sample(x) + sample(y)).pieces;
    if (isSpecial(x) && isSpecial(y)) return only(x.low + y.low).pieces;
    if (isSpecial(x) && !hasCancelled(p)) return unrounded(y);
    if (isSpecial(y) && !hasCancelled(q)) return unrounded(x);
    const [low, high] = [x.low + y.low, x.high + y.high];
    if (terms === 2 && low === 0 && high === 0) return ofKinds("0").pieces;
    return terms === 2 ? rounded(standard, low, high, 1) : rounded(standard, low - lost, high + lost, units);
  });
  const overflowing = (size: number): boolean => size * (1 + 2 * units * unitRoundoff) > largest;
  if (found.pieces.every(({ kind }) => kind === "nan")) return { ...found, up, down, terms };
  const more: FloatSet[] = [];
  if (overflowing(up)) more.push(ofKinds("inf", "far"), mayBe(found, "-inf") ? ofKinds("nan") : found);
  if (overflowing(down)) more.push(ofKinds("-inf", "-far"), mayBe(found, "inf") ? ofKinds("nan") : found);
  if (overflowing(up) && overflowing(down)) more.push(anything);
  return { ...union(found, ...more), up, down, terms };
}

/** Returns what is left of a sum once it is done. */
export function settled(p: FloatSet): FloatSet {
  return p.terms === 1 ? p : floatSet(p.pieces);
}

function compared(p: FloatSet, q: FloatSet, holds: (x: Piece, y: Piece) => Verdicts): Verdicts {
  const verdicts = p.pieces.flatMap((x) =>
    q.pieces.map((y) =>
      x.kind === "nan" || y.kind === "nan" ? { mayHold: false, mayFail: true } : holds(x, y),
    ),
  );
  return {
    mayHold: verdicts.some(({ mayHold }) => mayHold),
    mayFail: verdicts.some(({ mayFail }) => mayFail),
  };
}

/** These functions have an infinite value at a number that is not 0. */
const withPoles: readonly UnaryName[] = ["log1p", "atanh"];

function unary(standard: Standard): (name: UnaryName) => (p: FloatSet) => FloatSet {
  return (name) => {
    const f = reals[name];
    const units = 2 * forwardUlps(standard, name);
    const image = (piece: Piece): readonly Piece[] => {
      if (name === "sqrt" && piece.kind === "-0") return [piece];
      const { low, high } = piece;
      if (isSpecial(piece)) {
        const value = f(low);
        return Number.isFinite(value) ? rounded(standard, value, value, units) : only(value).pieces;
      }
      const { course } = unaryFunctions[name];
      if (course === "wave") return rounded(standard, -1, 1, units);
      if (course === "between poles") return rounded(standard, -INF, INF, units);
      const [first, last] = [f(low), f(high)];
      if (Number.isNaN(first) && Number.isNaN(last)) return ofKinds("nan").pieces;
      if (withPoles.includes(name) && !(Number.isFinite(first) && Number.isFinite(last)) && high !== INF)
        return low === high ? only(first).pieces : anything.pieces;
      return Number.isNaN(first + last)
        ? anything.pieces
        : rounded(standard, Math.min(first, last), Math.max(first, last), units);
    };
    return (p) => withZeros(name, floatSet(p.pieces.flatMap(image)));
  };
}

/** Opens the signs of a function's zeros, in which engines differ, but for the root's. */
function withZeros(name: UnaryName, p: FloatSet): FloatSet {
  return name === "sqrt" ? p : withoutSigns(p);
}

function isPoint({ low, high }: Piece): boolean {
  return low === high || Number.isNaN(low);
}

function binary(standard: Standard): (name: BinaryName) => (p: FloatSet, q: FloatSet) => FloatSet {
  return (name) => {
    const f = reals[name];
    const units = 2 * forwardUlps(standard, name);
    return (p, q) =>
      withoutSigns(
        pairwise(p, q, (x, y) => {
          if (name === "atan2" && !(isPoint(x) && isPoint(y))) {
            const isNaNRead = Number.isNaN(x.low) || Number.isNaN(y.low);
            return isNaNRead ? ofKinds("nan").pieces : rounded(standard, -Math.PI, Math.PI, units);
          }
          if (name === "hypot" && !isSpecial(x) && !isSpecial(y)) return anything.pieces;
          if (name === "pow" && !(isPoint(x) && isPoint(y)))
            return hasNoPower(x, y) ? ofKinds("nan").pieces : anything.pieces;
          const [a, b] = [isPoint(x) ? x.low : sample(x), isPoint(y) ? y.low : sample(y)];
          const value = f(a, b);
          if (Number.isNaN(a) || Number.isNaN(b)) return nanOperand(standard, name, value, units);
          // IEEE 754 has 1 here, ECMAScript NaN.
          if (name === "pow" && Math.abs(a) === 1 && !Number.isFinite(b))
            return ofKinds("nan").pieces.concat(rounded(standard, 1, 1, units));
          if (name === "hypot" && Number.isFinite(value)) return anything.pieces;
          const isOverflow = !Number.isFinite(value) && Number.isFinite(a) && Number.isFinite(b) && a !== 0;
          return isOverflow || Number.isFinite(value)
            ? Number.isNaN(value)
              ? ofKinds("nan").pieces
              : rounded(standard, value, value, units)
            : only(value).pieces;
        }),
      );
  };
}

/** Tells whether all bases are negative, and the exponent is no whole number. */
export function hasNoPower(base: Piece, exponent: Piece): boolean {
  const isNegative = base.high < 0 && Number.isFinite(base.low);
  return isNegative && isPoint(exponent) && Number.isFinite(exponent.low) && !Number.isInteger(exponent.low);
}

/** Returns NaN, and the number that it is for every other operand (1⁰, an infinite side) if there is one. */
function nanOperand(standard: Standard, name: BinaryName, value: number, units: number): readonly Piece[] {
  const nan = ofKinds("nan").pieces;
  if (name === "atan2" || Number.isNaN(value)) return nan;
  return nan.concat(Number.isFinite(value) ? rounded(standard, value, value, units) : only(value).pieces);
}

/**
 * Returns the algebra of the floats that honest engines may compute: IEEE 754's rules where an operand is a
 * NaN, an infinity or a zero, and ranges elsewhere. A sum is of any order.
 */
export function floatSets(standard: Standard): Algebra<FloatSet, Verdicts> {
  const literal = (x: number): FloatSet => {
    const near = formats[standard.dtype].round(x);
    const isFlushed = standard.flushesSubnormals && Math.abs(near) < standard.underflow;
    return isFlushed ? union(only(near), ofKinds("0", "-0")) : only(near);
  };
  const all = {
    zero: { ...ofKinds("0", "-0"), terms: 0 },
    one: only(1),
    literal,
    detach: (p: FloatSet) => p,
    add: (p: FloatSet, q: FloatSet) => sumOf(standard, p, q),
    negative: (p: FloatSet): FloatSet => ({
      ...floatSet(p.pieces.map(opposite)),
      up: p.down,
      down: p.up,
      terms: p.terms,
    }),
    multiply: scaled(
      standard,
      2 * forwardUlps(standard, "multiply"),
      (x, y) => x * y,
      (x, y) => [x.low * y.low, x.high * y.high],
    ),
    divide: scaled(
      standard,
      2 * forwardUlps(standard, "divide"),
      (x, y) => x / y,
      (x, y) => [x.low / y.high, x.high / y.low],
    ),
    ...elementary(unary(standard), binary(standard)),
    less: (p: FloatSet, q: FloatSet) =>
      compared(p, q, (x, y) => ({ mayHold: x.low < y.high, mayFail: x.high >= y.low })),
    equal: (p: FloatSet, q: FloatSet) =>
      compared(p, q, (x, y) => ({
        mayHold: x.low <= y.high && y.low <= x.high,
        mayFail: !(isPoint(x) && isPoint(y) && x.low === y.low),
      })),
    select: ({ mayHold, mayFail }: Verdicts, p: FloatSet, q: FloatSet) =>
      mayHold && mayFail ? union(p, q) : mayHold ? p : q,
    floor: (p: FloatSet) =>
      floatSet(
        p.pieces.flatMap((piece) =>
          isSpecial(piece) ? [piece] : rounded(standard, Math.floor(piece.low), Math.floor(piece.high), 1),
        ),
      ),
  };
  return {
    name: `floatSet(${standard.dtype})`,
    additive: all,
    levels: everyLevel(all),
    isSame: (p, q) => wordsOf(p) === wordsOf(q),
    format: wordsOf,
    parse: (text) => (Number.isNaN(Number(text)) ? undefined : literal(Number(text))),
  };
}
