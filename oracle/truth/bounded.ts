import { hostUlps } from "../../spec/contract/index.ts";
import {
  type BinaryName,
  CORRECTLY_ROUNDED,
  type Elementary,
  elementary,
  type UnaryName,
} from "../../spec/operators/index.ts";
import type { Additive, Algebra, Field, Ring } from "../../spec/shapes/index.ts";
import { binadeOf, formats } from "../../spec/wire/index.ts";
import { UNDERFLOWS, UPWARDS } from "./ball.ts";
import { type Centre, differenceOf } from "./centre.ts";
import { binaryGrowths, growths } from "./growth.ts";
import type { History } from "./history.ts";
import {
  isCopy,
  loosenedOrigin,
  type Noted,
  negatedOrigin,
  notedIn,
  type Operation,
  settledSum,
} from "./noted.ts";
import { type Bounded, isHeld, radius, roundingOf, sizeOf, sizeOfBall } from "./radius.ts";
import { slopeOf, slopesOf, slopesOfProduct, slopesOfQuotient } from "./secants.ts";
import { forwardUlps, type Standard } from "./standard.ts";

export type { Bounded } from "./radius.ts";

/**
 * A comparison: what is true, and whether every honest engine says the same: for certain, not necessarily, or
 * nothing is known because a side has no value or no bound.
 */
export interface Comparison {
  readonly holds: boolean;
  readonly certainty: "certain" | "open" | "unknown";
}

/** The bounded value of a number given to the engine, which it may have to round to its precision first. */
export function given<C>(centre: Centre<C>, standard: Standard, x: number): Bounded<C> {
  const rounded = formats[standard.dtype].round(x);
  const flushed = standard.flushesSubnormals && Math.abs(rounded) < standard.underflow ? Math.abs(x) : 0;
  // What the precision makes infinite is at no distance from anything.
  const error = Number.isFinite(rounded) ? Math.abs(rounded - x) + flushed : Number.NaN;
  const grain = error === 0 ? grainOf(x) : 0;
  const literal = {
    centre: centre.field.literal(x),
    error,
    magnitude: Math.abs(x) + error,
    terms: x === 0 ? 0 : 1,
    grain,
  };
  return standard.taper === undefined ? literal : { ...literal, isRoundedOnce: true };
}

/** The place value of the last digit of `x`. Of 0 every number is one. */
function grainOf(x: number): number {
  if (x === 0) return Number.POSITIVE_INFINITY;
  let grain = binadeOf(x);
  while (!Number.isInteger(x / grain) && grain > 0) grain /= 2;
  return grain;
}

/** `grain`, if sums of multiples of it up to `magnitude` are exact: they have no more digits than the precision. */
function holding({ unitRoundoff, underflow, taper }: Standard, grain: number, magnitude: number): number {
  // Where neighbours are no further apart than a power of two, its multiples are numbers of the format.
  if (taper !== undefined) return taper.gapUpTo(magnitude) <= grain ? grain : 0;
  return grain >= underflow && magnitude * unitRoundoff <= grain ? grain : 0;
}

/** Whether the terms of `x` and all their sums are numbers of the standard's precision, also where they are held in a wider one. */
export function isExact<C>(standard: Standard, { grain, magnitude }: Bounded<C>): boolean {
  return magnitude <= standard.largest && holding(standard, grain, magnitude) > 0;
}

/** `x` as one rounded number: its pending additions are done. */
export function settle<C>(centre: Centre<C>, standard: Standard, x: Bounded<C>): Bounded<C> {
  if (x.terms < 2) return x;
  const error = radius(centre, standard, x);
  const magnitude = (sizeOf(centre, x.centre) + error) * UPWARDS;
  const sum = { centre: x.centre, error, magnitude, terms: 1, grain: x.grain };
  const isRoundedOnce = standard.taper !== undefined && x.terms === 2 && x.error === 0;
  return settledSum(centre, standard, isRoundedOnce ? { ...sum, isRoundedOnce } : sum, x);
}

/**
 * `x`, held in the precision of `wide`, as one number of the standard's, rounded once. Where it is two sums that meet, both
 * may be rounded before.
 */
