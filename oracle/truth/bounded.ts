import type { Additive, Algebra, Field, OrderedField, Real } from "../../spec/index.ts";
import { type Centre, UPWARDS } from "./centre.ts";
import { forwardUlps, type Profile } from "./profile.ts";

/**
 * A value with a bound around it: every engine that keeps to the profile computes a number within
 * {@link radius} of `centre`. `error` and `magnitude`, `terms` are kept apart so that a sum may be taken in any
 * order: it is `terms` numbers of total size `magnitude`, known up to `error`, whose additions are still to be
 * rounded. A radius that is not finite means that nothing is known.
 */
export interface Bounded<C> {
  readonly centre: C;
  readonly error: number;
  readonly magnitude: number;
  readonly terms: number;
}

/**
 * A comparison: what the centre says, and whether every honest engine says the same: for certain, not
 * necessarily, or nothing is known because a side has no value or no bound.
 */
export interface Comparison {
  readonly holds: boolean;
  readonly certainty: "certain" | "open" | "unknown";
}

/**
 * The bound on |engine − centre|: the error of the terms and `γ_{n−1} = (n−1)u / (1 − (n−1)u)` of their total
 * size for adding them in any order (Higham, "Accuracy and Stability of Numerical Algorithms", §4.2).
 */
export function radius<C>(profile: Profile, { error, magnitude, terms }: Bounded<C>): number {
  if (terms < 2) return error;
  const nu = (terms - 1) * profile.unitRoundoff;
  const flushed = profile.flushesSubnormals ? (terms - 1) * profile.underflow : 0;
  return (error + (nu / (1 - nu)) * magnitude + flushed) * UPWARDS;
}

/** The bounded value of a number given to the engine, which it may have to round to its precision first. */
export function given<C, B>(centre: Centre<C, B>, profile: Profile, x: number): Bounded<C> {
  const rounded = profile.dtype === "float32" ? Math.fround(x) : x;
  const flushed = profile.flushesSubnormals && Math.abs(rounded) < profile.underflow ? Math.abs(x) : 0;
  const error = Math.abs(rounded - x) + flushed;
  return { centre: centre.fromNumber(x), error, magnitude: Math.abs(x) + error, terms: x === 0 ? 0 : 1 };
}

/** `x` as one rounded number: its pending additions are done. */
export function settle<C, B>(centre: Centre<C, B>, profile: Profile, x: Bounded<C>): Bounded<C> {
  if (x.terms < 2) return x;
  const error = radius(profile, x);
  return {
    centre: x.centre,
    error,
    magnitude: (Math.abs(centre.approximate(x.centre)) + error) * UPWARDS,
    terms: 1,
  };
}

/** `x` with a relative error of `ulps` units in the last place more, on every term. */
export function loosened<C>(profile: Profile, x: Bounded<C>, ulps: number): Bounded<C> {
  if (ulps === 0) return x;
  const extra = 2 * ulps * profile.unitRoundoff * x.magnitude;
  return { ...x, error: (x.error + extra) * UPWARDS, magnitude: (x.magnitude + extra) * UPWARDS };
}

/**
 * Running error analysis as an algebra: the same programs that compute values compute, over it, the bound an
 * honest engine stays within [docs/truth.md]. `undecidedTies` makes exact ties uncertain, for an engine that
 * declares another convention. It offers what the centre's algebra offers.
 */
export function bounded<C, B>(
  centre: Centre<C, B>,
  profile: Profile,
  undecidedTies: boolean,
): Algebra<Bounded<C>, Comparison> {
  const { real, orderedField } = centre.algebra.levels;
  const additive = boundedAdditive(centre, profile);
  const comparing = orderedField && boundedOrdered(centre, profile, orderedField, undecidedTies);
  const elementary = real && boundedReal(centre, profile, real);
  const operations = elementary ?? comparing;
  return {
    name: `bounded(${centre.algebra.name}, ${profile.dtype})`,
    additive,
    levels: {
      additive,
      semiring: operations,
      ring: operations,
      field: operations,
      real: elementary,
      ordered: comparing,
      orderedField: comparing,
      orderedReal: comparing && elementary && { ...comparing, ...elementary },
    },
    isSame: (a, b) => centre.algebra.isSame(a.centre, b.centre) && radius(profile, a) === radius(profile, b),
    format: (x) => `${centre.algebra.format(x.centre)}±${radius(profile, x)}`,
    parse: (text) => {
      const x = centre.algebra.parse(text);
      return x === undefined ? undefined : exactly(centre, x);
    },
  };
}

