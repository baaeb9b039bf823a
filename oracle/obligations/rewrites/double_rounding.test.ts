import { describe, expect, test } from "vitest";
import {
  literal,
  type ScalarFunction,
  scalarFunctions,
  unitOf,
} from "../../../engines/compile/plan/index.ts";
import { operations } from "./double_rounding.ts";
import { type AnyFormat, roundedTo } from "./numbers.ts";

/** Lists all finite numbers of a format. */
function numbersOf({ exponent, significand }: AnyFormat): readonly number[] {
  const greatest = 2 ** (exponent - 1) - 1;
  const fractions = Array.from({ length: 2 ** (significand - 1) }, (_, n) => n / 2 ** (significand - 1));
  const scales = Array.from({ length: 2 * greatest }, (_, n) => n + 1 - greatest);
  const normal = scales.flatMap((scale) => fractions.map((fraction) => (1 + fraction) * 2 ** scale));
  const magnitudes = [...fractions.map((fraction) => fraction * 2 ** (1 - greatest)), ...normal];
  return magnitudes.flatMap((x) => [x, -x]);
}

/** Counts the numbers of a format for which an operation by way of this many bits differs. */
function differences(format: AnyFormat, bits: number, { of, count }: (typeof operations)[number]): number {
  const numbers = numbersOf(format);
  const wide = { exponent: format.exponent + 3, significand: bits };
  let found = 0;
  for (const x of numbers)
    for (const y of count === 1 ? [0] : numbers) {
      const exact = of(x, y);
      if (!Object.is(roundedTo(format, roundedTo(wide, exact)), roundedTo(format, exact))) found += 1;
    }
  return found;
}

/** This many bits beyond 2 q are enough for q bits, in formats of this range. */
const beyond = { add: 1, subtract: 1, multiply: 0, divide: 0, sqrt: 2 } as const;

describe.each([
  { exponent: 3, significand: 4 },
  { exponent: 4, significand: 5 },
])("rounding to $significand bits by way of more", (format) => {
  test.each(operations)("keeps $name if the bits are enough, and not with one less", (operation) => {
    const least = 2 * format.significand + beyond[operation.name];
    expect(differences(format, 2 * format.significand + 2, operation)).toBe(0);
    expect(differences(format, least, operation)).toBe(0);
    expect(differences(format, least - 1, operation)).toBeGreaterThan(0);
  });
});

test("float64's numbers are rounded to float16 and float32 as the host does it", () => {
  for (const x of [
    1 / 3,
    2049,
    -2051,
    65519.9,
    65520,
    2 ** -25,
    2 ** -24 * 1.5,
    -1e-9,
    1e30,
    6e-46,
    3.5e38,
  ]) {
    expect(roundedTo({ exponent: 5, significand: 11 }, x)).toBe(Math.f16round(x));
    expect(roundedTo({ exponent: 8, significand: 24 }, x)).toBe(Math.fround(x));
  }
});

test("numbers are computed beforehand by operations that are claimed, by comparisons and by no other function", () => {
  const folded: string[] = [];
  let name: ScalarFunction;
  for (name in scalarFunctions) {
    const operands = [1.5, 0.75, 2.5].slice(0, scalarFunctions[name]).map(literal);
    if (unitOf({ kind: "apply", function: name, operands })?.kind === "literal") folded.push(name);
  }
  expect(folded.toSorted()).toEqual([
    "add",
    "divide",
    "equal",
    "less",
    "multiply",
    "negative",
    "select",
    "subtract",
  ]);
});

test("numbers that float32 has not are not computed with beforehand, so that each result is rounded before it is an operand", () => {
  const third = literal(1 / 3);
  expect(unitOf({ kind: "apply", function: "add", operands: [third, literal(1)] })).toBeUndefined();
  expect(unitOf({ kind: "apply", function: "less", operands: [literal(0.5), third] })).toBeUndefined();
});
