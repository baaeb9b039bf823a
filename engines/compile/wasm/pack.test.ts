import { describe, expect, test } from "vitest";
import { sizeOf, stridesOf } from "../../../spec/index.ts";
import { apply, read } from "../plan/expression.ts";
import { chosen, type Machine } from "./choose.ts";
import type { Nest, Place } from "./nest.ts";
import { type Packed, packed } from "./pack.ts";

const machine: Machine = { bytes: 8, lanes: 2, regime: "bit_exact", isCall: () => false };
const SCRATCH = 1 << 24;

const placeAt = (base: number, strides: readonly number[]): Place => ({
  base,
  strides: strides.map((stride) => stride * machine.bytes),
  lookups: [],
});

/** Makes `Σₖ x y` of rows × columns over k, with these strides of both operands. */
function product(
  extents: readonly [number, number, number],
  left: readonly number[],
  right: readonly number[],
): Nest {
  return {
    extents,
    over: 1,
    combination: "add",
    expression: apply("multiply", read(0), read(1)),
    reads: [placeAt(1 << 20, left), placeAt(1 << 21, right)],
    target: placeAt(0, [extents[1], 1, 0]),
  };
}

const packedFrom = (nest: Nest): Packed | undefined =>
  packed({ nest, schedule: chosen(nest, machine) }, machine, SCRATCH);

/** Returns where the operand begins that is copied. */
const copiedFrom = (nest: Nest): number | undefined => packedFrom(nest)?.copy.reads[0]?.base;

describe.each<[string, Nest, number | undefined]>([
  ["x y", product([133, 35, 257], [257, 0, 1], [0, 1, 35]), 1 << 21],
  ["x yᵀ", product([133, 141, 17], [17, 0, 1], [0, 17, 1]), 1 << 21],
  ["x yᵀ of short rows", product([133, 141, 8], [8, 0, 1], [0, 8, 1]), 1 << 21],
  ["x yᵀ of shorter rows", product([133, 141, 7], [7, 0, 1], [0, 7, 1]), undefined],
  ["a product of 128 rows", product([128, 35, 257], [257, 0, 1], [0, 1, 35]), 1 << 21],
  ["a product of 127 rows", product([127, 35, 257], [257, 0, 1], [0, 1, 35]), undefined],
])("of %s", (_, nest, base) => {
  test("the operand that is read in large steps is copied, whether it is the first or the second", () => {
    expect(copiedFrom(nest)).toBe(base);
    expect(copiedFrom({ ...nest, reads: nest.reads.toReversed() })).toBe(base);
  });

  test("no operand is copied that is looked up", () => {
    const lookup = { ...placeAt(0, [0, 0, 0]), scale: machine.bytes };
    const reads = nest.reads.map((place) => ({ ...place, lookups: [lookup] }));
    expect(packedFrom({ ...nest, reads })).toBeUndefined();
  });

  test("the copy folds nothing, and fills the scratch memory densely", () => {
    const found = packedFrom(nest);
    if (found === undefined) return expect(base).toBeUndefined();
    const { copy, size } = found;
    const strides = stridesOf(copy.extents).map((stride) => stride * machine.bytes);
    expect(copy).toMatchObject({ over: 0, combination: "store", target: { base: SCRATCH, strides } });
    expect(size).toBe(sizeOf(copy.extents) * machine.bytes);
  });
});