/** An element of the centre as what every engine holds exactly. */
function exactly<C, B>(centre: Centre<C, B>, x: C): Bounded<C> {
  const size = Math.abs(centre.approximate(x));
  return { centre: x, error: 0, magnitude: size * UPWARDS, terms: size === 0 ? 0 : 1 };
}

/** The error of the float centre's elementary functions: V8's fdlibm ports promise 1 ulp; 2 are allowed. */
const CENTRE_ULPS = 2;

function boundedAdditive<C, B>(centre: Centre<C, B>, profile: Profile): Additive<Bounded<C>> {
  const { additive } = centre.algebra;
  return {
    zero: { centre: additive.zero, error: 0, magnitude: 0, terms: 0 },
    add: (p, q) => {
      if (q.terms === 0) return p;
      if (p.terms === 0) return q;
      const sum = additive.add(p.centre, q.centre);
      const magnitude = (p.magnitude + q.magnitude) * UPWARDS;
      const own = centre.unitRoundoff * Math.abs(centre.approximate(sum));
      const error = magnitude > profile.largest ? Number.NaN : (p.error + q.error + own) * UPWARDS;
      return { centre: sum, error, magnitude, terms: p.terms + q.terms };
    },
    detach: (x) => x,
  };
}

/**
 * The result of one operation: the error its operands pass on, then a rounding of `units` times `u` by the
 * engine, and of `own` times its own by the centre. Without a bound where the engine may overflow.
 */
function rounded<C, B>(
  centre: Centre<C, B>,
  profile: Profile,
  value: C,
  propagated: number,
  units: number,
  own: number,
): Bounded<C> {
  const size = Math.abs(centre.approximate(value)) * UPWARDS;
  const rounding = units * profile.unitRoundoff * (size + propagated) + profile.underflow;
  const ownRounding = own * centre.unitRoundoff * size + centre.underflow;
  const error = (propagated + rounding + ownRounding) * UPWARDS;
  const magnitude = (size + error) * UPWARDS;
  return { centre: value, error: magnitude <= profile.largest ? error : Number.NaN, magnitude, terms: 1 };
}

function boundedField<C, B>(centre: Centre<C, B>, profile: Profile, field: Field<C>): Field<Bounded<C>> {
  const additive = boundedAdditive(centre, profile);
  const size = (x: Bounded<C>): number => Math.abs(centre.approximate(x.centre)) * UPWARDS;
  return {
    ...additive,
    one: { centre: field.one, error: 0, magnitude: 1, terms: 1 },
    multiply: (p, q) => {
      const value = field.multiply(p.centre, q.centre);
      const [dp, dq] = [radius(profile, p), radius(profile, q)];
      // A literal zero times anything finite is zero, in every precision; times anything else, NaN.
      if (p.terms === 0 || q.terms === 0) {
        const isZero = Number.isFinite(dp + dq);
        return { centre: value, error: isZero ? 0 : Number.NaN, magnitude: 0, terms: isZero ? 0 : 1 };
      }
      const propagated = dp === 0 && dq === 0 ? 0 : size(p) * dq + size(q) * dp + dp * dq;
      return rounded(centre, profile, value, propagated, 1, 1);
    },
    literal: (x) => given(centre, profile, x),
    negative: (p) => ({ ...p, centre: field.negative(p.centre) }),
    divide: (p, q) => {
      const value = field.divide(p.centre, q.centre);
      const [dp, dq] = [radius(profile, p), radius(profile, q)];
      const room = size(q) / (UPWARDS * UPWARDS) - dq;
      const quotient = Math.abs(centre.approximate(value)) * UPWARDS;
      const propagated = dp === 0 && dq === 0 ? 0 : room > 0 ? (dp + quotient * dq) / room : Number.NaN;
      return rounded(centre, profile, value, propagated, 1, 1);
    },
  };
}

type Elementary = "exp" | "log" | "sin" | "cos" | "tanh" | "sqrt";

/**
 * How far a function may move when its argument `x` does by `dx`: at least `|f(x ± dx) − f(x)|`, where
 * `y = f(x)`; NaN where the argument may leave the domain.
 */
const growths: { readonly [F in Elementary]: (x: number, dx: number, y: number) => number } = {
  exp: (_x, dx, y) => y * Math.expm1(dx),
  log: (x, dx) => (x > dx ? dx / (x - dx) : Number.NaN),
  sin: (_x, dx) => Math.min(dx, 2),
  cos: (_x, dx) => Math.min(dx, 2),
  tanh: (x, dx) => dx / Math.cosh(Math.max(0, Math.abs(x) - dx)) ** 2,
  sqrt: (x, dx, y) => (x > dx ? dx / (y + Math.sqrt(x - dx)) : Number.NaN),
};

