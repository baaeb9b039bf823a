import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type Field, present, type Real, type Ring } from "../../spec/index.ts";
import { type Dual, dual } from "./dual.ts";
import { float64 } from "./float.ts";
import { integer } from "./integer.ts";
import { type Rational, rational } from "./rational.ts";
import { duals, rationals } from "./scalars.test.kit.ts";

/** Seeds x twice, as x + ε₁ + ε₂: a function of it has the first and the second derivative there. */
const seededTwice = <S>(a: Ring<S>, x: S): Dual<Dual<S>> => ({
  x: { x, xDot: a.one },
  xDot: { x: a.one, xDot: a.zero },
});

/** Returns c₀ + x (c₁ + x (c₂ + …)). */
function horner<S>(a: Ring<S>, coefficients: readonly S[], x: S): S {
  return coefficients.reduceRight((total, c) => a.add(c, a.multiply(x, total)), a.zero);
}

describe("over dual numbers of dual numbers a polynomial has its first and second derivative", () => {
  const integers = present(integer.levels.ring, "a ring");
  const dualIntegers = present(dual(dual(integer)).levels.ring, "a ring");

  /** The coefficients of the derivative, by the rule of every textbook. */
  const derived = (coefficients: readonly bigint[]): bigint[] =>
    coefficients.slice(1).map((c, index) => c * BigInt(index + 1));

  function counterexample(a: Ring<Dual<Dual<bigint>>>): unknown {
    const numbers = fc.bigInt({ min: -50n, max: 50n });
    const law = fc.property(fc.array(numbers, { maxLength: 7 }), numbers, (coefficients, x) => {
      const constants = coefficients.map((c) => ({ x: { x: c, xDot: 0n }, xDot: { x: 0n, xDot: 0n } }));
      const { x: p, xDot: pDot } = horner(a, constants, seededTwice(integers, x));
      const first = derived(coefficients);
      const expected = [coefficients, first, first, derived(first)].map((c) => horner(integers, c, x));
      return [p.x, p.xDot, pDot.x, pDot.xDot].every((part, i) => part === expected[i]);
    });
    return fc.check(law, { seed: 9, numRuns: 300 }).counterexample;
  }

  test("to equality", () => {
    expect(counterexample(dualIntegers)).toBeNull();
  });

  test("x³ has 3x² and 6x", () => {
    const { multiply } = dualIntegers;
    const x = seededTwice(integers, 5n);
    expect(multiply(x, multiply(x, x))).toEqual({ x: { x: 125n, xDot: 75n }, xDot: { x: 75n, xDot: 30n } });
  });

  test("but not if the product rule forgets a term", () => {
    const inner = dual(integer);
    const a = present(inner.levels.ring, "a ring");
    const multiply = (p: Dual<Dual<bigint>>, q: Dual<Dual<bigint>>): Dual<Dual<bigint>> => ({
      x: a.multiply(p.x, q.x),
      xDot: a.multiply(p.x, q.xDot),
    });
    expect(counterexample({ ...dualIntegers, multiply })).not.toBeNull();
  });
});

describe("the tangent of a quotient is what its difference quotient tends to", () => {
  const q = present(rational.levels.field, "a field");
  const minus = (x: Rational, y: Rational): Rational => q.add(x, q.negative(y));

  /** If D is the difference quotient of x/y over a step h, D · (y + h ẏ) is the tangent times y. */
  function counterexample({ divide }: Pick<Field<Dual<Rational>>, "divide">): unknown {
    const numbers = duals(rationals);
    const law = fc.property(numbers, numbers, rationals, (x, y, h) => {
      const moved = (p: Dual<Rational>): Rational => q.add(p.x, q.multiply(h, p.xDot));
      fc.pre(y.x.numerator !== 0n && h.numerator !== 0n && moved(y).numerator !== 0n);
      const quotient = q.divide(minus(q.divide(moved(x), moved(y)), q.divide(x.x, y.x)), h);
      return rational.isSame(q.multiply(quotient, moved(y)), q.multiply(divide(x, y).xDot, y.x));
    });
    return fc.check(law, { seed: 9, numRuns: 300 }).counterexample;
  }

  const field = present(dual(rational).levels.field, "a field");

  test("exactly", () => {
    expect(counterexample(field)).toBeNull();
  });

  test("but not if the divisor's tangent is added instead of subtracted", () => {
    const divide: typeof field.divide = (x, y) => field.divide(x, { x: y.x, xDot: q.negative(y.xDot) });
    expect(counterexample({ divide })).not.toBeNull();
  });
});

