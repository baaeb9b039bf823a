import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { binaryNames, type OrderedReal, present, unaryNames } from "../../spec/index.ts";
import { boolean } from "./boolean.ts";
import { float64 } from "./float.ts";

const pattern = present(boolean.levels.orderedReal, "what patterns offer");
const float = present(float64.levels.orderedReal, "the reals");

const unary = ["negative", ...unaryNames] as const;
const binary = ["add", "multiply", "divide", ...binaryNames] as const;
type Operations = Pick<OrderedReal<boolean, unknown>, (typeof unary)[number] | (typeof binary)[number]>;

const finite = fc.oneof(fc.constantFrom(0, -0, 1, -1), fc.double({ noNaN: true, noDefaultInfinity: true }));

/** Operands for which a number is not zero, be it infinite, where the pattern of its operands says "zero". */
function misses(operations: Operations): unknown {
  const isMissed = (x: number, isListed: boolean): boolean => !Number.isNaN(x) && x !== 0 && !isListed;
  const law = fc.property(
    finite,
    finite,
    (x, y) =>
      !unary.some((f) => isMissed(float[f](x), operations[f](x !== 0))) &&
      !binary.some((f) => isMissed(float[f](x, y), operations[f](x !== 0, y !== 0))),
  );
  return fc.check(law, { seed: 30, numRuns: 500 }).counterexample;
}

describe("a sparsity pattern", () => {
  it("contains what finite numbers give under every operation", () => {
    expect(misses(pattern)).toBeNull();
  });

  test.each<readonly [string, Partial<Operations>]>([
    ["adds up to what both have", { add: (x, y) => x && y }],
    ["divides to nothing by zero, where a quotient is infinite", { divide: (x, y) => x && y }],
    ["keeps zeros under cos", { cos: (x) => x }],
    ["keeps zeros under exp", { exp: (x) => x }],
    ["keeps zeros under log", { log: (x) => x }],
    ["loses everything under tanh", { tanh: () => false }],
    ["keeps zeros under acos", { acos: (x) => x }],
    ["keeps zeros under cosh", { cosh: (x) => x }],
    ["is zero on the axis under atan2", { atan2: (y) => y }],
    ["needs both legs under hypot", { hypot: (x, y) => x && y }],
    ["keeps zeros under pow", { pow: (x) => x }],
  ])("planted so that it %s does not", (_fault, planted) => {
    expect(misses({ ...pattern, ...planted })).not.toBeNull();
  });

  it("keeps the zeros that are zeros whatever the numbers", () => {
    const { add, multiply, negative, sin, tanh, sqrt, expm1, log1p, tan, asin, erf, hypot } = pattern;
    expect([add(false, false), multiply(true, false), multiply(false, true)]).toEqual(Array(3).fill(false));
    const kept = [negative, sin, tanh, sqrt, expm1, log1p, tan, asin, pattern.atan, pattern.sinh, erf];
    expect(kept.map((f) => f(false))).toEqual(kept.map(() => false));
    expect([pattern.asinh(false), pattern.atanh(false), hypot(false, false)]).toEqual(Array(3).fill(false));
  });

  it("joins both sides where a program branches", () => {
    const order = present(boolean.levels.ordered, "an order");
    const condition = order.less(true, false);
    expect([order.select(condition, true, false), order.select(condition, false, true)]).toEqual([
      true,
      true,
    ]);
    expect(order.select(order.equal(true, true), false, false)).toBe(false);
  });
});