function boundedReal<C, B>(centre: Centre<C, B>, profile: Profile, real: Real<C>): Real<Bounded<C>> {
  const elementary =
    (name: Elementary) =>
    (p: Bounded<C>): Bounded<C> => {
      const value = real[name](p.centre);
      const dx = radius(profile, p);
      const y = Math.abs(centre.approximate(value));
      const propagated = dx === 0 ? 0 : growths[name](centre.approximate(p.centre), dx, y) * UPWARDS;
      return rounded(centre, profile, value, propagated, 2 * forwardUlps(profile, name), 2 * CENTRE_ULPS);
    };
  return {
    ...boundedField(centre, profile, real),
    exp: elementary("exp"),
    log: elementary("log"),
    sin: elementary("sin"),
    cos: elementary("cos"),
    tanh: elementary("tanh"),
    sqrt: elementary("sqrt"),
  };
}

function boundedOrdered<C, B>(
  centre: Centre<C, B>,
  profile: Profile,
  ordered: OrderedField<C, B>,
  undecidedTies: boolean,
): OrderedField<Bounded<C>, Comparison> {
  const gap = (p: Bounded<C>, q: Bounded<C>): number => Math.abs(centre.difference(p.centre, q.centre));
  /** Apart for certain, both exact and therefore equal, too close to tell, or without an order. */
  const relation = (p: Bounded<C>, q: Bounded<C>): "apart" | "tie" | "close" | "unordered" => {
    const distance = gap(p, q);
    const together = (radius(profile, p) + radius(profile, q)) * UPWARDS * UPWARDS;
    if (!Number.isFinite(distance + together)) return "unordered";
    return distance > together ? "apart" : together === 0 ? "tie" : "close";
  };
  const certainties = { apart: "certain", close: "open", unordered: "unknown" } as const;
  const certainty = (p: Bounded<C>, q: Bounded<C>, tie: "certain" | "open"): Comparison["certainty"] => {
    const found = relation(p, q);
    return found === "tie" ? tie : certainties[found];
  };
  return {
    ...boundedField(centre, profile, ordered),
    floor: (p) => boundedFloor(centre, profile, p, ordered.floor(p.centre)),
    less: (p, q) => ({
      holds: centre.isTrue(ordered.less(p.centre, q.centre)),
      certainty: certainty(p, q, undecidedTies ? "open" : "certain"),
    }),
    equal: (p, q) => ({
      holds: centre.isTrue(ordered.equal(p.centre, q.centre)),
      certainty: certainty(p, q, "certain"),
    }),
    select: ({ holds, certainty: known }, p, q) => {
      const chosen = holds ? p : q;
      if (known === "certain") return chosen;
      // A NaN makes engines choose in their own ways, and some to choose nothing.
      if (known === "unknown") return { ...chosen, error: Number.NaN, terms: 1 };
      return hullOf(centre, profile, p, q);
    },
  };
}

/** `whole` is the floor of the centre; where the radius reaches over an integer, all that it reaches. */
function boundedFloor<C, B>(centre: Centre<C, B>, profile: Profile, p: Bounded<C>, whole: C): Bounded<C> {
  const reach = radius(profile, p) * UPWARDS * UPWARDS;
  const fraction = centre.difference(p.centre, whole);
  const size = Math.abs(centre.approximate(whole));
  const isCertain = reach === 0 || (fraction > reach && 1 - fraction > reach);
  const error = isCertain ? 0 : 1 + Math.ceil(reach);
  return { centre: whole, error, magnitude: size + error, terms: size + error === 0 ? 0 : 1 };
}

/** Either may be what an honest engine takes: the interval that holds both, around its middle. */
function hullOf<C, B>(centre: Centre<C, B>, profile: Profile, p: Bounded<C>, q: Bounded<C>): Bounded<C> {
  const middle = centre.midpoint(p.centre, q.centre);
  const size = Math.abs(centre.approximate(middle));
  const half = Math.abs(centre.difference(p.centre, q.centre)) / 2 + 2 * centre.unitRoundoff * size;
  const error = (half + Math.max(radius(profile, p), radius(profile, q))) * UPWARDS;
  const magnitude = (size + error) * UPWARDS;
  return { centre: middle, error, magnitude, terms: magnitude === 0 ? 0 : 1 };
}