export function narrowed<C>(
  centre: Centre<C>,
  standard: Standard,
  wide: Standard,
  x: Bounded<C>,
  meets: boolean,
): Bounded<C> {
  if (x.terms === 0) return x;
  if (isExact(standard, x)) return settle(centre, wide, x);
  const error = radius(centre, wide, x);
  if (!meets) return rounded(centre, standard, x.centre, error, 1);
  const size = (x.magnitude + error) * UPWARDS;
  const both = size > standard.largest ? Number.NaN : bothRoundings(standard, size);
  return rounded(centre, standard, x.centre, (error + both) * UPWARDS, 1);
}

/** `x` as one number that is moved by at most so much more, and not rounded again. */
export function displaced<C>(centre: Centre<C>, standard: Standard, x: Bounded<C>, by: number): Bounded<C> {
  return x.terms === 0 && by === 0
    ? x
    : rounded(centre, standard, x.centre, radius(centre, standard, x) + by, 0);
}

/** Two roundings of numbers whose sizes together are at most this. */
function bothRoundings({ unitRoundoff, underflow, taper }: Standard, size: number): number {
  return taper === undefined ? unitRoundoff * size + 2 * underflow : 2 * taper.errorUpTo(size);
}

/** Whether anything is known of how far an honest engine's number may be. */
export function hasBound({ error }: Bounded<unknown>): boolean {
  return Number.isFinite(error);
}

/** `x`, of which nothing is known any more. */
export function withoutBound<C>({ centre, magnitude }: Bounded<C>): Bounded<C> {
  return { centre, error: Number.NaN, magnitude, terms: 1, grain: 0 };
}

/** `x` with a relative error of `ulps` units in the last place more, on every term. */
export function loosened<C>(standard: Standard, x: Bounded<C>, ulps: number): Bounded<C> {
  if (ulps === 0 || x.terms === 0) return x;
  // No term is moved further than one of the size of all of them.
  const extra =
    2 *
    ulps *
    (standard.taper === undefined
      ? standard.unitRoundoff * x.magnitude
      : x.terms * standard.taper.errorUpTo(x.magnitude));
  const [error, magnitude] = [(x.error + extra) * UPWARDS, (x.magnitude + extra) * UPWARDS];
  const loose = { centre: x.centre, error, magnitude, terms: x.terms, grain: 0 };
  return x.origin === undefined ? loose : { ...loose, ...loosenedOrigin(x, extra * UPWARDS) };
}

/** What the algebra of bounds depends on beside centre and standard. */
interface Reading {
  /** Makes exact ties uncertain, for an engine that declares another convention. */
  readonly undecidedTies?: boolean;
  /** Rounds every partial sum, for an engine that adds in the program's order. */
  readonly isSequential?: boolean;
  /** Where operations are noted, so that wide bounds are sharpened. */
  readonly history?: History | undefined;
}

/**
 * Running error analysis as an algebra: the same programs that compute values compute, over it, the bound an
 * honest engine stays within [docs/truth.md].
 */
export function bounded<C>(
  centre: Centre<C>,
  standard: Standard,
  { undecidedTies = false, isSequential = false, history }: Reading = {},
): Algebra<Bounded<C>, Comparison> {
  const sums = boundedField(centre, standard, history);
  const add = (p: Bounded<C>, q: Bounded<C>): Bounded<C> => settle(centre, standard, sums.add(p, q));
  const field = isSequential ? { ...sums, add } : sums;
  const order = boundedOrder(centre, standard, undecidedTies);
  const real = centre.real && { ...field, ...boundedElementary(centre, standard, centre.real, history) };
  const show = (x: Bounded<C>): string => `${centre.approximate(x.centre)}±${radius(centre, standard, x)}`;
  return {
    name: `bounded(${centre.name}, ${standard.dtype})`,
    additive: field,
    levels: {
      additive: field,
      semiring: field,
      ring: field,
      field,
      real,
      ordered: { ...field, ...order },
      orderedField: { ...field, ...order },
      orderedReal: real && { ...real, ...order },
    },
    isSame: (a, b) => show(a) === show(b),
    format: show,
    parse: (text) => (Number.isNaN(Number(text)) ? undefined : given(centre, standard, Number(text))),
  };
}

