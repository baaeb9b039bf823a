import { type Rational, rational, rationalFromNumber, rationalOf, step } from "../../../reference/index.ts";
import type { BinaryName, Elementary, UnaryName } from "../../../spec/operators/index.ts";
import { type Field, InvariantError } from "../../../spec/shapes/index.ts";
import { type Ball, balls, driftOfBall, floorOfBall, UNDERFLOWS, UPWARDS } from "./ball.ts";

/** A bound is drawn around a centre, whose elements enclose true values. */
export interface Centre<C> {
  readonly name: string;
  readonly field: Field<C>;
  readonly real: Elementary<C> | undefined;
  /** Returns an element that encloses the floor of the true value. */
  floor(c: C): C;
  /** Returns what lies half way between `a` and `b`. */
  midpoint(a: C, b: C): C;
  /** Returns a float next to the true value; NaN where `c` has none. */
  approximate(c: C): number;
  /** Returns how far the truth is at most from {@link approximate}; not finite where nothing is known. */
  slack(c: C): number;
  /** Returns {@link approximate} and {@link slack} at once. */
  ball(c: C): Ball;
  /** Returns the error in `c` of the operation that made it: of arithmetic, or of the function named. */
  drift(c: C, name?: UnaryName | BinaryName): number;
  /** Returns `c`, of which it is found that the truth is at most so far away. */
  closer(c: C, slack: number): C;
  /** Returns an element with a ball that is known already; the rest is computed when it is asked for. */
  late?(ball: Ball, compute: () => C): C;
}

/** Returns `a − b`. */
export function differenceOf<C>({ field }: Centre<C>, a: C, b: C): C {
  return field.add(a, field.negative(b));
}

/**
 * A rational number of which the ball is known, and which is computed when its digits are asked for. They are
 * no properties of its own: `{ ...q }` has neither.
 */
class LateRational implements Rational {
  readonly ball: Ball;
  readonly #compute: () => Rational;
  #known: Rational | undefined;

  constructor(ball: Ball, compute: () => Rational) {
    this.ball = ball;
    this.#compute = compute;
  }

  get #exact(): Rational {
    this.#known ??= this.#compute();
    return this.#known;
  }

  get numerator(): bigint {
    return this.#exact.numerator;
  }

  get denominator(): bigint {
    return this.#exact.denominator;
  }
}

/** Tells whether a rational number has a value, without its digits. */
export function hasValue(q: Rational): boolean {
  return q instanceof LateRational || q.denominator !== 0n;
}

/** Returns a float next to `q`, with a relative error below 2⁻⁵¹. */
export function approximateRational(q: Rational): number {
  if (q instanceof LateRational) return q.ball.value;
  const { numerator, denominator } = q;
  const direct = Number(numerator) / Number(denominator);
  if (Number.isFinite(direct) && Math.abs(direct) > 2 ** -1000) return direct;
  if (numerator === 0n) return denominator === 0n ? Number.NaN : 0;
  // Number() overflows here: keep 64 leading bits of each, and scale the quotient.
  const lead = (x: bigint): { top: number; shift: number } => {
    const shift = Math.max(0, (x < 0n ? -x : x).toString(2).length - 64);
    return { top: Number(x >> BigInt(shift)), shift };
  };
  const [top, bottom] = [lead(numerator), lead(denominator)];
  return (top.top / bottom.top) * 2 ** (top.shift - bottom.shift);
}

/** Returns how far the float next to `q` may be from it. */
function slackOfRational(q: Rational, near: number): number {
  if (q instanceof LateRational) return q.ball.slack;
  return isFloat(q, near) ? 0 : Math.abs(near) * 2 ** -50 + UNDERFLOWS;
}

/** Tells whether `q` is the float next to it. Cost: that of reading the digits, unless it is subnormal. */
function isFloat(q: Rational, near: number): boolean {
  if (!Number.isFinite(near)) return false;
  if (q.denominator === 1n) return Number.isSafeInteger(near) || BigInt(near) === q.numerator;
  // In lowest terms a float's denominator is a power of two, and its odd numerator has at most 53 digits.
  if (!Number.isSafeInteger(Number(q.numerator))) return false;
  if ((q.denominator & (q.denominator - 1n)) !== 0n) return false;
  return Math.abs(near) > 2 ** -1000 || rational.isSame(rationalFromNumber(near), q);
}

const { field: rationals, ordered: orderedRationals } = rational.levels;
if (rationals === undefined || orderedRationals === undefined) {
  throw new InvariantError("the rational numbers are an ordered field");
}
const half = rationalOf(1n, 2n);

/** Operations on rational numbers are slow enough that each is a step of the clock. */
const pacedRationals: Field<Rational> = {
  ...rationals,
  add: (x, y) => {
    step();
    return rationals.add(x, y);
  },
  multiply: (x, y) => {
    step();
    return rationals.multiply(x, y);
  },
};

/** Rational numbers enclose what graphs of field operations compute exactly. */
export const exactCentre: Centre<Rational> = {
  name: rational.name,
  field: pacedRationals,
  real: undefined,
  floor: orderedRationals.floor,
  midpoint: (a, b) => rationals.multiply(rationals.add(a, b), half),
  approximate: approximateRational,
  slack: (q) => slackOfRational(q, approximateRational(q)),
  ball: (q) => {
    const value = approximateRational(q);
    return { value, slack: slackOfRational(q, value) };
  },
  drift: () => 0,
  closer: (q) => q,
  late: (ball, compute) => new LateRational(ball, compute),
};

/** Float64 balls are fast, and as far from the truth as the reference's own roundings take them. */
export const floatCentre: Centre<Ball> = {
  name: "float64",
  field: balls,
  real: balls,
  floor: floorOfBall,
  midpoint: (a, b) => {
    const value = a.value / 2 + b.value / 2;
    return {
      value,
      slack: (a.slack / 2 + b.slack / 2 + Math.abs(value) * 2 ** -53 + UNDERFLOWS) * UPWARDS,
    };
  },
  approximate: ({ value }) => value,
  slack: ({ slack }) => slack,
  ball: (ball) => ball,
  drift: ({ value }, name) => driftOfBall(value, name),
  closer: ({ value, slack }, found) => ({ value, slack: Math.min(slack, found) }),
};
