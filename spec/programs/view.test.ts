import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sizeOf, stridesOf } from "../shapes/shape.ts";
import type { Transform } from "./program.ts";
import {
  isRowMajor,
  isWhole,
  overlap,
  positionsOf,
  seesTwice,
  transformed,
  type View,
  wholeView,
} from "./view.ts";

function seen(view: View, how: Transform): View | undefined {
  const result = transformed(view, how, Number);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

function through(view: View, ...all: readonly Transform[]): View {
  return all.reduce((current, how) => seen(current, how) ?? expect.unreachable("a copy"), view);
}

/** Tells whether some strides, axis by axis, see these positions in this order and shape. */
function hasStrides(positions: readonly number[], shape: readonly number[]): boolean {
  const steps = stridesOf(shape).map((step, axis) =>
    shape[axis] === 1 ? 0 : (positions[step] ?? 0) - (positions[0] ?? 0),
  );
  const other = positionsOf({ offset: positions[0] ?? 0, shape, strides: steps });
  return other.every((position, i) => position === positions[i]);
}

const matrix = wholeView([2, 3]);
const transpose: Transform = { kind: "permute", axes: [1, 0] };
const backwards: Transform = { kind: "slice", starts: [0, 2], sizes: [2, 3], steps: [1, -1] };

describe("a view", () => {
  test.each<[string, readonly Transform[], readonly number[]]>([
    ["all", [], [0, 1, 2, 3, 4, 5]],
    ["a row", [{ kind: "slice", starts: [1, 0], sizes: [1, 3], steps: [1, 1] }], [3, 4, 5]],
    [
      "every second of a column",
      [{ kind: "slice", starts: [0, 0], sizes: [2, 2], steps: [1, 2] }],
      [0, 2, 3, 5],
    ],
    ["the transpose", [transpose], [0, 3, 1, 4, 2, 5]],
    ["the transpose twice", [transpose, transpose], [0, 1, 2, 3, 4, 5]],
    ["the diagonal", [{ kind: "diagonal" }], [0, 4]],
    ["the diagonal of the transpose", [transpose, { kind: "diagonal" }], [0, 4]],
    [
      "a row for a matrix",
      [
        { kind: "slice", starts: [1, 0], sizes: [1, 3], steps: [1, 1] },
        { kind: "broadcast", shape: [2, 3] },
      ],
      [3, 4, 5, 3, 4, 5],
    ],
    ["its columns backwards", [backwards], [2, 1, 0, 5, 4, 3]],
    ["its columns backwards twice", [backwards, backwards], [0, 1, 2, 3, 4, 5]],
    [
      "every second of a column, backwards",
      [{ kind: "slice", starts: [1, 2], sizes: [2, 2], steps: [-1, -2] }],
      [5, 3, 2, 0],
    ],
    ["a diagonal above", [{ kind: "diagonal", offset: 1, axes: [0, 1] }], [1, 5]],
    ["a diagonal below", [{ kind: "diagonal", offset: -1, axes: [0, 1] }], [3]],
    ["a diagonal that has no elements", [{ kind: "diagonal", offset: 3, axes: [0, 1] }], []],
    ["the diagonal of the axes in another order", [{ kind: "diagonal", offset: -1, axes: [1, 0] }], [1, 5]],
    ["windows of columns", [{ kind: "unfold", axis: 1, size: 2, step: 1 }], [0, 1, 1, 2, 3, 4, 4, 5]],
    ["windows of rows", [{ kind: "unfold", axis: 0, size: 2, step: 1 }], [0, 3, 1, 4, 2, 5]],
    ["windows that begin two apart", [{ kind: "unfold", axis: 1, size: 1, step: 2 }], [0, 2, 3, 5]],
    [
      "diagonals of windows, one for each row",
      [
        { kind: "unfold", axis: 1, size: 2, step: 1 },
        { kind: "diagonal", offset: 1, axes: [1, 2] },
      ],
      [1, 4],
    ],
    [
      "strides over a column, from its last element",
      [
        { kind: "slice", starts: [0, 1], sizes: [2, 1], steps: [1, 1] },
        { kind: "reshape", shape: [2] },
        { kind: "strided", start: 1, shape: [2, 3], strides: [-1, 0] },
      ],
      [4, 4, 4, 1, 1, 1],
    ],
    ["the same in another shape", [{ kind: "reshape", shape: [3, 2] }], [0, 1, 2, 3, 4, 5]],
  ])("sees %s", (_, transforms, positions) => {
    expect(positionsOf(through(matrix, ...transforms))).toEqual(positions);
  });

  test("is a copy where no strides do a reshape, and only there", () => {
    const flat: Transform = { kind: "reshape", shape: [6] };
    expect(seen(matrix, flat)).toBeDefined();
    expect(seen(through(matrix, transpose), flat)).toBeUndefined();
    const row = through(matrix, { kind: "slice", starts: [1, 0], sizes: [1, 3], steps: [1, 1] });
    expect(seen(row, { kind: "reshape", shape: [3] })?.offset).toBe(3);
    const column = through(matrix, transpose, {
      kind: "slice",
      starts: [1, 0],
      sizes: [1, 2],
      steps: [1, 1],
    });
    expect(positionsOf(through(column, { kind: "reshape", shape: [2, 1] }))).toEqual([1, 4]);
  });

  test("in another shape sees the same elements in the same order, whenever there are strides for it", () => {
    const cube = wholeView([2, 4, 6]);
    const shapes = [[48], [8, 6], [2, 24], [4, 2, 6], [2, 2, 2, 6], [2, 4, 3, 2], [1, 2, 4, 1, 6], [6, 8]];
    const orders = [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [2, 0, 1],
    ];
    const count = { views: 0, copies: 0 };
    for (const axes of orders) {
      const view = through(cube, { kind: "permute", axes });
      for (const shape of shapes) {
        const other = seen(view, { kind: "reshape", shape });
        count[other === undefined ? "copies" : "views"]++;
        if (other !== undefined) expect(positionsOf(other)).toEqual(positionsOf(view));
        else expect(hasStrides(positionsOf(view), shape)).toBe(false);
      }
    }
    expect(count.views).toBeGreaterThan(10);
    expect(count.copies).toBeGreaterThan(10);
  });

  test("sees an element twice when it was broadcast, unless to what it was", () => {
    expect(seesTwice(through(matrix, { kind: "broadcast", shape: [2, 2, 3] }))).toBe(true);
    expect(seesTwice(through(matrix, { kind: "broadcast", shape: [1, 2, 3] }))).toBe(false);
    expect(seesTwice(through(wholeView([0]), { kind: "broadcast", shape: [2, 0] }))).toBe(false);
  });

  test("sees an element twice exactly where its positions say so, whatever it was made by", () => {
    const count = { once: 0, twice: 0 };
    const extents = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 });
    const made = (shape: readonly number[], next: (below: number) => number): View => {
      let view = wholeView(shape);
      for (let left = 1 + next(4); left > 0; left--) {
        const all: readonly Transform[] = [
          { kind: "permute", axes: view.shape.map((_, axis) => (axis + 1) % view.shape.length) },
          { kind: "diagonal" },
          { kind: "broadcast", shape: [1 + next(3), ...view.shape] },
          { kind: "reshape", shape: [sizeOf(view.shape)] },
          {
            kind: "reshape",
            shape: view.shape.length === 1 && sizeOf(view.shape) === 4 ? [2, 2] : view.shape,
          },
          {
            kind: "slice",
            starts: view.shape.map(() => 0),
            sizes: view.shape.map((extent) => Math.ceil(extent / 2)),
            steps: view.shape.map(() => 2),
          },
          {
            kind: "slice",
            starts: view.shape.map((extent) => extent - 1),
            sizes: view.shape,
            steps: view.shape.map(() => -1),
          },
          { kind: "unfold", axis: next(view.shape.length), size: 1 + next(2), step: 1 + next(2) },
          { kind: "strided", start: 0, shape: [2, 2], strides: [next(3), next(3)] },
        ];
        const other = transformed(view, all[next(all.length)] ?? transpose, Number);
        if (other.ok && other.value !== undefined) view = other.value;
      }
      return view;
    };
    fc.assert(
      fc.property(extents, fc.infiniteStream(fc.nat(71)), (shape, numbers) => {
        const view = made(shape, (below) => Number(numbers.next().value) % below);
        const positions = positionsOf(view);
        const isTwice = new Set(positions).size < positions.length;
        expect(seesTwice(view)).toBe(isTwice);
        count[isTwice ? "twice" : "once"]++;
      }),
      { seed: 5, numRuns: 1500 },
    );
    expect(Math.min(count.once, count.twice)).toBeGreaterThan(200);
  });

  test("of strides that no nesting explains sees an element twice exactly where two sums meet", () => {
    const row = wholeView([40]);
    const over = (shape: readonly number[], strides: readonly number[], start = 0): boolean =>
      seesTwice(through(row, { kind: "strided", start, shape, strides }));
    expect(over([3, 2], [2, 3])).toBe(false);
    expect(over([4, 3], [2, 3])).toBe(true);
    expect(over([3, 2], [-2, 3], 10)).toBe(false);
    expect(over([4, 3], [-2, 3], 10)).toBe(true);
    expect(over([2, 2, 2], [6, 10, 15])).toBe(false);
    expect(over([3, 2], [1, 1])).toBe(true);
  });

  test("refuses a place outside of what it is a view of", () => {
    const fault = (how: Transform): string | undefined => {
      const result = transformed(wholeView([2, 3]), how, Number);
      return result.ok ? undefined : result.error.code;
    };
    expect(fault({ kind: "slice", starts: [0, 1], sizes: [2, 3], steps: [1, -1] })).toBe("program/index");
    expect(fault({ kind: "slice", starts: [0, 3], sizes: [2, 0], steps: [1, -1] })).toBeUndefined();
    expect(fault({ kind: "slice", starts: [0, 0], sizes: [2, 1], steps: [1, 0] })).toBe("shape/step");
    expect(fault({ kind: "diagonal", offset: 4, axes: [0, 1] })).toBe("program/index");
    expect(fault({ kind: "diagonal", offset: 0, axes: [1, 1] })).toBe("shape/rank");
    expect(fault({ kind: "unfold", axis: 2, size: 1, step: 1 })).toBe("shape/rank");
    expect(fault({ kind: "unfold", axis: 1, size: 4, step: 1 })).toBe("shape/window");
    expect(fault({ kind: "strided", start: 0, shape: [2], strides: [1] })).toBe("shape/axes");
  });

  test("of a broadcast that nobody could count is told at once", () => {
    const view = through(wholeView([1]), { kind: "broadcast", shape: [2 ** 26, 1] });
    expect(seesTwice(view)).toBe(true);
    expect(seesTwice(wholeView([2 ** 26]))).toBe(false);
  });

  test("overlaps another exactly where they have a position in common", () => {
    const column = (start: number): View =>
      through(matrix, { kind: "slice", starts: [0, start], sizes: [2, 1], steps: [1, 1] });
    expect(overlap(column(0), column(1))).toBe(false);
    expect(overlap(column(1), through(matrix, { kind: "diagonal" }))).toBe(true);
    expect(overlap(column(2), through(matrix, { kind: "diagonal" }))).toBe(false);
  });

  test("of random slices and transposes sees what indexing the elements gives", () => {
    const extents = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(extents, fc.infiniteStream(fc.nat(3)), (shape, numbers) => {
        const next = (most: number): number => Number(numbers.next().value) % most;
        const starts = shape.map((extent) => next(extent));
        const sizes = shape.map((extent, axis) => 1 + next(extent - (starts[axis] ?? 0)));
        const axes = shape.map((_, axis) => (axis + 1) % shape.length);
        const view = through(
          wholeView(shape),
          { kind: "slice", starts, sizes, steps: shape.map(() => 1) },
          { kind: "permute", axes },
        );
        const positions = positionsOf(view);
        expect(positions).toHaveLength(sizeOf(sizes));
        expect(new Set(positions).size).toBe(positions.length);
        expect(isWhole(view, sizeOf(shape))).toBe(
          positions.length === sizeOf(shape) && positions.every((position, i) => position === i),
        );
        if (isRowMajor(view)) expect(positions).toEqual(positions.map((_, i) => (positions[0] ?? 0) + i));
      }),
      { seed: 3, numRuns: 300 },
    );
  });
});