/** An elementary function's first two derivatives, and a bound of the third on an interval, else [½, 2]. */
interface Derivatives {
  readonly on?: readonly [number, number];
  first(x: number): number;
  second(x: number): number;
  readonly third: number;
}

const { cos, cosh, exp, hypot, LN2, log, PI, sin, sinh, sqrt, tan, tanh } = Math;

const derivatives: {
  readonly [F in Exclude<keyof Real<number>, keyof Field<number> | "atan2" | "hypot">]: Derivatives;
} = {
  exp: { first: exp, second: exp, third: exp(2) },
  log: { first: (x) => 1 / x, second: (x) => -1 / (x * x), third: 16 },
  sin: { first: cos, second: (x) => -sin(x), third: 1 },
  cos: { first: (x) => -sin(x), second: (x) => -cos(x), third: 1 },
  tanh: { first: (x) => cosh(x) ** -2, second: (x) => -2 * tanh(x) * cosh(x) ** -2, third: 2 },
  sqrt: { first: (x) => 0.5 / sqrt(x), second: (x) => -0.25 / (x * sqrt(x)), third: 2.2 },
  expm1: { first: exp, second: exp, third: exp(2) },
  log1p: { first: (x) => 1 / (1 + x), second: (x) => -1 / (1 + x) ** 2, third: 1 },
  log2: { first: (x) => 1 / (x * LN2), second: (x) => -1 / (x * x * LN2), third: 24 },
  tan: {
    on: [0.25, 1],
    first: (x) => cos(x) ** -2,
    second: (x) => (2 * tan(x)) / cos(x) ** 2,
    third: 57,
  },
  asin: {
    on: [0.25, 0.75],
    first: (x) => (1 - x * x) ** -0.5,
    second: (x) => x * (1 - x * x) ** -1.5,
    third: 17,
  },
  acos: {
    on: [0.25, 0.75],
    first: (x) => -((1 - x * x) ** -0.5),
    second: (x) => -x * (1 - x * x) ** -1.5,
    third: 17,
  },
  atan: { first: (x) => 1 / (1 + x * x), second: (x) => (-2 * x) / (1 + x * x) ** 2, third: 2 },
  sinh: { first: cosh, second: sinh, third: cosh(2) },
  cosh: { first: sinh, second: cosh, third: sinh(2) },
  asinh: { first: (x) => (1 + x * x) ** -0.5, second: (x) => -x * (1 + x * x) ** -1.5, third: 1 },
  acosh: {
    on: [1.5, 3],
    first: (x) => (x * x - 1) ** -0.5,
    second: (x) => -x * (x * x - 1) ** -1.5,
    third: 3.2,
  },
  atanh: {
    on: [0.25, 0.75],
    first: (x) => 1 / (1 - x * x),
    second: (x) => (2 * x) / (1 - x * x) ** 2,
    third: 65,
  },
  erf: {
    first: (x) => (2 / sqrt(PI)) * exp(-x * x),
    second: (x) => (-4 / sqrt(PI)) * x * exp(-x * x),
    third: 3,
  },
};

type ElementaryName = keyof typeof derivatives;
const elementary = Object.entries(derivatives).map(([name, known]) => ({ name, known }));

