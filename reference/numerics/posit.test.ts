import { describe, expect, test } from "vitest";
import { type Algebra, type OrderedReal, present, standardPosit } from "../../spec/index.ts";
import { dual } from "../algebras/dual.ts";
import { greatestCode, notReal, type Posit, positValue, roundToPosit } from "../algebras/posit_format.ts";
import { type Rational, rational, rationalOf } from "../algebras/rational.ts";
import { posit } from "./posit.ts";

function algebraOf(width: number): Algebra<Posit, boolean> {
  const made = posit(standardPosit(width));
  if (!made.ok) throw new Error(made.error.message);
  return made.value;
}

function realsOf(width: number): OrderedReal<Posit, boolean> {
  return present(algebraOf(width).levels.orderedReal, "the reals");
}

const exact = present(rational.levels.orderedField, "the rational numbers");
const codes8 = Array.from({ length: 256 }, (_, n) => BigInt(n - 128));
const NAR = notReal(standardPosit(8));

describe("NaR is what has no value", () => {
  const a = realsOf(8);

  test("and whatever is computed with it, by every operation of every level", () => {
    for (const [name, operation] of Object.entries(a)) {
      if (typeof operation !== "function" || ["select", "less", "equal", "literal"].includes(name)) continue;
      const apply = (...operands: readonly Posit[]): unknown => Reflect.apply(operation, undefined, operands);
      for (const x of [0n, 1n, 0x40n, NAR]) {
        expect([name, x, apply(NAR, x)]).toEqual([name, x, NAR]);
        if (operation.length === 2) expect([name, x, apply(x, NAR)]).toEqual([name, x, NAR]);
      }
    }
  });

  test("of division by zero, of roots of negative numbers, outside domains and at poles", () => {
    const one = a.one;
    const minusTwo = a.literal(-2);
    for (const found of [
      a.divide(one, 0n),
      a.divide(0n, 0n),
      a.sqrt(a.negative(one)),
      a.log(0n),
      a.log(a.negative(one)),
      a.log2(0n),
      a.log1p(a.negative(one)),
      a.log1p(minusTwo),
      a.asin(a.literal(2)),
      a.acos(minusTwo),
      a.acosh(a.literal(0.5)),
      a.atanh(one),
      a.atanh(a.negative(one)),
      a.pow(0n, 0n),
      a.pow(0n, minusTwo),
      a.pow(minusTwo, a.literal(0.5)),
      a.atan2(0n, 0n),
      a.literal(Number.NaN),
      a.literal(Number.NEGATIVE_INFINITY),
    ]) {
      expect(found).toBe(NAR);
    }
  });

  test("is equal to itself, less than all others, and its own negative", () => {
    expect(a.equal(NAR, NAR)).toBe(true);
    expect(codes8.filter((x) => a.less(NAR, x))).toHaveLength(255);
    expect(codes8.filter((x) => a.less(x, NAR))).toEqual([]);
    expect(a.negative(NAR)).toBe(NAR);
  });
});

describe("operations saturate", () => {
  const a = realsOf(8);
  const most = greatestCode(standardPosit(8));

  test("to the greatest, and never to NaR", () => {
    expect([a.multiply(most, most), a.add(most, most), a.exp(most), a.divide(most, 1n)]).toEqual(
      Array(4).fill(most),
    );
    expect([a.multiply(-most, most), a.sinh(-most), a.divide(-1n, 1n) && a.divide(-most, 1n)]).toEqual(
      Array(3).fill(-most),
    );
  });

  test("to the least, and never to zero", () => {
    expect([a.multiply(1n, 1n), a.divide(1n, most), a.exp(-most), a.pow(a.literal(0.5), most)]).toEqual(
      Array(4).fill(1n),
    );
    expect([a.multiply(-1n, 1n), a.divide(-1n, most)]).toEqual([-1n, -1n]);
  });
});