function boundedAdditive<C>(
  centre: Centre<C>,
  standard: Standard,
  noted: Noted<C> | undefined,
): Additive<Bounded<C>> {
  const { field } = centre;
  return {
    zero: { centre: field.zero, error: 0, magnitude: 0, terms: 0, grain: Number.POSITIVE_INFINITY },
    add: (p, q) => {
      if (q.terms === 0) return p;
      if (p.terms === 0) return q;
      const magnitude = (p.magnitude + q.magnitude) * UPWARDS;
      const error = magnitude > standard.largest ? Number.NaN : (p.error + q.error) * UPWARDS;
      const grain = holding(standard, Math.min(p.grain, q.grain), magnitude);
      const sum = {
        centre: field.add(p.centre, q.centre),
        error,
        magnitude,
        terms: p.terms + q.terms,
        grain,
      };
      return noted === undefined ? sum : noted.sum(sum, p, q);
    },
    detach: (x) => x,
  };
}

/**
 * The result of one operation: the error its operands pass on, then a rounding of `units` times `u` in the binade
 * of the result. Without a bound where the engine may overflow.
 */
function rounded<C>(
  centre: Centre<C>,
  standard: Standard,
  value: C,
  propagated: number,
  units: number,
): Bounded<C> {
  const ball = centre.ball(value);
  const size = sizeOfBall(ball);
  if (propagated === 0 && units <= 1 && isHeld(standard, ball)) {
    const grain = holding(standard, grainOf(ball.value), size);
    return { centre: value, error: 0, magnitude: size, terms: 1, grain };
  }
  const error = (propagated + roundingOf(standard, size + propagated, units)) * UPWARDS;
  const magnitude = (size + error) * UPWARDS;
  const known = magnitude <= standard.largest ? error : Number.NaN;
  const result = { centre: value, error: known, magnitude, terms: 1, grain: 0 };
  const isRoundedOnce = standard.taper !== undefined && propagated === 0 && units <= 1;
  return isRoundedOnce ? { ...result, isRoundedOnce } : result;
}

function boundedField<C>(
  centre: Centre<C>,
  standard: Standard,
  history: History | undefined,
): Field<Bounded<C>> {
  const { field } = centre;
  const noted = history && notedIn(history, centre, standard);
  const [productUnits, quotientUnits] = [unitsOf(standard, "multiply"), unitsOf(standard, "divide")];
  return {
    ...boundedAdditive(centre, standard, noted),
    one: { centre: field.one, error: 0, magnitude: 1, terms: 1, grain: 1 },
    multiply: (p, q) => {
      const value = field.multiply(p.centre, q.centre);
      const dp = radius(centre, standard, p);
      const dq = radius(centre, standard, q);
      // A literal zero times anything finite is zero, in every precision; times anything else, NaN.
      if (p.terms === 0 || q.terms === 0) {
        const isZero = Number.isFinite(dp + dq);
        return isZero
          ? { centre: value, error: 0, magnitude: 0, terms: 0, grain: Number.POSITIVE_INFINITY }
          : { centre: value, error: Number.NaN, magnitude: 0, terms: 1, grain: 0 };
      }
      const propagated =
        dp === 0 && dq === 0 ? 0 : sizeOf(centre, p.centre) * dq + sizeOf(centre, q.centre) * dp + dp * dq;
      const product = rounded(centre, standard, value, propagated, productUnits);
      if (noted === undefined) return product;
      const operation = { units: productUnits, hostUlps: CORRECTLY_ROUNDED, slopes: slopesOfProduct };
      return noted.result(product, operation, p, q);
    },
    literal: (x) => given(centre, standard, x),
    negative: (p) => {
      const { error, magnitude, terms, grain } = p;
      const negated = { centre: field.negative(p.centre), error, magnitude, terms, grain };
      return p.origin === undefined ? negated : { ...negated, ...negatedOrigin(p) };
    },
    divide: (p, q) => {
      const value = field.divide(p.centre, q.centre);
      const dq = radius(centre, standard, q);
      const divisor = centre.ball(q.centre);
      const room = (Math.abs(divisor.value) - divisor.slack) / UPWARDS - dq;
      // Exact terms by a power of two are exact, before they are added as after.
      const isShifted = p.grain > 0 && q.grain === Math.abs(divisor.value);
      if (p.terms > 1 && !isShifted) return dividedTerms(standard, p, value, room, dq, quotientUnits);
      const propagated =
        p.error === 0 && dq === 0 ? 0 : (p.error + sizeOf(centre, value) * dq) / positive(room);
      const quotient = rounded(centre, standard, value, propagated, quotientUnits);
      if (noted === undefined) return quotient;
      const of = centre.ball(value);
      const slopes: Operation["slopes"] = (_x, _y, _xHat, yHat) => slopesOfQuotient(of, yHat);
      return noted.result(quotient, { units: quotientUnits, hostUlps: CORRECTLY_ROUNDED, slopes }, p, q);
    },
  };
}