describe.each(elementary)("$name", ({ name, known }) => {
  /** Multiples of 2⁻²⁰ in the interval: a step of 2⁻¹⁷ either way is exact. */
  const [least, greatest] = known.on ?? [0.5, 2];
  const points = fc.integer({ min: least * 2 ** 20, max: greatest * 2 ** 20 }).map((n) => n * 2 ** -20);
  const once = present(dual(float64).levels.real, "the reals");
  const twice = present(dual(dual(float64)).levels.real, "the reals");
  const float = present(float64.levels.real, "the reals");

  const isElementary = (f: string): f is ElementaryName => f in derivatives;
  if (!isElementary(name)) throw new Error(name);

  /**
   * Tells whether the tangent is within the central difference's own error: the third derivative's term, and
   * the rounding of two values below 8 that are each off by less than two units in the last place.
   */
  function isSlope(f: (x: Dual<number>) => Dual<number>): boolean {
    const step = 2 ** -17;
    const bound = (known.third * step ** 2) / 6 + 2 ** -48 / step;
    const law = fc.property(points, (x) => {
      const difference = (f({ x: x + step, xDot: 0 }).x - f({ x: x - step, xDot: 0 }).x) / (2 * step);
      return Math.abs(difference - f({ x, xDot: 1 }).xDot) <= bound;
    });
    return !fc.check(law, { seed: 10, numRuns: 200 }).failed;
  }

  test("has the slope of its difference quotient", () => {
    expect(isSlope(once[name])).toBe(true);
  });

  test("has not, if a factor of its tangent is wrong by a thousandth", () => {
    expect(isSlope((p) => ({ x: once[name](p).x, xDot: 1.001 * once[name](p).xDot }))).toBe(false);
  });

  test("has the first and second derivative of its closed form", () => {
    const near = (a: number, b: number): boolean => Math.abs(a - b) <= 2 ** -47 * Math.abs(b);
    fc.assert(
      fc.property(points, (x) => {
        const { x: f, xDot: fDot } = twice[name](seededTwice(float, x));
        return (
          near(f.xDot, known.first(x)) && near(fDot.x, known.first(x)) && near(fDot.xDot, known.second(x))
        );
      }),
      { seed: 10, numRuns: 200 },
    );
  });
});

/**
 * A function of two arguments on [½, 2]², its partial derivatives, and a bound of its third derivative along
 * (¾, −½). For `pow` that is the third derivative of e^g with g = y ln x: f (g′³ + 3g′g″ + g‴).
 */
const functionsOfTwo = [
  {
    name: "atan2",
    partials: (y: number, x: number) => [x / (x * x + y * y), -y / (x * x + y * y)] as const,
    third: 20,
  },
  {
    name: "hypot",
    partials: (x: number, y: number) => [x / hypot(x, y), y / hypot(x, y)] as const,
    third: 20,
  },
  {
    name: "pow",
    partials: (x: number, y: number) => [y * x ** (y - 1), x ** y * log(x)] as const,
    third: 1300,
  },
] as const;

describe.each(functionsOfTwo)("$name", ({ name, partials, third }) => {
  const points = fc.integer({ min: 2 ** 19, max: 2 ** 21 }).map((n) => n * 2 ** -20);
  const of = present(dual(float64).levels.orderedReal, "the reals")[name];
  const plain = present(float64.levels.orderedReal, "the reals")[name];

  function isSlope(f: typeof of): boolean {
    const step = 2 ** -17;
    const bound = (third * step ** 2) / 6 + 2 ** -48 / step;
    const law = fc.property(points, points, (x, y) => {
      const along = (t: number): number => plain(x + 0.75 * t, y - 0.5 * t);
      const difference = (along(step) - along(-step)) / (2 * step);
      return Math.abs(difference - f({ x, xDot: 0.75 }, { x: y, xDot: -0.5 }).xDot) <= bound;
    });
    return !fc.check(law, { seed: 11, numRuns: 300 }).failed;
  }

  test("has the slope of its difference quotient along a line", () => {
    expect(isSlope(of)).toBe(true);
  });

  test("has not, if the two tangents are exchanged, or one is a hundredth too large", () => {
    expect(isSlope((p, q) => of({ x: p.x, xDot: q.xDot }, { x: q.x, xDot: p.xDot }))).toBe(false);
    expect(isSlope((p, q) => of(p, { x: q.x, xDot: 1.01 * q.xDot }))).toBe(false);
  });

  test("has the partial derivatives of its closed form", () => {
    const near = (a: number, b: number): boolean => Math.abs(a - b) <= 2 ** -47 * Math.abs(b);
    fc.assert(
      fc.property(points, points, (x, y) => {
        const [first, second] = partials(x, y);
        const byFirst = of({ x, xDot: 1 }, { x: y, xDot: 0 });
        const bySecond = of({ x, xDot: 0 }, { x: y, xDot: 1 });
        return byFirst.x === plain(x, y) && near(byFirst.xDot, first) && near(bySecond.xDot, second);
      }),
      { seed: 11, numRuns: 300 },
    );
  });
});