describe("comparison, signs and integers are exact", () => {
  test("for every pair of posit8: less and equal are those of the numbers", () => {
    const a = realsOf(8);
    for (const x of codes8) {
      for (const y of codes8) {
        if (x === NAR || y === NAR) continue;
        const [p, q] = [positValue(standardPosit(8), x), positValue(standardPosit(8), y)];
        if (a.less(x, y) !== exact.less(p, q) || a.equal(x, y) !== (x === y)) expect.fail(`${x} ${y}`);
      }
    }
    expect(a.select(true, 1n, 2n)).toBe(1n);
    expect(a.select(false, 1n, 2n)).toBe(2n);
  });

  test("floor is the greatest integer below, for every code of up to 16 bits, and is a posit", () => {
    for (const width of [3, 4, 5, 8, 16]) {
      const a = realsOf(width);
      for (let x = notReal(standardPosit(width)) + 1n; x <= greatestCode(standardPosit(width)); x++) {
        const { numerator, denominator } = positValue(standardPosit(width), x);
        const whole = BigInt(Math.floor(Number(numerator) / Number(denominator)));
        if (positValue(standardPosit(width), a.floor(x)).numerator !== whole) expect.fail(`${width}: ${x}`);
      }
    }
  });
});

describe("sums, products and quotients are rounded once", () => {
  test("for posits of 64 bits, where no double holds them", () => {
    const a = realsOf(64);
    const third = a.divide(a.one, a.literal(3));
    expect(third).toBe(0x32aaaaaaaaaaaaabn);
    expect(a.multiply(third, a.literal(3))).toBe(a.one);
    expect(a.add(a.one, third)).toBe(
      roundToPosit(standardPosit(64), exact.add(exact.one, positValue(standardPosit(64), third))),
    );
  });

  test("and not through another width", () => {
    const a = realsOf(8);
    const sum = (x: Posit, y: Posit): Rational =>
      exact.add(positValue(standardPosit(8), x), positValue(standardPosit(8), y));
    const through = (x: Rational): Posit =>
      roundToPosit(standardPosit(8), positValue(standardPosit(12), roundToPosit(standardPosit(12), x)));
    const pairs = codes8.filter((x) => x > 0n).flatMap((x) => codes8.map((y) => [x, y] as const));
    expect(pairs.filter(([x, y]) => y !== NAR && a.add(x, y) !== through(sum(x, y))).length).toBeGreaterThan(
      0,
    );
  });
});

describe("elements are written and read", () => {
  test.each([3, 6, 8, 16, 31, 32, 64])("as codes of %s bits, whatever the code", (width) => {
    const a = algebraOf(width);
    for (const code of [
      0n,
      1n,
      -1n,
      notReal(standardPosit(width)),
      greatestCode(standardPosit(width)),
      2n - (1n << BigInt(width - 1)),
    ]) {
      expect(a.format(code)).toMatch(/^0x[0-9a-f]+$/);
      expect(a.format(code)).toHaveLength(2 + Math.ceil(width / 4));
      expect(a.parse(a.format(code))).toBe(code);
    }
  });

  test("as numbers rounded once, and as NaR", () => {
    const a = algebraOf(16);
    expect(["1/10", "0.1", "1e-1", "0x1.999999999999ap-4"].map(a.parse)).toEqual(Array(4).fill(0x24cdn));
    expect(["NaR", "nar", "nan", "inf", "1/0", "undefined"].map(a.parse)).toEqual(Array(6).fill(-32768n));
    expect(["0", "-0", "0x0p0"].map(a.parse)).toEqual([0n, 0n, 0n]);
  });

  test("and nothing else: codes of another width, too few digits, words", () => {
    expect(["0x40", "0x10000", "0x004000", "0x", "one", ""].map(algebraOf(16).parse)).toEqual(
      Array(6).fill(undefined),
    );
    expect(algebraOf(6).parse("0x40")).toBeUndefined();
    expect(algebraOf(6).parse("0x3f")).toBe(-1n);
  });
});

test("dual numbers over posits are what their parts are", () => {
  const a = present(dual(algebraOf(16)).levels.orderedReal, "the reals");
  const real = realsOf(16);
  const [x, three] = [real.literal(0.75), real.literal(3)];
  expect(a.multiply({ x, xDot: real.one }, { x: three, xDot: 0n })).toEqual({
    x: roundToPosit(standardPosit(16), rationalOf(9n, 4n)),
    xDot: three,
  });
});

test("an algebra of no width is refused", () => {
  const made = posit(standardPosit(65));
  expect(made.ok ? undefined : made.error.code).toBe("posit/width");
});
