import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Algebra, type Ordered, present } from "../../spec/index.ts";
import { float32, float64 } from "./float.ts";
import { formal } from "./formal.ts";
import { integer } from "./integer.ts";
import { modular } from "./modular.ts";
import { type MaybeTruth, type Rational, rational, rationalOf } from "./rational.ts";
import { integers, rationals, residues } from "./scalars.test.kit.ts";

/** Comparison and choice owe each other this; a truth that is neither true nor false never helps a law. */
interface OrderLaw {
  readonly name: string;
  holds<S>(o: Ordered<S, MaybeTruth>, x: S, y: S, z: S): boolean;
  /** An order of integers planted so that the law fails. */
  readonly wrong: Partial<Ordered<bigint, MaybeTruth>>;
}

const orderLaws: readonly OrderLaw[] = [
  {
    name: "one of x < y, x = y and y < x holds, and no two",
    holds: (o, x, y) => [o.less(x, y), o.equal(x, y), o.less(y, x)].filter((b) => b === true).length === 1,
    wrong: { less: (x, y) => x <= y },
  },
  {
    name: "x < y and y < z give x < z",
    holds: (o, x, y, z) => !(o.less(x, y) && o.less(y, z)) || o.less(x, z) === true,
    wrong: { less: (x, y) => (x - y) % 3n === 1n },
  },
  {
    name: "x = y and y < z give x < z",
    holds: (o, x, y, z) => !(o.equal(x, y) && o.less(y, z)) || o.less(x, z) === true,
    wrong: { equal: (x, y) => (x - y) % 2n === 0n },
  },
  {
    name: "select of the true x = x is its first operand, of the false x < x its second",
    holds: (o, x, y, z) =>
      Object.is(o.select(o.equal(x, x), y, z), y) && Object.is(o.select(o.less(x, x), y, z), z),
    wrong: { select: (b, x, y) => (b ? y : x) },
  },
];

function obeys<S>(order: Ordered<S, MaybeTruth>, scalars: fc.Arbitrary<S>, { holds }: OrderLaw): unknown {
  const law = fc.property(scalars, scalars, scalars, (x, y, z) => holds(order, x, y, z));
  return fc.check(law, { seed: 2, numRuns: 400 }).counterexample;
}

function orderOf<S>(algebra: Algebra<S, boolean> | Algebra<S, MaybeTruth>): Ordered<S, MaybeTruth> {
  return present<Ordered<S, MaybeTruth>>(algebra.levels.ordered, "an order");
}

describe.each(orderLaws)("$name", (law) => {
  test("in the integers", () => {
    expect(obeys(orderOf(integer), integers, law)).toBeNull();
  });
  test("in the rational numbers", () => {
    expect(obeys(orderOf(rational), rationals, law)).toBeNull();
  });
  test("in the residues, formal ones too", () => {
    expect(obeys(orderOf(modular), residues, law)).toBeNull();
    expect(obeys(orderOf(formal), residues, law)).toBeNull();
  });
  test("in float64 without NaN, where −0 = 0", () => {
    const numbers = fc.oneof(fc.constantFrom(0, -0, 1), fc.double({ noNaN: true }));
    expect(obeys(orderOf(float64), numbers, law)).toBeNull();
  });
  test("but not in a planted order", () => {
    expect(obeys({ ...orderOf(integer), ...law.wrong }, integers, law)).not.toBeNull();
  });
});

describe("floor", () => {
  /** Tells whether `⌊x⌋ ≤ x < ⌊x⌋ + 1`, and `⌊⌊x⌋⌋ = ⌊x⌋`. */
  function floors<S>(order: Ordered<S, MaybeTruth>, scalars: fc.Arbitrary<S>): unknown {
    const law = fc.property(scalars, (x) => {
      const whole = order.floor(x);
      const isBelow = order.less(x, whole) === false && order.less(x, order.add(whole, order.one)) === true;
      return isBelow && order.equal(order.floor(whole), whole) === true;
    });
    return fc.check(law, { seed: 3, numRuns: 400 }).counterexample;
  }
  const halves = integers.map((x) => rationalOf(x, 2n));
  test("is the greatest integer not above, in the integers, the rationals and float64", () => {
    expect(floors(orderOf(integer), integers)).toBeNull();
    expect(floors(orderOf(rational), fc.oneof(rationals, halves))).toBeNull();
    expect(floors(orderOf(float64), fc.double({ min: -(2 ** 40), max: 2 ** 40, noNaN: true }))).toBeNull();
  });
  test("is neither truncation nor the integer above", () => {
    const towardsZero = (x: Rational): Rational => rationalOf(x.numerator / x.denominator, 1n);
    const truncated = { ...orderOf(rational), floor: towardsZero };
    expect(floors(truncated, halves)).not.toBeNull();
    expect(
      floors({ ...orderOf(float64), floor: Math.ceil }, fc.double({ min: -9, max: 9, noNaN: true })),
    ).not.toBeNull();
    expect(orderOf(rational).floor(rationalOf(-3n, 2n))).toEqual(rationalOf(-2n, 1n));
  });
});

test("a literal is the number it says, exactly where the carrier holds it, else rounded", () => {
  expect(rational.levels.semiring?.literal(-0.75)).toEqual(rationalOf(-3n, 4n));
  expect(float64.levels.semiring?.literal(0.1)).toBe(0.1);
  expect(float32.levels.semiring?.literal(0.1)).toBe(Math.fround(0.1));
  expect(integer.levels.semiring?.literal(-3)).toBe(-3n);
  expect(modular.levels.semiring?.literal(0.5)).toBe(2n ** 60n);
  expect(formal.levels.semiring?.literal(0.5)).toBe(2n ** 60n);
});

describe("sums, and products with positive numbers, preserve <", () => {
  function preserves<S>(algebra: Algebra<S, MaybeTruth>, scalars: fc.Arbitrary<S>): unknown {
    const { add, multiply, zero } = present(algebra.levels.field, "a field");
    const { less } = orderOf(algebra);
    const law = fc.property(scalars, scalars, scalars, (x, y, z) => {
      const isSumKept = less(x, y) !== true || less(add(x, z), add(y, z)) === true;
      const isPositive = less(x, y) === true && less(zero, z) === true;
      return isSumKept && (!isPositive || less(multiply(x, z), multiply(y, z)) === true);
    });
    return fc.check(law, { seed: 2, numRuns: 400 }).counterexample;
  }

  test("in the rational numbers", () => {
    expect(preserves(rational, rationals)).toBeNull();
  });

  test("but not in the residues, whose order is that of their representatives", () => {
    expect(preserves(modular, residues)).not.toBeNull();
  });
});