describe("the tangent of a power", () => {
  const { pow } = present(dual(float64).levels.orderedReal, "the reals");
  const constant = (x: number): Dual<number> => ({ x, xDot: 0 });

  it("of a negative base exists along a fixed exponent, and along no other", () => {
    expect(pow({ x: -2, xDot: 1 }, constant(3))).toEqual({ x: -8, xDot: 12 });
    expect(pow({ x: -2, xDot: 1 }, { x: 3, xDot: 1 })).toEqual({ x: -8, xDot: Number.NaN });
  });

  it("is 0 by the base where the exponent is 0, and by the exponent where the base is", () => {
    expect(pow({ x: 0, xDot: 1 }, { x: 0, xDot: 1 })).toEqual({ x: 1, xDot: 0 });
    expect(pow({ x: 0, xDot: 0 }, { x: 2, xDot: 1 })).toEqual({ x: 0, xDot: 0 });
    expect(pow({ x: 0, xDot: 1 }, { x: 1, xDot: 1 })).toEqual({ x: 0, xDot: 1 });
  });
});

describe("a dual number", () => {
  const numbers = dual(rational);
  const p = { x: { numerator: 1n, denominator: 2n }, xDot: { numerator: -3n, denominator: 1n } };

  it("is compared by its value alone, and chosen whole", () => {
    const { less, equal, select } = present(dual(integer).levels.ordered, "an order");
    const [one, oneToo, two] = [
      { x: 1n, xDot: 9n },
      { x: 1n, xDot: 0n },
      { x: 2n, xDot: 0n },
    ];
    expect([less(one, two), less(two, one), less(one, oneToo), equal(one, oneToo)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect([select(true, one, two), select(false, one, two)]).toEqual([one, two]);
  });

  it("is another element if its tangent is another, and detached has none", () => {
    expect(numbers.isSame(p, { ...p, xDot: p.x })).toBe(false);
    expect(numbers.additive.detach(p)).toEqual({ x: p.x, xDot: rational.additive.zero });
  });

  it("detached loses the tangents of its parts too, where numbers are nested", () => {
    const x = seededTwice(present(integer.levels.ring, "a ring"), 5n);
    const constant = { x: { x: 5n, xDot: 0n }, xDot: { x: 0n, xDot: 0n } };
    expect(dual(dual(integer)).additive.detach(x)).toEqual(constant);
  });

  it("offers what its parts offer, and no more", () => {
    const offered = Object.entries(dual(integer).levels).filter(([, level]) => level !== undefined);
    expect(offered.map(([need]) => need)).toEqual(["additive", "semiring", "ring", "ordered"]);
  });

  it("keeps its text, nested or not", () => {
    const nested = dual(numbers);
    fc.assert(
      fc.property(duals(duals(rationals)), (x) => {
        const read = nested.parse(nested.format(x));
        return read !== undefined && nested.isSame(read, x);
      }),
      { seed: 10 },
    );
    expect(numbers.format(p)).toBe("(1/2;-3)");
    expect(numbers.parse("1/2")).toEqual({ x: p.x, xDot: rational.additive.zero });
    for (const text of ["", "()", "(1;2", "1;2", "(1;2;3)", "(;)", "(1);(2)", "((1;2);3)"]) {
      expect(numbers.parse(text)).toBeUndefined();
    }
  });
});
