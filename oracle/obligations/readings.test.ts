import { expect, test } from "vitest";
import { readBoth, readingsOf } from "./readings.ts";

const readings = readingsOf(["a", "b", "c", "d"], 3);

/** Computes of both readings' values. */
function both(of: (values: Readonly<Record<string, number>>) => number): readonly [number, number] {
  return [of(readings[0].values), of(readings[1].values)];
}

test.each<readonly [string, (values: Readonly<Record<string, number>>) => number]>([
  ["(+ (* 2 b c) (* a b d) 1)", ({ a = 0, b = 0, c = 0, d = 0 }) => a * b * d + 2 * b * c + 1],
  ["(+ (* (- 1) c) (* b d))", ({ b = 0, c = 0, d = 0 }) => b * d - c],
  ["0", () => 0],
])("%s is read back", (text, of) => {
  expect(readBoth(readings, both(of))).toBe(text);
});

test("squares, quotients and what is no integer are refused", () => {
  for (const of of [
    ({ d = 0 }) => d * d,
    ({ a = 0 }) => a / 3,
    ({ a = 0, b = 0 }) => Math.floor(b / a) * 3,
  ] satisfies ((values: Readonly<Record<string, number>>) => number)[])
    expect(() => readBoth(readings, both(of))).toThrow();
});

test("the order of the unknowns is that of their values", () => {
  for (const { values } of readings) {
    const numbers = ["a", "b", "c", "d"].map((name) => values[name] ?? 0);
    expect(numbers).toEqual(numbers.toSorted((x, y) => x - y));
  }
});