/**
 * A sum by a divisor that is at least `room` and off by at most `dq`: an engine may add first or divide the terms
 * first, so the quotient is still a sum.
 */
function dividedTerms<C>(
  { unitRoundoff, underflow, largest, taper }: Standard,
  { error, magnitude, terms }: Bounded<C>,
  centre: C,
  room: number,
  dq: number,
  units: number,
): Bounded<C> {
  const size = ((magnitude + error) / positive(room)) * UPWARDS;
  const propagated = (error + size * dq) / positive(room);
  const rounding =
    taper === undefined
      ? units * unitRoundoff * (size + propagated) + terms * (underflow + UNDERFLOWS)
      : units * terms * taper.errorUpTo((size + propagated) * UPWARDS);
  const total = (propagated + rounding) * UPWARDS;
  const reached = (size + total) * UPWARDS;
  const known = reached <= largest ? total : Number.NaN;
  return { centre, error: known, magnitude: reached, terms, grain: 0 };
}

function positive(x: number): number {
  return x > 0 ? x : Number.NaN;
}

/** The rounding error of an operation in units of `u` of the result's binade: an ulp is two. */
function unitsOf(standard: Standard, name: UnaryName | BinaryName | "multiply" | "divide"): number {
  return 2 * forwardUlps(standard, name);
}

function boundedElementary<C>(
  centre: Centre<C>,
  standard: Standard,
  real: Elementary<C>,
  history: History | undefined,
): Elementary<Bounded<C>> {
  const noted = history && notedIn(history, centre, standard);
  const unary =
    (name: UnaryName, units = unitsOf(standard, name)) =>
    (p: Bounded<C>): Bounded<C> => {
      const dx = radius(centre, standard, p);
      const reach = (dx + centre.slack(p.centre)) * UPWARDS;
      const propagated = dx === 0 ? 0 : growths[name](centre.approximate(p.centre), dx, reach) * UPWARDS;
      const value = rounded(centre, standard, real[name](p.centre), propagated, units);
      const slopes: Operation["slopes"] = (_x, _y, xHat) => [slopeOf(name, xHat), xHat];
      return noted?.result(value, { units, hostUlps: hostUlps[name], slopes }, p) ?? value;
    };
  const binary =
    (name: BinaryName, units = unitsOf(standard, name)) =>
    (p: Bounded<C>, q: Bounded<C>): Bounded<C> => {
      const dx = radius(centre, standard, p);
      const dy = radius(centre, standard, q);
      const x = centre.ball(p.centre);
      const y = centre.ball(q.centre);
      const xReach = (dx + x.slack) * UPWARDS;
      const yReach = (dy + y.slack) * UPWARDS;
      const moved = binaryGrowths[name](x.value, y.value, dx, dy, xReach, yReach) * UPWARDS;
      const value = real[name](p.centre, q.centre);
      // Posits have no value at the origin, where floats have 0⁰ and the angles of zeros.
      const mayBeOrigin = Math.abs(x.value) <= xReach && Math.abs(y.value) <= yReach;
      if (standard.taper !== undefined && name !== "hypot" && mayBeOrigin)
        return withoutBound({ centre: value, error: 0, magnitude: 0, terms: 1, grain: 0 });
      // At an exact zero the side of the cut is the zero's sign, in which engines differ.
      const isFixed = dx === 0 && dy === 0 && name !== "atan2";
      const result = rounded(centre, standard, value, isFixed ? 0 : moved, units);
      const slopes: Operation["slopes"] = (_x, _y, xHat, yHat) => slopesOf[name](xHat, yHat);
      return noted?.result(result, { units, hostUlps: hostUlps[name], slopes }, p, q) ?? result;
    };
  return elementary(unary, binary);
}

