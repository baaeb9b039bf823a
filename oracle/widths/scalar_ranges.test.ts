import { describe, expect, test } from "vitest";
import { type ScalarFunction, scalarFunctions } from "../../engines/compile/plan/index.ts";
import { Choice } from "../../engines/compile/plan/programs.test.kit.ts";
import { posit, positValue } from "../../reference/numerics/index.ts";
import { binaryNames, present, standardPosit, unaryNames } from "../../spec/index.ts";
import { appliedTo, between } from "./scalar_ranges.ts";
import type { CodeRange } from "./summands.ts";

const format = standardPosit(8);
const made = posit(format);
const operations = present(made.ok ? made.value.levels.orderedReal : undefined, "posits of 8 bits");
const nothing = -(2n ** BigInt(format.width - 1));

/** Computes with posits of 8 bits, from codes to a code. */
function computed(name: ScalarFunction, [x = 0n, y = 0n, z = 0n]: readonly bigint[]): bigint {
  const unary = unaryNames.find((one) => one === name);
  if (unary !== undefined) return operations[unary](x);
  const binary = binaryNames.find((one) => one === name);
  if (binary !== undefined) return operations[binary](x, y);
  const { zero, one } = operations;
  switch (name) {
    case "negative":
      return operations.negative(x);
    case "floor":
      return operations.floor(x);
    case "add":
      return operations.add(x, y);
    case "subtract":
      return operations.add(x, operations.negative(y));
    case "multiply":
      return operations.multiply(x, y);
    case "divide":
      return operations.divide(x, y);
    case "less":
      return x < y ? one : zero;
    case "equal":
      return x === y ? one : zero;
    case "select":
      return x === 0n ? z : y;
    default:
      return operations.add(operations.multiply(x, y), z);
  }
}

/** Draws a range of codes, narrow or wide, and a code in it. */
function drawn(choice: Choice): { readonly range: CodeRange; readonly code: bigint } {
  const low = BigInt(choice.between(-127, 127));
  const high = BigInt(
    choice.between(Number(low), choice.happens(0.3) ? 127 : Math.min(127, Number(low) + 9)),
  );
  return { range: { low, high }, code: low + BigInt(choice.below(Number(high - low) + 1)) };
}

/** Counts values at drawn codes that `rangeOf` misses, and those that it bounds at all. */
function trial(
  name: ScalarFunction,
  rangeOf: (operands: readonly CodeRange[]) => CodeRange | undefined,
): { readonly outside: string[]; readonly said: number } {
  const outside: string[] = [];
  let said = 0;
  for (let seed = 0; seed < 300; seed++) {
    const choice = new Choice(seed);
    const operands = Array.from({ length: scalarFunctions[name] }, () => drawn(choice));
    const range = rangeOf(operands.map((operand) => operand.range));
    if (range === undefined) continue;
    said += 1;
    const value = computed(
      name,
      operands.map(({ code }) => code),
    );
    if (value !== nothing && (value < range.low || value > range.high)) outside.push(`${name}, seed ${seed}`);
  }
  return { outside, said };
}

const names = Object.keys(scalarFunctions).filter((name): name is ScalarFunction => name in scalarFunctions);

describe("the range of a scalar function", () => {
  test.each(names)("holds its values at codes in the operands' ranges: %s", (name) => {
    const { outside, said } = trial(name, (operands) => appliedTo(name, operands, format));
    expect(outside).toEqual([]);
    expect(said).toBeGreaterThan(20);
  });

  test.each([
    "cos",
    "cosh",
    "multiply",
  ] as const)("misses values if it is computed from the ends alone: %s", (name) => {
    const ofEnds = (operands: readonly CodeRange[]): CodeRange => {
      const ends = [operands.map(({ low }) => low), operands.map(({ high }) => high)];
      const [a = 0n, b = 0n] = ends.map((codes) => computed(name, codes));
      return a < b ? { low: a, high: b } : { low: b, high: a };
    };
    expect(trial(name, ofEnds).outside).not.toEqual([]);
  });
});

test("codes around a number are the nearest on both sides, and the same where it is one", () => {
  const third = { numerator: 1n, denominator: 3n };
  const { low, high } = between(third, third, format);
  expect(high - low).toBe(1n);
  expect(between(positValue(format, low), positValue(format, high), format)).toEqual({ low, high });
  const far = { numerator: 10n ** 40n, denominator: 1n };
  expect(between(far, far, format)).toEqual({ low: 127n, high: 127n });
});
