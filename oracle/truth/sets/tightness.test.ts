import { describe, expect, test } from "vitest";
import { float64 } from "../../../reference/algebras/float.ts";
import { present, type UnaryName, unaryNames } from "../../../spec/index.ts";
import { forwardUlps, referenceStandard } from "../standard/index.ts";
import {
  answeredAs,
  anything,
  between,
  type FloatSet,
  floatSet,
  includes,
  intersection,
  isOnly,
  isOpen,
  mayBe,
  ofKinds,
  only,
  union,
  withoutSigns,
  wordsOf,
} from "./float_set.ts";
import { floatSets, settled } from "./set_algebra.ts";

const standard = referenceStandard("float32");
const sets = floatSets(standard);
const operations = present(sets.levels.orderedReal, "all operations");
const reals = present(float64.levels.orderedReal, "the functions of float64");
const u = standard.unitRoundoff;

const range = (low: number, high: number): FloatSet => floatSet(between(low, high));
const ends = (p: FloatSet): readonly [number, number] => {
  const [piece] = p.pieces;
  return piece === undefined ? expect.unreachable("an empty set") : [piece.low, piece.high];
};

/** Lists the numbers and ranges of a set, from the least on, and NaN last. */
const listed = (p: FloatSet): readonly (number | readonly [number, number])[] =>
  p.pieces.toSorted((a, b) => a.low - b.low).map(({ low, high }) => (low < high ? [low, high] : low));

/** Says that a set is one range, which holds all from `low` to `high` and little more. */
function expectAround(p: FloatSet, low: number, high: number, units: number): void {
  expect(p.pieces.length).toBe(1);
  const [least, most] = ends(p);
  const slack = (x: number): number => 1.02 * units * u * Math.abs(x) + 4 * standard.underflow;
  expect([least <= low, least >= low - slack(low)]).toEqual([true, true]);
  expect([most >= high, most <= high + slack(high)]).toEqual([true, true]);
}

const numbers = [-3, -0.75, 0.3, 1, 40];
const special = [Number.NaN, -Infinity, -0, 0, Infinity];

