import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { present } from "../../spec/index.ts";
import { bfloat16, float16, float32, float64 } from "./float.ts";
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

/** A format's figures in IEEE 754: significant bits, exponents of its last subnormal bit and of overflow. */
interface Figures {
  readonly bits: bigint;
  readonly last: number;
  readonly overflow: number;
}

const binary32: Figures = { bits: 24n, last: -149, overflow: 128 };

/** Rounds x by the text of IEEE 754: an integer times 2ᵉ with e the least that leaves so many bits. */
function roundExactly(x: Rational, { bits, last, overflow }: Figures = binary32): number {
  const size = positive(x);
  let exponent = last;
  let scaled = exact.multiply(size, rationalOf(2n ** BigInt(-last), 1n));
  while (scaled.numerator >= 2n ** bits * scaled.denominator) {
    scaled = rationalOf(scaled.numerator, 2n * scaled.denominator);
    exponent += 1;
  }
  const rounded = Number(nearestInteger(scaled)) * 2 ** exponent;
  const bounded = rounded >= 2 ** overflow ? Number.POSITIVE_INFINITY : rounded;
  return x.numerator < 0n ? -bounded : bounded;
}

/** Any finite float32, and pairs near each other or near a power of two, where roundings are hard. */
const singles: fc.Arbitrary<number> = fc.oneof(
  fc.float({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -(2 ** 24), max: 2 ** 24 }).map((n) => Math.fround(n * 2 ** -149)),
  fc.integer({ min: 2 ** 23, max: 2 ** 24 - 1 }),
);

type Operation = (x: number, y: number) => number;

/** Tells whether an operation gives the exact result rounded once; a zero result may have either sign. */
function isRoundedOnce(operation: Operation, truth: (x: Rational, y: Rational) => Rational): unknown {
  const law = fc.property(singles, singles, (x, y) => {
    const expected = truth(rationalFromNumber(x), rationalFromNumber(y));
    fc.pre(expected.denominator !== 0n);
    return operation(x, y) === roundExactly(expected);
  });
  return fc.check(law, { seed: 7, numRuns: 2000 }).counterexample;
}

/** Tells whether √ is the float32 whose neighbours' midpoints enclose the root. */
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

/** Returns the float32 numbers next to a positive one. */
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

describe.each([
  { algebra: float16, figures: { bits: 11n, last: -24, overflow: 16 } },
  { algebra: bfloat16, figures: { bits: 8n, last: -133, overflow: 128 } },
])("$algebra.name is the exact result rounded once", ({ algebra, figures }) => {
  const real = present(algebra.levels.real, "the reals");
  const round = (x: number): number => roundExactly(rationalFromNumber(x), figures);
  const size = Number(2n ** figures.bits);
  const smallest = 2 ** figures.last;
  /** Any size, near each other, subnormal, and where a result overflows. */
  const numbers = fc
    .oneof(
      fc.double({ noNaN: true, min: -(2 ** 20), max: 2 ** 20 }),
      fc.integer({ min: -2 * size, max: 2 * size }).map((n) => n * smallest),
      fc.integer({ min: size / 2, max: size - 1 }),
      fc.tuple(fc.integer({ min: 1, max: size }), fc.nat(200)).map(([n, e]) => n * smallest * 2 ** e),
    )
    .map(round)
    .filter(Number.isFinite);

  function counterexample(operation: Operation, truth: (x: Rational, y: Rational) => Rational): unknown {
    const law = fc.property(numbers, numbers, (x, y) => {
      const expected = truth(rationalFromNumber(x), rationalFromNumber(y));
      fc.pre(expected.denominator !== 0n);
      return operation(x, y) === roundExactly(expected, figures);
    });
    return fc.check(law, { seed: 17, numRuns: 2000 }).counterexample;
  }

  test("for +, × and ÷", () => {
    expect(counterexample(real.add, exact.add)).toBeNull();
    expect(counterexample(real.multiply, exact.multiply)).toBeNull();
    expect(counterexample(real.divide, exact.divide)).toBeNull();
  });

  test("for √: its square and its neighbours' squares lie on the right sides", () => {
    const square = (x: number): Rational => exact.multiply(rationalFromNumber(x), rationalFromNumber(x));
    const check = (root: (x: number) => number): unknown =>
      fc.check(
        fc.property(
          numbers.filter((x) => x > 0),
          (x) => {
            const r = root(x);
            const half = Math.max(2 ** Math.floor(Math.log2(r)) / size, smallest / 2);
            const above = compareRationals(square(r + half), rationalFromNumber(x));
            // Below a power of two the numbers are twice as dense.
            const isPower = Number.isInteger(Math.log2(r)) && r > smallest * size;
            const below = compareRationals(square(r - (isPower ? half / 2 : half)), rationalFromNumber(x));
            return above !== -1 && below !== 1;
          },
        ),
        { seed: 17, numRuns: 1000 },
      ).counterexample;
    expect(check(real.sqrt)).toBeNull();
    expect(check((x) => real.sqrt(x) * (1 + 4 / size))).not.toBeNull();
  });

  test("and not what float32 gives", () => {
    expect(counterexample(single.multiply, exact.multiply)).not.toBeNull();
  });
});

describe("a decimal", () => {
  const spellings = fc.oneof(
    // Next to a tie of float32, float16 and bfloat16, by less than a float64 can hold.
    fc.constantFrom(
      "1.00000005960464477539062500001",
      "1.00048828125000000000000001",
      "1.003906250000000000001",
    ),
    fc.constantFrom(
      "1.00000005960464477539062499999",
      "-1.00048828124999999999999",
      "1.00390624999999999999",
    ),
    fc.tuple(fc.integer(), fc.nat(10 ** 9)).map(([whole, part]) => `${whole}.${part}`),
    fc
      .tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: -44, max: 30 }))
      .map(([n, e]) => `${n}e${e}`),
  );
  const readWrongly = (parse: (text: string) => number | undefined, figures: Figures): unknown =>
    fc.check(
      fc.property(spellings, (text) => {
        const written = present(rational.parse(text), "a number");
        return parse(text) === roundExactly(written, figures);
      }),
      { seed: 5, numRuns: 1000 },
    ).counterexample;

  test.each([
    { algebra: float32, figures: binary32 },
    { algebra: float16, figures: { bits: 11n, last: -24, overflow: 16 } },
    { algebra: bfloat16, figures: { bits: 8n, last: -133, overflow: 128 } },
  ])("is rounded once to $algebra.name, not by way of float64", ({ algebra, figures }) => {
    expect(readWrongly(algebra.parse, figures)).toBeNull();
    const twice = (text: string): number => algebra.parse(float64.format(Number(text))) ?? Number.NaN;
    expect(readWrongly(twice, figures)).not.toBeNull();
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
