import { describe, expect, test } from "vitest";
import { apply, read } from "../expression.ts";
import type { LoopProgram, MapInstruction } from "../program.ts";
import { earlyPart, startsOf } from "./segmentation.ts";

/** Makes maps of so many elements, each of which reads the first element of some values. */
function maps(...rows: readonly (readonly [size: number, ...values: number[]])[]): LoopProgram {
  const instructions = rows.map(
    ([size, ...values]): MapInstruction => ({
      kind: "map",
      shape: [size],
      reads: values.map((value) => ({ value, offset: 0, strides: [0], indirections: [] })),
      expression: values.map((_, n) => read(n)).reduce((sum, one) => apply("add", sum, one)),
    }),
  );
  const sources = [{ origin: { kind: "input", position: 0 } as const, shape: [9] }];
  return { sources, indexSources: [], instructions, results: [instructions.length] };
}

describe("the early part", () => {
  test("keeps what a late instruction reads, and counts what early ones read over each boundary", () => {
    const { cut, kept, crossing } = earlyPart(maps([1, 0], [2, 0], [4, 1], [8, 2, 0], [1, 1, 4]), 4);
    expect(cut).toBe(4);
    expect([...kept]).toEqual([1, 0, 0, 8]);
    expect([...crossing]).toEqual([0, 1, 3, 2]);
  });

  test("ends by itself after the instruction while which most is alive", () => {
    expect(earlyPart(maps([2, 0], [4, 1], [1, 1], [1, 3])).cut).toBe(2);
    expect(earlyPart(maps([2, 0], [1, 1], [4, 1], [1, 2, 3])).cut).toBe(3);
  });
});

describe("segments", () => {
  const starts = (
    parts: number,
    crossing: readonly number[],
    kept: readonly number[] = [1, 1, 1, 1, 1, 1, 1, 1],
  ) => startsOf({ cut: 8, kept: Float64Array.from(kept), crossing: Float64Array.from(crossing) }, parts);

  test("keep as much each", () => {
    expect(starts(4, [3, 3, 3, 3, 3, 3, 3, 3])).toEqual([0, 2, 4, 6]);
    expect(starts(2, [3, 3, 3, 3, 3, 3, 3, 3], [1, 1, 0, 0, 0, 0, 0, 2])).toEqual([0, 2]);
  });

  test("begin where less crosses, near by, and among equals at the nearest", () => {
    expect(starts(4, [3, 2, 3, 3, 3, 1, 2, 0])).toEqual([0, 1, 4, 5]);
    expect(starts(2, [9, 0, 3, 2, 3, 2, 0, 0])).toEqual([0, 3]);
    expect(starts(2, [9, 9, 2, 2, 3, 9, 9, 9])).toEqual([0, 3]);
  });

  test("of what keeps nothing are one", () => {
    expect(starts(4, [3, 2, 1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0, 0, 0])).toEqual([0]);
  });
});