describe("what an operation makes of points", () => {
  const exactly = {
    multiply: (x: number, y: number) => x * y,
    divide: (x: number, y: number) => x / y,
    add: (x: number, y: number) => x + y,
  } as const;
  const names = ["multiply", "divide", "add"] as const;

  test.each(names)("%s: a number is within one rounding of the exact one, and no farther", (name) => {
    for (const x of numbers)
      for (const y of numbers) {
        const found = operations[name](only(x), only(y));
        const exact = exactly[name](x, y);
        if (exact === 0) expect(wordsOf(found)).toBe("0");
        else expectAround(found, exact, exact, 1);
      }
  });

  test.each(names)("%s: zeros, infinities and NaN are what IEEE 754 says", (name) => {
    for (const [x, y] of [...special, ...numbers].flatMap((a) =>
      special.flatMap(
        (b) =>
          [
            [a, b],
            [b, a],
          ] as const,
      ),
    )) {
      const found = operations[name](only(x), only(y));
      const exact = exactly[name](x, y);
      const isNumber = Number.isFinite(exact) && exact !== 0;
      expect([name, x, y, wordsOf(found)]).toEqual([
        name,
        x,
        y,
        wordsOf(only(isNumber ? ends(found)[0] : exact)),
      ]);
      if (isNumber) expect(ends(found)).toEqual([exact, exact]);
    }
  });

  test("beyond the range is an infinity of the sign, or a number that is not rounded yet", () => {
    const large = only(1e30);
    expect(operations.multiply(large, large)).toMatchObject(ofKinds("inf", "far"));
    expect(
      operations
        .multiply(large, only(-1e30))
        .pieces.map(({ kind }) => kind)
        .toSorted(),
    ).toEqual(["-far", "-inf"]);
    expect(wordsOf(operations.divide(large, only(1e-30)))).toBe("inf");
    expect(isOnly(operations.divide(only(1e-30), large), "0", "+")).toBe(true);
    expect(isOnly(operations.divide(only(-1e-30), large), "-0", "-")).toBe(true);
  });

  test("is a comparison that is certain, but for NaN, which no number is less than", () => {
    for (const x of [...numbers, -Infinity, Infinity])
      for (const y of [...numbers, -Infinity, Infinity]) {
        const [less, equal] = [operations.less(only(x), only(y)), operations.equal(only(x), only(y))];
        expect(less).toEqual({ mayHold: x < y, mayFail: x >= y });
        expect(equal).toEqual({ mayHold: x === y, mayFail: x !== y });
      }
    for (const found of [
      operations.less(only(Number.NaN), only(1)),
      operations.equal(only(1), only(Number.NaN)),
    ])
      expect(found).toEqual({ mayHold: false, mayFail: true });
    const apart = union(only(-1), only(1));
    for (const other of [union(only(Number.NaN), only(-1)), apart]) {
      expect(operations.less(other, only(0.5))).toEqual({ mayHold: true, mayFail: true });
      expect(operations.equal(only(-1), other)).toEqual({ mayHold: true, mayFail: true });
    }
    expect(operations.less(apart, only(2))).toEqual({ mayHold: true, mayFail: false });
    expect(operations.equal(apart, only(2))).toEqual({ mayHold: false, mayFail: true });
    expect(operations.less(range(1, 2), range(2, 3))).toEqual({ mayHold: true, mayFail: true });
    expect(operations.less(range(2, 3), range(1, 2))).toEqual({ mayHold: false, mayFail: true });
    expect(operations.equal(range(1, 2), range(2, 3))).toEqual({ mayHold: true, mayFail: true });
    expect(operations.equal(range(1, 2), range(3, 4))).toEqual({ mayHold: false, mayFail: true });
  });

  test("is what a choice leaves", () => {
    const [p, q] = [only(1), only(2)];
    expect(operations.select({ mayHold: true, mayFail: false }, p, q)).toBe(p);
    expect(operations.select({ mayHold: false, mayFail: true }, p, q)).toBe(q);
    expect(listed(operations.select({ mayHold: true, mayFail: true }, p, q))).toEqual([[1, 2]]);
  });
});

