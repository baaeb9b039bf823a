import { describe, expect, test } from "vitest";
import type { Nest } from "./nest.ts";
import { accumulationWidths } from "./widths.ts";

/**
 * A nest of free loops, each with the strides of what is read and of what is written, and ordered ones that
 * have the strides of what is read.
 */
function nestOf(
  free: readonly (readonly [extent: number, ...strides: readonly number[]])[],
  ordered: readonly (readonly [extent: number, ...strides: readonly number[]])[],
): Nest {
  const all = [...free, ...ordered];
  const reads = (all[0]?.length ?? 1) - 1;
  const places = Array.from({ length: reads }, (_, n) => ({
    array: `a${n}`,
    position: { offset: 0, strides: all.map((loop) => loop[n + 1] ?? 0) },
    lookups: [],
  }));
  const written = {
    array: "t",
    position: { offset: 0, strides: all.map((_, n) => (n < free.length ? 1 : 0)) },
  };
  return {
    loops: all.map(([extent], n) => ({ extent, width: 1, isOrdered: n >= free.length })),
    places: [...places, { ...written, lookups: [] }],
  };
}

const product = (inner: number): Nest =>
  nestOf(
    [
      [16, inner, 0],
      [16, 0, 1],
    ],
    [[inner, 1, 16]],
  );

describe("the widths of a nest that accumulates", () => {
  test("are those of a tile of 4 by 4 for a product of matrices, and smaller ones where less stays in registers", () => {
    const widthsFor = (applications: number): readonly number[] =>
      accumulationWidths(product(64), applications, "add", false).widths;
    expect([0, 1, 4, 5, 16, 17].map(widthsFor)).toEqual([
      [4, 4, 1],
      [4, 4, 1],
      [4, 4, 1],
      [2, 2, 1],
      [2, 2, 1],
      // No tile is small enough; the loop that reads neighbours is then the only one, and is too much too.
      [1, 1, 1],
    ]);
  });

  test("have a short ordered loop written out, as long as it is short enough", () => {
    const innermost = (extent: number, applications: number): number | undefined =>
      accumulationWidths(product(extent), applications, "add", false).widths.at(-1);
    expect([2, 8, 9].map((extent) => innermost(extent, 1))).toEqual([2, 8, 1]);
    expect([4, 5].map((applications) => innermost(8, applications))).toEqual([8, 1]);
  });

  test("are along the loop that reads neighbours, where no two loops spare reads, else along the last", () => {
    const along = (...loops: Parameters<typeof nestOf>[0]): readonly number[] =>
      accumulationWidths(nestOf(loops, [[9, 100]]), 1, "add", false).widths;
    expect(along([8, 1], [8, 16])).toEqual([8, 1, 1]);
    expect(along([8, 16], [8, 1])).toEqual([1, 8, 1]);
    expect(along([8, 16], [8, 32])).toEqual([1, 8, 1]);
    expect(along([8, 0], [8, 16])).toEqual([1, 8, 1]);
  });

  test("grow with what an application leaves of the registers", () => {
    const widthFor = (applications: number): number | undefined =>
      accumulationWidths(nestOf([[8, 1]], [[9, 8]]), applications, "add", false).widths[0];
    expect([1, 4, 5, 16, 17].map(widthFor)).toEqual([8, 8, 4, 4, 1]);
  });

  test("split a single sum if that is allowed, and unroll a single maximum in any case", () => {
    const single = (operation: "add" | "maximum", maySplit: boolean, applications = 1, extent = 9): unknown =>
      accumulationWidths(nestOf([], [[extent, 1]]), applications, operation, maySplit);
    const plain = { widths: [1], isSplit: false, isInParts: false };
    expect(single("add", false)).toEqual(plain);
    expect(single("add", true)).toEqual({ widths: [4], isSplit: true, isInParts: true });
    expect(single("maximum", false)).toEqual({ widths: [4], isSplit: false, isInParts: true });
    expect([8, 9].map((work) => single("add", true, work))).toMatchObject([{ widths: [4] }, { widths: [2] }]);
    expect(single("add", true, 1, 8)).toEqual({ ...plain, widths: [8] });
    const twice = (operation: "add" | "maximum"): unknown =>
      accumulationWidths(
        nestOf(
          [],
          [
            [9, 9],
            [9, 1],
          ],
        ),
        1,
        operation,
        false,
      );
    expect([twice("add"), twice("maximum")]).toMatchObject([{ isInParts: false }, { isInParts: false }]);
  });
});
