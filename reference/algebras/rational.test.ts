import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { formatFloat64, present } from "../../spec/index.ts";
import { compareRationals, type Rational, rational, rationalFromNumber, rationalOf } from "./rational.ts";
import { integers, rationals } from "./scalars.test.kit.ts";

/** Returns the double that a dyadic rational is, found from the bits of its exponent and significand. */
function exactValue(x: number): Rational {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, x);
  const word = bits.getBigUint64(0);
  const biased = Number((word >> 52n) & 0x7ffn);
  const fraction = word & (2n ** 52n - 1n);
  const significand = biased === 0 ? fraction : fraction + 2n ** 52n;
  const exponent = Math.max(biased, 1) - 1075;
  const signed = word >> 63n === 1n ? -significand : significand;
  return exponent < 0
    ? rationalOf(signed, 2n ** BigInt(-exponent))
    : rationalOf(signed * 2n ** BigInt(exponent), 1n);
}

/** Tells whether the fraction is reduced and its denominator positive. */
function isLowest({ numerator, denominator }: Rational): boolean {
  let [a, b] = [numerator < 0n ? -numerator : numerator, denominator];
  while (b !== 0n) [a, b] = [b, a % b];
  return denominator > 0n && a === 1n;
}

describe("rationalFromNumber", () => {
  it("is what the bits of a double say, whatever its size, in lowest terms", () => {
    const doubles = fc.double({ noNaN: true, noDefaultInfinity: true });
    const law = (from: (x: number) => Rational) =>
      fc.property(doubles, (x) => rational.isSame(from(x), exactValue(x)) && isLowest(from(x)));
    fc.assert(law(rationalFromNumber), { seed: 4, numRuns: 2000 });
    const rounded = (x: number): Rational => rationalFromNumber(Math.fround(x));
    expect(fc.check(law(rounded), { seed: 4 }).failed).toBe(true);
  });

  test.each([
    [0, "0"],
    [-0, "0"],
    [-2.5, "-5/2"],
    [0.1, "3602879701896397/36028797018963968"],
    [2 ** 1023, `${2n ** 1023n}`],
    [-Number.MAX_VALUE, `-${(2n ** 53n - 1n) * 2n ** 971n}`],
    [Number.MIN_VALUE, `1/${2n ** 1074n}`],
    [2 ** -1022 - 2 ** -1074, `${2n ** 52n - 1n}/${2n ** 1074n}`],
    [Number.NaN, "undefined"],
    [Number.NEGATIVE_INFINITY, "undefined"],
  ])("of %d is exact", (x, text) => {
    expect(rational.format(rationalFromNumber(x))).toBe(text);
  });
});

describe("the text of a rational number", () => {
  it("reads back as the same number", () => {
    fc.assert(
      fc.property(rationals, (x) => {
        const read = present(rational.parse(rational.format(x)), "what was just written");
        expect(rational.isSame(read, x)).toBe(true);
      }),
      { seed: 5 },
    );
  });

  it("may be any fraction of integers, and reads as that in lowest terms", () => {
    fc.assert(
      fc.property(integers, fc.bigInt({ min: 1n, max: 10n ** 20n }), (p, q) => {
        const read = present(rational.parse(`${p}/${q}`), "a fraction");
        expect(isLowest(read) && read.numerator * q === p * read.denominator).toBe(true);
      }),
      { seed: 5 },
    );
  });

  it("may be the hexadecimal form of any double, and reads as the same as the double", () => {
    fc.assert(
      fc.property(fc.double(), (x) => {
        expect(rational.parse(formatFloat64(x))).toEqual(rationalFromNumber(x));
      }),
      { seed: 5, numRuns: 500 },
    );
  });

  test.each([
    ["0.1", "1/10"],
    ["+0.1", "1/10"],
    ["-.5e-2", "-1/200"],
    ["5.", "5"],
    ["1e5", "100000"],
    ["0.1e-00001", "1/100"],
    ["+6/4", "3/2"],
    ["1/0", "undefined"],
    ["inf", "undefined"],
    ["-nan", "undefined"],
    // One bit more than a double holds.
    ["0x1.00000000000008p0", `${2n ** 53n + 1n}/${2n ** 53n}`],
    ["-0X.8P1", "-1"],
  ])("%s is %s exactly", (text, expected) => {
    expect(rational.format(present(rational.parse(text), "a number"))).toBe(expected);
  });

  test.each([
    "",
    "-",
    ".",
    "e5",
    "0x",
    "0xp1",
    "1/-2",
    "1/2/3",
    " 1",
    "1e10000",
    "1e-99999999",
    "½",
    "1n",
  ])("%j is not one", (text) => {
    expect(rational.parse(text)).toBeUndefined();
  });
});

test("rationals are ordered as their difference is signed", () => {
  fc.assert(
    fc.property(rationals, rationals, (x, y) => {
      const { add, negative } = present(rational.levels.field, "a field");
      const { numerator } = add(x, negative(y));
      expect(compareRationals(x, y)).toBe(numerator < 0n ? -1 : numerator > 0n ? 1 : 0);
    }),
    { seed: 6 },
  );
});