describe("what an operation makes of ranges", () => {
  test("ends at what it makes of their ends", () => {
    for (const [sign, other] of [
      [1, 1],
      [1, -1],
      [-1, 1],
      [-1, -1],
    ] as const) {
      const of = (a: number, b: number, s: number): FloatSet => (s > 0 ? range(a, b) : range(-b, -a));
      const [p, q] = [of(1, 2, sign), of(3, 8, other)];
      const signed = (low: number, high: number): readonly [number, number] =>
        sign * other > 0 ? [low, high] : [-high, -low];
      expectAround(operations.multiply(p, q), ...signed(3, 16), 1);
      expectAround(operations.divide(p, q), ...signed(1 / 8, 2 / 3), 1);
    }
    expectAround(operations.add(range(1, 2), range(3, 8)), 4, 10, 1);
    expectAround(operations.add(range(-8, -3), range(1, 2)), -7, -1, 1);
    expect(ends(operations.negative(range(1, 2)))).toEqual([-2, -1]);
    expectAround(operations.floor(range(1.5, 3.5)), 1, 3, 1);
  });

  const rising: readonly UnaryName[] = [
    "exp",
    "expm1",
    "log",
    "log2",
    "log1p",
    "atan",
    "sinh",
    "tanh",
    "asinh",
    "erf",
    "sqrt",
  ];
  test.each(rising)("%s ends at its values at the ends, within its accuracy", (name) => {
    const units = 2 * forwardUlps(standard, name);
    for (const [low, high] of [
      [0.5, 0.5],
      [0.25, 0.75],
      [1.5, 6],
    ] as const) {
      const [first, last] = [low, high].map(reals[name]);
      expectAround(operations[name](range(low, high)), first ?? 0, last ?? 0, units);
    }
  });

  test("acos falls, cosh is told on either side of 0, and waves stay within −1 and 1", () => {
    expectAround(
      operations.acos(range(0.25, 0.75)),
      Math.acos(0.75),
      Math.acos(0.25),
      2 * forwardUlps(standard, "acos"),
    );
    expectAround(
      operations.cosh(range(-2, -1)),
      Math.cosh(1),
      Math.cosh(2),
      2 * forwardUlps(standard, "cosh"),
    );
    for (const name of ["sin", "cos"] as const) {
      const found = operations[name](range(0, 1));
      expect([mayBe(found, "+", "-"), includes(found, 1.001), includes(found, -1.001)]).toEqual([
        true,
        false,
        false,
      ]);
    }
  });

  test.each(unaryNames)("%s has at a special number what IEEE 754 and ECMAScript have", (name) => {
    for (const x of special) {
      const [found, exact] = [operations[name](only(x)), reals[name](x)];
      if (!Number.isFinite(exact)) {
        expect([name, x, wordsOf(found)]).toEqual([name, x, wordsOf(only(exact))]);
        continue;
      }
      const slack = 2 * (2 * forwardUlps(standard, name) * u * Math.abs(exact) + 2 * standard.underflow);
      const around = [exact - slack, exact, exact + slack].map((y) => includes(found, y));
      expect([name, x, ...around]).toEqual([name, x, false, true, false]);
    }
    // The root alone has zeros of a sign.
    expect([name, Object.is(ends(operations[name](only(-0)))[0], -0)]).toEqual([name, name === "sqrt"]);
  });

  test("functions of two points are within their accuracy, and of ranges open", () => {
    const units = (name: "pow" | "atan2" | "hypot"): number => 2 * forwardUlps(standard, name);
    expectAround(operations.pow(only(2), only(0.5)), Math.SQRT2, Math.SQRT2, units("pow"));
    expectAround(operations.pow(only(-2), only(3)), -8, -8, units("pow"));
    expect(wordsOf(operations.pow(only(-2), only(0.5)))).toBe("nan");
    expectAround(operations.atan2(only(1), only(2)), Math.atan2(1, 2), Math.atan2(1, 2), units("atan2"));
    expect(operations.hypot(only(3), only(4))).toMatchObject({ pieces: anything.pieces });
    expect(operations.pow(range(1, 2), only(2))).toMatchObject({ pieces: anything.pieces });
    const angle = operations.atan2(range(1, 2), range(1, 2));
    expect([includes(angle, Math.PI), includes(angle, 3.15), includes(angle, -3.15)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe("a sum of several terms", () => {
  const sum = (...terms: readonly number[]): FloatSet =>
    terms.map((term) => operations.literal(term)).reduce(operations.add, operations.zero);

  test("knows the total sizes of both signs and the number of its terms", () => {
    expect(sum(1, 2, -4)).toMatchObject({ up: 3, down: 4, terms: 3 });
    expect(settled(sum(1, 2, -4)).terms).toBe(1);
    expect(settled(only(1))).toMatchObject(only(1));
    expect(operations.negative(sum(1, 2, -4))).toMatchObject({ up: 4, down: 3, terms: 3 });
  });

  test("is within what other orders lose, and no farther", () => {
    const [low, high] = ends(sum(1, 2, 4));
    const most = 2 * 6 * u * 7 + 2 * 6 * u * 7;
    expect([low <= 7, high >= 7, low >= 7 - most, high <= 7 + most]).toEqual([true, true, true, true]);
    const cancelled = sum(1, -1, 2);
    expect([includes(cancelled, 2), includes(cancelled, 2 + 1e-4)]).toEqual([true, false]);
  });

  test("may pass the range only where its terms of one sign do", () => {
    const near = 2e38;
    expect(mayBe(sum(near, near, -near), "inf", "nan")).toBe(true);
    expect(mayBe(sum(near, near, -near), "-inf")).toBe(false);
    expect(mayBe(sum(-near, -near, near), "-inf")).toBe(true);
    expect(mayBe(sum(near, -near, near / 4), "inf", "-inf", "nan")).toBe(false);
    expect(mayBe(sum(near, near, -near, -near), "nan")).toBe(true);
  });
});

describe("a set", () => {
  test("between two numbers has zeros of both signs where it holds 0, and ranges on its sides", () => {
    const kinds = (low: number, high: number): readonly string[] =>
      between(low, high).map(({ kind }) => kind);
    expect(kinds(0, 0)).toEqual(["-0", "0"]);
    expect([kinds(1, 2), kinds(-2, -1)]).toEqual([["+"], ["-"]]);
    expect(kinds(-1, 1)).toEqual(["-", "-0", "0", "+"]);
    expect([kinds(0, 1), kinds(-1, 0)]).toEqual([
      ["-0", "0", "+"],
      ["-", "-0", "0"],
    ]);
  });

  test("has pieces of one kind made one, in unions, and what both have in intersections", () => {
    expect(listed(union(range(1, 2), range(4, 8), only(-1)))).toEqual([-1, [1, 8]]);
    expect(listed(intersection(range(1, 4), range(2, 8)))).toEqual([[2, 4]]);
    expect(listed(intersection(range(-1, 4), range(2, 8)))).toEqual([[2, 4]]);
    expect(listed(intersection(range(1, 2), range(4, 8)))).toEqual([[1, 2]]);
    expect(wordsOf(intersection(ofKinds("inf", "nan"), ofKinds("nan")))).toBe("nan");
    expect(listed(intersection(range(1, 2), range(2, 3)))).toEqual([2]);
  });

  test("keeps of its pieces what an answer leaves", () => {
    const all = union(ofKinds("inf", "-inf", "nan", "far", "-far"), range(-1, 1));
    expect(answeredAs(all, Number.NaN).pieces.map(({ kind }) => kind)).toEqual(["nan"]);
    expect(listed(answeredAs(all, 0.5))).toEqual([[-1, 0], -0, 0, [0, 1]]);
    expect(mayBe(answeredAs(all, Infinity), "nan", "-inf", "-far", "+")).toBe(false);
    expect(mayBe(answeredAs(all, Infinity), "inf") && mayBe(answeredAs(all, Infinity), "far")).toBe(true);
    expect(mayBe(answeredAs(all, 65504), "far")).toBe(true);
    expect(mayBe(answeredAs(all, 65503), "far")).toBe(false);
    expect(mayBe(answeredAs(all, -65504), "-far") && !mayBe(answeredAs(all, -65504), "far")).toBe(true);
    const one = only(1);
    expect(answeredAs(one, Number.NaN)).toBe(one);
  });

  test("is open where its numbers are more than a sixteenth apart, or an infinity or NaN is beside others", () => {
    expect([16, 16.99, 17, 17.1].map((high) => isOpen(range(16, high)))).toEqual([false, false, false, true]);
    expect(isOpen(only(Number.NaN))).toBe(false);
    expect(isOpen(union(only(Number.NaN), only(1)))).toBe(true);
    expect(isOpen(only(Infinity))).toBe(false);
    expect(isOpen(union(only(Infinity), only(1)))).toBe(true);
    expect(isOpen(union(only(1), ofKinds("far")))).toBe(false);
  });

  test("includes the floats of its pieces, and none beyond the range", () => {
    expect([0.9, 1, 2, 2.1, Number.NaN].map((x) => includes(range(1, 2), x))).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
    expect(includes(only(Number.NaN), Number.NaN)).toBe(true);
    expect(includes(ofKinds("far"), 1e30)).toBe(false);
    expect([withoutSigns(only(0)), withoutSigns(only(1))].map(listed)).toEqual([[0, -0], [1]]);
  });
});
