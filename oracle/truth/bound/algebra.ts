import {
  type BinaryName,
  type Elementary,
  elementary,
  type UnaryName,
} from "../../../spec/operators/index.ts";
import type { Additive, Algebra, Field, Ring } from "../../../spec/shapes/index.ts";
import { binaryGrowths, type Centre, differenceOf, growths, UNDERFLOWS, UPWARDS } from "../centre/index.ts";
import { forwardUlps, type Standard } from "../standard/index.ts";
import { given, holding, isExact, rounded, settle, withoutBound } from "./bounded.ts";
import type { History } from "./history.ts";
import { infiniteProduct, infiniteQuotient, infiniteSum, valueAtInfinity } from "./infinities.ts";
import { isCopy, type Noted, negatedOrigin, notedIn, type Operation } from "./noted.ts";
import { type Bounded, isKnown, radius, sizeOf } from "./radius.ts";
import { slopeOf, slopesOf, slopesOfProduct, slopesOfQuotient } from "./secants.ts";

/**
 * A comparison has an answer, which every honest engine gives for certain, or not necessarily; or nothing is
 * known, since a side has no value or no bound.
 */
export interface Comparison {
  readonly holds: boolean;
  readonly certainty: "certain" | "open" | "unknown";
}

/** The algebra of bounds depends on this besides centre and standard. */
interface Reading {
  /** It makes exact ties uncertain, for an engine that declares another convention. */
  readonly undecidedTies?: boolean;
  /** It rounds every partial sum, for an engine that adds in the program's order. */
  readonly isSequential?: boolean;
  /** Operations are noted here, so that wide bounds are sharpened. */
  readonly history?: History | undefined;
}

/**
 * Returns running error analysis as an algebra: over it, the programs that compute values compute the bounds
 * that an honest engine keeps [docs/truth.md].
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
      // An infinity has no error, so other sums pay no more than this.
      const infinity = Number.isNaN(p.error + q.error) ? infiniteSum(p, q) : undefined;
      if (infinity !== undefined) return infinity;
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
      const infinity = Number.isNaN(p.error + q.error) ? infiniteProduct(centre, standard, p, q) : undefined;
      if (infinity !== undefined) return infinity;
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
      const operation = { units: productUnits, slopes: slopesOfProduct };
      return noted.result(product, operation, p, q);
    },
    literal: (x) => given(centre, standard, x),
    negative: (p) => {
      const { error, magnitude, terms, grain } = p;
      if (p.negationOf !== undefined) return p.negationOf;
      const negated = { centre: field.negative(p.centre), error, magnitude, terms, grain, negationOf: p };
      if (Number.isNaN(error) && p.infinity !== undefined)
        return { ...negated, infinity: p.infinity < 0 ? 1 : -1 };
      return p.origin === undefined ? negated : { ...negated, ...negatedOrigin(p) };
    },
    divide: (p, q) => {
      const limit = Number.isNaN(p.error + q.error) ? infiniteQuotient(centre, standard, p, q) : undefined;
      if (limit !== undefined) return limit;
      const value = field.divide(p.centre, q.centre);
      const dq = radius(centre, standard, q);
      const divisor = centre.ball(q.centre);
      const room = (Math.abs(divisor.value) - divisor.slack) / UPWARDS - dq;
      // Exact terms divided by a power of two are exact, before and after they are added, if in range.
      const isShifted = p.grain > 0 && q.grain === Math.abs(divisor.value) && isExact(standard, p, q.grain);
      if (p.terms > 1 && !isShifted) return dividedTerms(standard, p, value, room, dq, quotientUnits);
      const propagated =
        p.error === 0 && dq === 0 ? 0 : (p.error + sizeOf(centre, value) * dq) / positive(room);
      const quotient = rounded(centre, standard, value, propagated, quotientUnits);
      if (noted === undefined) return quotient;
      const of = centre.ball(value);
      const slopes: Operation["slopes"] = (_x, _y, _xHat, yHat) => slopesOfQuotient(of, yHat);
      return noted.result(quotient, { units: quotientUnits, slopes }, p, q);
    },
  };
}

/** Divides a sum by at least `room`, off by at most `dq`; still a sum, as engines may divide first. */
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

