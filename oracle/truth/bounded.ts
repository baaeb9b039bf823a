import type { Additive, Algebra, Field, OrderedField, OrderedReal, Real } from "../../spec/index.ts";
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
  const { real, orderedField, orderedReal } = centre.algebra.levels;
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
      orderedReal: orderedReal && boundedOrderedReal(centre, profile, orderedReal, undecidedTies),
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

type Elementary = Exclude<keyof Real<unknown>, keyof Field<unknown> | "atan2" | "hypot">;
type ElementaryOfTwo = "atan2" | "hypot" | "pow";

/**
 * The error of the float centre's elementary functions, in units in the last place. V8's are ports of fdlibm, which
 * promises 1; the largest error against MPFR at 180,000 points each is that of `hypot`, 1.95. Our own `erf` makes at most 12
 * relative errors of `u` (five in its series at 1, and seven in the factors), which are 6 units.
 */
const CENTRE_ULPS = 2;
const centreUlps: Partial<Record<Elementary | ElementaryOfTwo, number>> = { erf: 6 };

/**
 * How far a function may move when its argument `x` does by `dx`: at least `|f(x ± dx) − f(x)|`, where
 * `y = |f(x)|`; NaN where the argument may leave the domain. `room` is how far the argument is from a pole at the least.
 */
const growths: { readonly [F in Elementary]: (x: number, dx: number, y: number) => number } = {
  exp: (_x, dx, y) => y * Math.expm1(dx),
  log: (x, dx) => (x > dx ? dx / (x - dx) : Number.NaN),
  sin: (_x, dx) => Math.min(dx, 2),
  cos: (_x, dx) => Math.min(dx, 2),
  tanh: (x, dx) => dx / Math.cosh(Math.max(0, Math.abs(x) - dx)) ** 2,
  sqrt: (x, dx, y) => (x > dx ? dx / (y + Math.sqrt(x - dx)) : Number.NaN),
  expm1: (x, dx) => Math.exp(x) * Math.expm1(dx),
  log1p: (x, dx) => dx / positive((1 + x) / UPWARDS - dx),
  log2: (x, dx) => (x > dx ? (dx / (x - dx)) * Math.LOG2E : Number.NaN),
  // tan(x + d) − tan x = tan d (1 + tan² x) / (1 − tan x tan d), as long as no pole is reached.
  tan: (_x, dx, y) => {
    const t = dx < 1 ? Math.tan(dx) : Number.NaN;
    return (t * (1 + y * y)) / positive(1 / UPWARDS - y * t);
  },
  asin: inverseSineGrowth,
  acos: inverseSineGrowth,
  atan: (x, dx) => dx / (1 + Math.max(0, Math.abs(x) - dx) ** 2),
  // sinh(x + d) − sinh x = cosh x sinh d + sinh x (cosh d − 1), and cosh d − 1 = 2 sinh² (d/2); likewise cosh.
  sinh: (x, dx, y) => Math.cosh(x) * Math.sinh(dx) + y * 2 * Math.sinh(dx / 2) ** 2,
  cosh: (x, dx, y) => Math.sinh(Math.abs(x)) * Math.sinh(dx) + y * 2 * Math.sinh(dx / 2) ** 2,
  asinh: (x, dx) => dx / Math.hypot(1, Math.max(0, Math.abs(x) - dx)),
  acosh: (x, dx) => {
    const room = positive((x - 1) / UPWARDS - dx);
    return dx / (Math.sqrt(room) * Math.sqrt(room + 2));
  },
  atanh: (x, dx) => dx / (positive((1 - Math.abs(x)) / UPWARDS - dx) * (1 + Math.abs(x))),
  // Beyond 4 the slope there serves: the square of a larger number would be too far off.
  erf: (x, dx) =>
    dx * (2 / Math.sqrt(Math.PI)) * Math.exp(-(Math.min(4, Math.max(0, Math.abs(x) - dx)) ** 2)),
};

/** `room` if there is some. */
function positive(room: number): number {
  return room > 0 ? room : Number.NaN;
}

/** The slope `1/√((1 − a)(1 + a))` of arc sine and arc cosine at the far end `a` of the interval, or more. */
function inverseSineGrowth(x: number, dx: number): number {
  return dx / Math.sqrt(positive((1 - Math.abs(x)) / UPWARDS - dx) * (1 + Math.abs(x)));
}