type Order<S, B> = Omit<NonNullable<Algebra<S, B>["levels"]["ordered"]>, keyof Ring<S>>;

function boundedOrder<C>(
  centre: Centre<C>,
  standard: Standard,
  undecidedTies: boolean,
): Order<Bounded<C>, Comparison> {
  /** How the sides lie: apart for certain, both exact and therefore equal, too close to tell, or without an order. */
  const relation = (p: Bounded<C>, q: Bounded<C>): "less" | "greater" | "tie" | "close" | "unordered" => {
    if (isCopy(p, q)) return "tie";
    const { value: distance, slack } = centre.ball(differenceOf(centre, p.centre, q.centre));
    const together = (radius(centre, standard, p) + radius(centre, standard, q)) * UPWARDS;
    if (!Number.isFinite(distance + slack + together)) return "unordered";
    if (Math.abs(distance) > (together + slack) * UPWARDS) return distance < 0 ? "less" : "greater";
    return together + slack === 0 ? "tie" : "close";
  };
  const certainties = { less: "certain", greater: "certain", close: "open", unordered: "unknown" } as const;
  return {
    less: (p, q) => {
      const found = relation(p, q);
      if (found === "tie") return { holds: false, certainty: undecidedTies ? "open" : "certain" };
      return { holds: found === "less", certainty: certainties[found] };
    },
    equal: (p, q) => {
      const found = relation(p, q);
      if (found === "tie") return { holds: true, certainty: "certain" };
      return { holds: false, certainty: certainties[found] };
    },
    select: ({ holds, certainty }, p, q) => {
      const chosen = holds ? p : q;
      if (certainty === "certain") return chosen;
      // A NaN makes engines choose in their own ways, and some to choose nothing.
      if (certainty === "unknown") return withoutBound(chosen);
      return hullOf(centre, standard, p, q);
    },
    floor: (p) => floorOf(centre, standard, p),
  };
}

/** Where the radius reaches over an integer, the result is anything that it reaches. */
function floorOf<C>(centre: Centre<C>, standard: Standard, p: Bounded<C>): Bounded<C> {
  const whole = centre.floor(p.centre);
  const { value: above, slack } = centre.ball(differenceOf(centre, p.centre, whole));
  const reach = radius(centre, standard, p);
  const isCertain = reach === 0 || Math.min(above, 1 - above) > (reach + slack) * UPWARDS;
  const error = isCertain ? 0 : 1 + Math.ceil(reach);
  const magnitude = sizeOf(centre, whole) + error;
  const grain = isCertain ? holding(standard, 1, magnitude) : 0;
  return { centre: whole, error, magnitude, terms: magnitude === 0 ? 0 : 1, grain };
}

/** Either may be what an honest engine takes: the interval that holds both, around its middle. */
function hullOf<C>(centre: Centre<C>, standard: Standard, p: Bounded<C>, q: Bounded<C>): Bounded<C> {
  if (p.terms === 0 && q.terms === 0) return p;
  const middle = centre.midpoint(p.centre, q.centre);
  const half = sizeOf(centre, differenceOf(centre, p.centre, q.centre)) / 2;
  const error =
    (half + Math.max(radius(centre, standard, p), radius(centre, standard, q)) + UNDERFLOWS) * UPWARDS;
  const magnitude = (sizeOf(centre, middle) + error) * UPWARDS;
  return { centre: middle, error, magnitude, terms: 1, grain: 0 };
}
