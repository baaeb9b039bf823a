import { describe, expect, test } from "vitest";
import { standardPosit } from "../../spec/wire/index.ts";
import { greatestCode, notReal, positValue, roundToPosit } from "../algebras/posit_format.ts";
import { rationalOf } from "../algebras/rational.ts";
import { decimalOfPosit, formatPosit, parsePosit, positNotation } from "./posit_text.ts";

describe("a posit as a decimal", () => {
  test("is read as that posit again, for every code of 8 bits and many of 16, 32 and 64", () => {
    const readAgain = (width: number, x: bigint): boolean =>
      parsePosit(standardPosit(width), decimalOfPosit(standardPosit(width), x)) === x;
    for (let x = -128n; x < 128n; x++) if (!readAgain(8, x)) expect.fail(`${x}`);
    for (const width of [16, 32, 64]) {
      const step = greatestCode(standardPosit(width)) / 150n + 1n;
      for (let x = notReal(standardPosit(width)); x <= greatestCode(standardPosit(width)); x += step) {
        if (!readAgain(width, x))
          expect.fail(
            `${width}: ${formatPosit(standardPosit(width), x)} as ${decimalOfPosit(standardPosit(width), x)}`,
          );
      }
      for (const x of [1n, 2n, greatestCode(standardPosit(width)), greatestCode(standardPosit(width)) - 1n])
        expect(readAgain(width, x)).toBe(true);
    }
  });

  test("has the fewest digits that tell it, and an exponent where it would have many zeros", () => {
    const read = (width: number, text: string): string =>
      decimalOfPosit(standardPosit(width), parsePosit(standardPosit(width), text) ?? 0n);
    expect(["0.1", "1/3", "-2.5", "1000", "0", "NaR", "1e10"].map((text) => read(16, text))).toEqual([
      "0.1",
      "0.3334",
      "-2.5",
      "1000",
      "0",
      "NaR",
      "1e10",
    ]);
    expect(read(8, "0.1")).toBe("0.1");
    expect(read(8, "0x1p24")).toBe("2e7");
    expect(decimalOfPosit(standardPosit(16), 1n)).toBe("1e-17");
    expect(decimalOfPosit(standardPosit(64), roundToPosit(standardPosit(64), rationalOf(1n, 3n)))).toBe(
      "0.3333333333333333335",
    );
  });
});

test("a decimal of one digit is the nearest of those with one digit, for every posit of 8 and 10 bits", () => {
  const decimals = Array.from({ length: 40 }, (_, n) => n - 20).flatMap((scale) =>
    Array.from({ length: 9 }, (_, n) => Number(`${n + 1}e${scale}`)),
  );
  let count = 0;
  for (const format of [8, 10].map(standardPosit))
    for (let code = 1n; code <= greatestCode(format); code++) {
      const text = decimalOfPosit(format, code);
      if (!/^0*[.]?0*[1-9]0*(?:e-?\d+)?$/.test(text)) continue;
      const { numerator, denominator } = positValue(format, code);
      const value = Number(numerator) / Number(denominator);
      const distance = Math.abs(Number(text) - value);
      expect([text, decimals.filter((other) => Math.abs(other - value) < distance)]).toEqual([text, []]);
      count += 1;
    }
  expect(count).toBeGreaterThan(40);
});

test("what is said of how posits are written is read, and its codes are the first and the last word", () => {
  for (const width of [3, 8, 13, 64]) {
    const format = standardPosit(width);
    const named = positNotation(format).match(/0x1\.8p-3|0x[0-9a-f]+|0\.1|1\/10|NaR/g) ?? [];
    const tenth = parsePosit(format, "1/10");
    const sixteenths = roundToPosit(format, rationalOf(3n, 16n));
    expect(named.map((text) => parsePosit(format, text))).toEqual([
      tenth,
      tenth,
      sixteenths,
      0n,
      -1n,
      notReal(format),
    ]);
  }
});
