import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { present } from "../../spec/index.ts";
import { float32, float64 } from "./float.ts";
import { compareRationals, type Rational, rational, rationalFromNumber, rationalOf } from "./rational.ts";

const exact = present(rational.levels.field, "a field");
const single = present(float32.levels.orderedReal, "the reals");
const double = present(float64.levels.real, "the reals");

const positive = ({ numerator, denominator }: Rational): Rational =>
  numerator < 0n ? { numerator: -numerator, denominator } : { numerator, denominator };

/** The integer nearest to x ≥ 0, ties to even. */
function nearestInteger({ numerator, denominator }: Rational): bigint {
  const floor = numerator / denominator;
  const twice = 2n * (numerator - floor * denominator);
  const isUp = twice > denominator || (twice === denominator && floor % 2n === 1n);
  return isUp ? floor + 1n : floor;
}

/** x rounded to binary32 by the text of IEEE 754: an integer times 2ᵉ with e the least that leaves 24 bits. */
function roundToSingle(x: Rational): number {
  const size = positive(x);
  let exponent = -149;
  let scaled = exact.multiply(size, rationalOf(2n ** 149n, 1n));
  while (scaled.numerator >= 2n ** 24n * scaled.denominator) {
    scaled = rationalOf(scaled.numerator, 2n * scaled.denominator);
    exponent += 1;
  }
  const rounded = Number(nearestInteger(scaled)) * 2 ** exponent;
  const bounded = rounded >= 2 ** 128 ? Number.POSITIVE_INFINITY : rounded;
  return x.numerator < 0n ? -bounded : bounded;
}

/** Any finite float32, and pairs near each other or near a power of two, where roundings are hard. */
const singles: fc.Arbitrary<number> = fc.oneof(
  fc.float({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -(2 ** 24), max: 2 ** 24 }).map((n) => Math.fround(n * 2 ** -149)),
  fc.integer({ min: 2 ** 23, max: 2 ** 24 - 1 }),
);

type Operation = (x: number, y: number) => number;

/** Whether an operation gives the exact result rounded once; a zero result may have either sign. */
function isRoundedOnce(operation: Operation, truth: (x: Rational, y: Rational) => Rational): unknown {
  const law = fc.property(singles, singles, (x, y) => {
    const expected = truth(rationalFromNumber(x), rationalFromNumber(y));
    fc.pre(expected.denominator !== 0n);
    return operation(x, y) === roundToSingle(expected);
  });
  return fc.check(law, { seed: 7, numRuns: 2000 }).counterexample;
}

/** Whether √ is the float32 whose neighbours' midpoints enclose the root. */
function isRootRounded(root: (x: number) => number): unknown {
  const square = (x: Rational): Rational => exact.multiply(x, x);
  const middle = (a: number, b: number): Rational =>
    exact.divide(exact.add(rationalFromNumber(a), rationalFromNumber(b)), rationalOf(2n, 1n));
  const law = fc.property(
    singles.filter((x) => x > 0),
    (x) => {
      const [r, step] = [root(x), neighbour(root(x))];
      const truth = rationalFromNumber(x);
      const above = compareRationals(square(middle(r, step.above)), truth);
      const below = compareRationals(square(middle(r, step.below)), truth);
      return above !== -1 && below !== 1;
    },
  );
  return fc.check(law, { seed: 7, numRuns: 1000 }).counterexample;
}

/** The float32 numbers next to a positive one. */
function neighbour(x: number): { below: number; above: number } {
  const view = new DataView(new ArrayBuffer(4));
  const moved = (by: number): number => {
    view.setFloat32(0, x);
    view.setInt32(0, view.getInt32(0) + by);
    return view.getFloat32(0);
  };
  return { below: moved(-1), above: moved(1) };
}

describe("float32 is the exact result rounded once", () => {
  test("for +, − and ×", () => {
    expect(isRoundedOnce(single.add, exact.add)).toBeNull();
    expect(
      isRoundedOnce(
        (x, y) => single.add(x, single.negative(y)),
        (x, y) => exact.add(x, exact.negative(y)),
      ),
    ).toBeNull();
    expect(isRoundedOnce(single.multiply, exact.multiply)).toBeNull();
  });

  test("for ÷, which binary64 rounds first and does no harm", () => {
    expect(isRoundedOnce(single.divide, exact.divide)).toBeNull();
  });

  test("for √", () => {
    expect(isRootRounded(single.sqrt)).toBeNull();
    expect(isRootRounded((x) => neighbour(single.sqrt(x)).above)).not.toBeNull();
  });

  test("and not what binary64 gives, nor what truncation gives", () => {
    const truncated = (x: number): number => {
      const rounded = Math.fround(x);
      return Math.abs(rounded) > Math.abs(x) && rounded !== 0
        ? Math.sign(x) * neighbour(Math.abs(rounded)).below
        : rounded;
    };
    expect(isRoundedOnce(double.multiply, exact.multiply)).not.toBeNull();
    expect(isRoundedOnce((x, y) => truncated(x + y), exact.add)).not.toBeNull();
  });

  test("for the elementary functions too, so that every result is a float32", () => {
    const { exp, log, sin, cos, tanh, sqrt, erf, tan, acos, sinh, atanh, hypot, pow, atan2 } = single;
    fc.assert(
      fc.property(fc.float(), (x) => {
        for (const f of [exp, log, sin, cos, tanh, sqrt, erf, tan, acos, sinh, atanh])
          expect(Math.fround(f(x))).toBe(f(x));
        for (const f of [hypot, pow, atan2]) expect(Math.fround(f(x, 0.75))).toBe(f(x, 0.75));
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  it("overflows to infinity and underflows gradually", () => {
    expect(single.add(3e38, 3e38)).toBe(Number.POSITIVE_INFINITY);
    expect(single.multiply(2 ** -75, 2 ** -74)).toBe(2 ** -149);
    expect(single.multiply(2 ** -75, 2 ** -75)).toBe(0);
  });
});

describe("float64", () => {
  const doubles = fc.double();

  it("subtracts to the bit by adding the negative", () => {
    fc.assert(
      fc.property(doubles, doubles, (x, y) => Object.is(double.add(x, double.negative(y)), x - y)),
      { seed: 8, numRuns: 500 },
    );
  });

  it("calls −0 and 0 different elements, and all NaNs one", () => {
    expect(float64.isSame(0, -0)).toBe(false);
    expect(float64.isSame(Number.NaN, 0 / 0)).toBe(true);
  });

  it("keeps every element in its text", () => {
    fc.assert(
      fc.property(doubles, (x) => Object.is(float64.parse(float64.format(x)), x)),
      { seed: 8, numRuns: 500 },
    );
    expect(float32.parse("0.1")).toBe(Math.fround(0.1));
  });
});