/** The same for functions of two arguments that move by `dx` and `dy`; `z = |f(x, y)|`. */
const growthsOfTwo: {
  readonly [F in ElementaryOfTwo]: (x: number, dx: number, y: number, dy: number, z: number) => number;
} = {
  // The angle that a disc of radius ρ covers; none is known where it may reach the cut, or where a zero's sign decides.
  atan2: (y, dy, x, dx) => {
    if (x <= dx && Math.abs(y) <= dy) return Number.NaN;
    const sine = (Math.hypot(dx, dy) / Math.hypot(x, y)) * UPWARDS;
    return sine < 1 ? Math.asin(sine) : 2 * Math.PI;
  },
  hypot: (_x, dx, _y, dy) => Math.hypot(dx, dy),
  pow: powerGrowth,
};

/**
 * `|x′^y′ − x^y| ≤ |x^y| (e^δ − 1)`, where `δ` is how far `y ln |x|` moves. A negative base has a power only for a fixed
 * integer; for a base that may be zero, a fixed positive one gives at most `(|x| + dx)^y`, on either side.
 */
function powerGrowth(x: number, dx: number, y: number, dy: number, z: number): number {
  if (dx === 0 && dy === 0) return 0;
  const isFixedInteger = dy === 0 && Number.isInteger(y);
  const size = Math.abs(x);
  if (size > dx && (x > 0 || isFixedInteger)) {
    const stretch = -Math.log1p(-dx / size);
    const turn = dy === 0 ? 0 : dy * (Math.abs(Math.log(size)) + stretch);
    return z * Math.expm1((Math.abs(y) * stretch + turn) * UPWARDS);
  }
  return isFixedInteger && y >= 0 ? (size + dx) ** y * UPWARDS + z : Number.NaN;
}

function boundedReal<C, B>(centre: Centre<C, B>, profile: Profile, real: Real<C>): Real<Bounded<C>> {
  const elementary =
    (name: Elementary) =>
    (p: Bounded<C>): Bounded<C> => {
      const value = real[name](p.centre);
      const dx = radius(profile, p);
      const y = Math.abs(centre.approximate(value));
      const propagated = dx === 0 ? 0 : growths[name](centre.approximate(p.centre), dx, y) * UPWARDS;
      return evaluated(centre, profile, name, value, propagated);
    };
  return {
    ...boundedField(centre, profile, real),
    exp: elementary("exp"),
    log: elementary("log"),
    sin: elementary("sin"),
    cos: elementary("cos"),
    tanh: elementary("tanh"),
    sqrt: elementary("sqrt"),
    expm1: elementary("expm1"),
    log1p: elementary("log1p"),
    log2: elementary("log2"),
    tan: elementary("tan"),
    asin: elementary("asin"),
    acos: elementary("acos"),
    atan: elementary("atan"),
    sinh: elementary("sinh"),
    cosh: elementary("cosh"),
    asinh: elementary("asinh"),
    acosh: elementary("acosh"),
    atanh: elementary("atanh"),
    erf: elementary("erf"),
    atan2: ofTwo(centre, profile, "atan2", real.atan2),
    hypot: ofTwo(centre, profile, "hypot", real.hypot),
  };
}

function boundedOrderedReal<C, B>(
  centre: Centre<C, B>,
  profile: Profile,
  real: OrderedReal<C, B>,
  undecidedTies: boolean,
): OrderedReal<Bounded<C>, Comparison> {
  return {
    ...boundedOrdered(centre, profile, real, undecidedTies),
    ...boundedReal(centre, profile, real),
    pow: ofTwo(centre, profile, "pow", real.pow),
  };
}

function ofTwo<C, B>(
  centre: Centre<C, B>,
  profile: Profile,
  name: ElementaryOfTwo,
  f: (x: C, y: C) => C,
): (p: Bounded<C>, q: Bounded<C>) => Bounded<C> {
  return (p, q) => {
    const value = f(p.centre, q.centre);
    const [x, y] = [centre.approximate(p.centre), centre.approximate(q.centre)];
    const size = Math.abs(centre.approximate(value));
    const moved = growthsOfTwo[name](x, radius(profile, p), y, radius(profile, q), size) * UPWARDS;
    return evaluated(centre, profile, name, value, moved);
  };
}

/** A value of an elementary function, as accurate as the profile says on one side, and the centre on the other. */
function evaluated<C, B>(
  centre: Centre<C, B>,
  profile: Profile,
  name: Elementary | ElementaryOfTwo,
  value: C,
  propagated: number,
): Bounded<C> {
  const own = centreUlps[name] ?? CENTRE_ULPS;
  return rounded(centre, profile, value, propagated, 2 * forwardUlps(profile, name), 2 * own);
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
