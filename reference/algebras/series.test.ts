import { describe, expect, test } from "vitest";
import { present } from "../../spec/index.ts";
import { float64 } from "./float.ts";
import { integer } from "./integer.ts";
import { rational, rationalOf } from "./rational.ts";
import { type Series, series, seriesOf } from "./series.ts";

const fractions = present(series(rational, 4).levels.field, "a field");
const floats = present(series(float64, 4).levels.orderedReal, "with comparison");
const line: Series<number> = [0, 1, 0, 0, 0];

describe("power series", () => {
  test("divide as long division does: 1/(1 − t) = 1 + t + t² + …", () => {
    const one = rationalOf(1n, 1n);
    const falling = fractions.add(
      fractions.one,
      fractions.negative(seriesOf([fractions.zero[0], one, ...fractions.zero.slice(2)])),
    );
    expect(fractions.divide(fractions.one, falling)).toEqual([one, one, one, one, one]);
    expect(fractions.multiply(fractions.divide(fractions.one, falling), falling)).toEqual(fractions.one);
  });

  test("have the coefficients that a book has", () => {
    expect(floats.exp(line)).toEqual([1, 1, 1 / 2, 1 / 6, 1 / 24]);
    expect(floats.sin(line)).toEqual([0, 1, 0, -1 / 6, 0]);
    expect(floats.log1p(line)).toEqual([0, 1, -1 / 2, 1 / 3, -1 / 4]);
    expect(floats.tan(line).map((c) => c * 3)).toEqual([0, 3, 0, 1, 0]);
    expect(floats.hypot([3, 0, 0, 0, 0], [4, 1, 0, 0, 0]).slice(0, 3)).toEqual([
      5,
      0.8,
      expect.closeTo(0.036, 15),
    ]);
    expect(floats.pow([2, 1, 0, 0, 0], [3, 0, 0, 0, 0])).toEqual([8, 12, 6, 1, 0]);
    expect(floats.pow([-2, 1, 0, 0, 0], [3, 0, 0, 0, 0])).toEqual([-8, 12, -6, 1, 0]);
    expect(floats.atan2(line, [1, 0, 0, 0, 0])).toEqual([
      0,
      1,
      expect.closeTo(0, 15),
      expect.closeTo(-1 / 3, 15),
      expect.closeTo(0, 15),
    ]);
  });

  test("compare and choose by their values, and what is rounded down is a constant", () => {
    expect(floats.less(line, [1, -9, 0, 0, 0])).toBe(true);
    expect(floats.floor([2.5, 7, 0, 0, 0])).toEqual([2, 0, 0, 0, 0]);
    expect(floats.select(true, line, floats.one)).toEqual(line);
  });

  test("are read as they are written, and a number is a constant", () => {
    const short = series(integer, 2);
    expect(short.format([1n, -2n, 3n])).toBe("(1;-2;3)");
    expect(short.parse("(1;-2;3)")).toEqual([1n, -2n, 3n]);
    expect(short.parse("7")).toEqual([7n, 0n, 0n]);
    for (const odd of ["(1;2)", "(1;2;3;4)", "(1;x;3)", "1;2;3"]) expect(short.parse(odd)).toBeUndefined();
    expect(() => series(integer, -1)).toThrow(/no order/);
  });
});
