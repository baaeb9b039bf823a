import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type Field, present, type Real, type Ring } from "../../spec/index.ts";
import { type Dual, dual } from "./dual.ts";
import { float64 } from "./float.ts";
import { integer } from "./integer.ts";
import { type Rational, rational } from "./rational.ts";
import { duals, rationals } from "./scalars.test.kit.ts";

/** x + ε₁ + ε₂: in a function of it stand the first and the second derivative. */
const seededTwice = <S>(a: Ring<S>, x: S): Dual<Dual<S>> => ({
  x: { x, xDot: a.one },
  xDot: { x: a.one, xDot: a.zero },
});

/** c₀ + x (c₁ + x (c₂ + …)). */
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

  /** With D the difference quotient of x/y over a step h: D · (y + h ẏ) is the tangent times y, whatever h. */
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

/** An elementary function's first two derivatives, and a bound of its third on [½, 2]. */
interface Derivatives {
  first(x: number): number;
  second(x: number): number;
  readonly third: number;
}

const { cos, cosh, exp, sin, sqrt, tanh } = Math;

const derivatives: { readonly [F in Exclude<keyof Real<number>, keyof Field<number>>]: Derivatives } = {
  exp: { first: exp, second: exp, third: exp(2) },
  log: { first: (x) => 1 / x, second: (x) => -1 / (x * x), third: 16 },
  sin: { first: cos, second: (x) => -sin(x), third: 1 },
  cos: { first: (x) => -sin(x), second: (x) => -cos(x), third: 1 },
  tanh: { first: (x) => cosh(x) ** -2, second: (x) => -2 * tanh(x) * cosh(x) ** -2, third: 2 },
  sqrt: { first: (x) => 0.5 / sqrt(x), second: (x) => -0.25 / (x * sqrt(x)), third: 2.2 },
};

type ElementaryName = keyof typeof derivatives;
const elementary = Object.entries(derivatives).map(([name, known]) => ({ name, known }));

describe.each(elementary)("$name", ({ name, known }) => {
  /** Multiples of 2⁻²⁰ in [½, 2]: a step of 2⁻¹⁷ either way is exact. */
  const points = fc.integer({ min: 2 ** 19, max: 2 ** 21 }).map((n) => n * 2 ** -20);
  const once = present(dual(float64).levels.real, "the reals");
  const twice = present(dual(dual(float64)).levels.real, "the reals");
  const float = present(float64.levels.real, "the reals");

  const isElementary = (f: string): f is ElementaryName => f in derivatives;
  if (!isElementary(name)) throw new Error(name);

  /**
   * Whether the tangent is within the central difference's own error: the third derivative's term, and the
   * rounding of two values below 8 that are each off by less than two units in the last place.
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