/** Returns the rounding error of an operation in units of `u` of the result's binade: an ulp is two. */
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
      const limit = Number.isNaN(p.error) ? valueAtInfinity(centre, standard, name, p) : undefined;
      if (limit !== undefined) return limit;
      const dx = radius(centre, standard, p);
      const reach = (dx + centre.slack(p.centre)) * UPWARDS;
      const propagated = dx === 0 ? 0 : growths[name](centre.approximate(p.centre), dx, reach) * UPWARDS;
      const value = rounded(centre, standard, real[name](p.centre), propagated, units);
      const slopes: Operation["slopes"] = (_x, _y, xHat) => [slopeOf(name, xHat), xHat];
      return noted?.result(value, { units, name, slopes }, p) ?? value;
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
      return noted?.result(result, { units, name, slopes }, p, q) ?? result;
    };
  return elementary(unary, binary);
}

/** Two sides are apart for certain, exact and equal, too close to tell, or have no order. */
type Relation = "less" | "greater" | "tie" | "close" | "unordered";

/** Returns how an infinity compares with a finite number or another infinity. */
function relationOfInfinities(p: Bounded<unknown>, q: Bounded<unknown>): Relation {
  if (!isKnown(p) || !isKnown(q)) return "unordered";
  const [a, b] = [p.infinity ?? 0, q.infinity ?? 0];
  return a === b ? "tie" : a < b ? "less" : "greater";
}

type Order<S, B> = Omit<NonNullable<Algebra<S, B>["levels"]["ordered"]>, keyof Ring<S>>;

function boundedOrder<C>(
  centre: Centre<C>,
  standard: Standard,
  undecidedTies: boolean,
): Order<Bounded<C>, Comparison> {
  const relation = (p: Bounded<C>, q: Bounded<C>): Relation => {
    if (isCopy(p, q)) return "tie";
    const isInfinite = Number.isNaN(p.error + q.error) && (p.infinity ?? q.infinity) !== undefined;
    if (isInfinite) return relationOfInfinities(p, q);
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
      if (p === q && certainty !== "unknown") return chosen;
      if (certainty === "certain") return chosen;
      // At a NaN engines choose in different ways, and some choose nothing.
      if (certainty === "unknown") return withoutBound(chosen);
      return hullOf(centre, standard, p, q);
    },
    floor: (p) => floorOf(centre, standard, p),
  };
}

/** Returns the floor; where the radius reaches over an integer, any that it reaches. */
function floorOf<C>(centre: Centre<C>, standard: Standard, p: Bounded<C>): Bounded<C> {
  if (p.infinity !== undefined) return p;
  const whole = centre.floor(p.centre);
  const { value: above, slack } = centre.ball(differenceOf(centre, p.centre, whole));
  const reach = radius(centre, standard, p);
  const isCertain = reach === 0 || Math.min(above, 1 - above) > (reach + slack) * UPWARDS;
  const error = isCertain ? 0 : 1 + Math.ceil(reach);
  const magnitude = sizeOf(centre, whole) + error;
  const grain = isCertain ? holding(standard, 1, magnitude) : 0;
  return { centre: whole, error, magnitude, terms: magnitude === 0 ? 0 : 1, grain };
}

/** Returns the interval around both: an honest engine may take either. */
function hullOf<C>(centre: Centre<C>, standard: Standard, p: Bounded<C>, q: Bounded<C>): Bounded<C> {
  const areEqual = p.infinity !== undefined && p.infinity === q.infinity;
  if (areEqual || (p.terms === 0 && q.terms === 0)) return p;
  const middle = centre.midpoint(p.centre, q.centre);
  const half = sizeOf(centre, differenceOf(centre, p.centre, q.centre)) / 2;
  const error =
    (half + Math.max(radius(centre, standard, p), radius(centre, standard, q)) + UNDERFLOWS) * UPWARDS;
  const magnitude = (sizeOf(centre, middle) + error) * UPWARDS;
  return { centre: middle, error, magnitude, terms: 1, grain: 0 };
}
