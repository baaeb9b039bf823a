import { describe, expect, test } from "vitest";
import { present, type Shape, sizeOf, stridesOf } from "../../../../spec/index.ts";
import { read } from "../expression.ts";
import type { Access, Indirection } from "../program.ts";
import { type Producer, pieceProducer, readsThrough, wholeProducer } from "./composition.ts";

const at = (
  offset: number,
  strides: readonly number[],
  indirections: readonly Indirection[] = [],
): Access => ({
  offset,
  strides,
  indirections,
});
const lookup = (scale: number, strides: readonly number[]): Indirection => ({
  index: 0,
  offset: 0,
  strides,
  scale,
});

/** Makes a map of this shape that only reads. */
function move(shape: Shape, access: Access): Producer {
  return wholeProducer({ reads: [{ value: 0, ...access }], expression: read(0) }, shape);
}

/** Finds the elements of a read through a producer's one read. */
function through(producer: Producer, access: Access, extents: Shape): Access | undefined {
  const found = readsThrough(producer, access, extents)?.[0];
  return found && at(found.offset, found.strides, found.indirections);
}

describe("a read through a move", () => {
  const transposed = move([3, 2], at(0, [1, 3]));

  test("of a transposition has the strides of what was transposed", () => {
    expect(through(transposed, at(0, [2, 1]), [3, 2])).toEqual(at(0, [1, 3]));
    expect(through(transposed, at(1, [2]), [3])).toEqual(at(3, [1]));
    expect(through(transposed, at(5, [-2, -1]), [3, 2])).toEqual(at(5, [-1, -3]));
    expect(through(transposed, at(0, [3]), [2])).toEqual(at(0, [4]));
  });

  test("goes along two axes as one only if the move goes on evenly over them", () => {
    expect(through(transposed, at(0, [1]), [6])).toBeUndefined();
    expect(through(move([3, 2], at(7, [4, 2])), at(0, [1]), [6])).toEqual(at(7, [2]));
    expect(through(move([3, 2], at(0, [0, 0])), at(0, [1]), [6])).toEqual(at(0, [0]));
  });

  test("splits an axis of the move where the reader does", () => {
    expect(through(move([6], at(5, [-1])), at(0, [3, 1]), [2, 3])).toEqual(at(5, [-3, -1]));
  });

  test("of a broadcast repeats, and of axes of extent 1 does not care for strides", () => {
    expect(through(move([4, 3], at(0, [0, 1])), at(0, [3, 1]), [4, 3])).toEqual(at(0, [0, 1]));
    expect(through(move([3, 1, 2], at(0, [2, 77, 1])), at(0, [2, 55, 1]), [3, 1, 2])).toEqual(
      at(0, [2, 0, 1]),
    );
  });

  test("of a broadcast forgets a lookup along what is repeated", () => {
    expect(through(move([4, 2], at(0, [0, 1])), at(0, [0, 1], [lookup(2, [1, 0])]), [5, 2])).toEqual(
      at(0, [0, 1]),
    );
  });

  test("does not take an axis of extent 1 for the outermost", () => {
    expect(through(move([1, 4, 2], at(0, [0, 1, 4])), at(0, [0, 1], [lookup(2, [1, 0])]), [5, 2])).toEqual(
      at(0, [0, 4], [lookup(1, [1, 0])]),
    );
  });

  test("by a lookup is none where there is no axis to look along", () => {
    expect(through(move([1], at(0, [0])), at(0, [0], [lookup(1, [1])]), [5])).toBeUndefined();
  });

  test("keeps the move's lookups, and its own along the outermost axis", () => {
    const gathered = move([4, 2], at(0, [0, 1], [lookup(2, [1, 0])]));
    expect(through(gathered, at(2, [4]), [2])).toEqual(at(0, [0], [{ ...lookup(2, [2]), offset: 1 }]));
    expect(through(transposed, at(0, [0, 1], [lookup(2, [1, 0])]), [5, 2])).toEqual(
      at(0, [0, 3], [lookup(1, [1, 0])]),
    );
    expect(through(transposed, at(0, [2, 0], [lookup(1, [0, 1])]), [3, 5])).toBeUndefined();
    expect(through(gathered, at(0, [0, 1], [lookup(2, [1, 0])]), [5, 2])).toBeUndefined();
  });
});

describe("a read through a piece", () => {
  /** These are rows 1 and 2 of a matrix with 4 rows and 3 columns. */
  const rows = pieceProducer({
    shape: [2, 3],
    place: at(3, [3, 1]),
    reads: [{ value: 0, ...at(0, [1, 2]) }],
    expression: read(0),
  });

  test("is one only where all of it lies in the piece", () => {
    expect(through(rows, at(3, [3, 1]), [2, 3])).toEqual(at(0, [1, 2]));
    expect(through(rows, at(8, [-1]), [3])).toEqual(at(5, [-2]));
    expect(through(rows, at(0, [3, 1]), [2, 3])).toBeUndefined();
    expect(through(rows, at(6, [3, 1]), [2, 3])).toBeUndefined();
    expect(through(rows, at(2, [1]), [2])).toBeUndefined();
  });

  test("is none by a lookup, which might leave the piece", () => {
    expect(through(rows, at(3, [0, 1], [lookup(3, [1, 0])]), [2, 3])).toBeUndefined();
  });

  test("finds the elements of a piece that lies crosswise", () => {
    const columns = pieceProducer({
      shape: [3, 2],
      place: at(3, [1, 3]),
      reads: [{ value: 0, ...at(0, [2, 1]) }],
      expression: read(0),
    });
    expect(through(columns, at(3, [3, 1]), [2, 3])).toEqual(at(0, [1, 2]));
  });

  test("finds the elements between which the piece leaves gaps, or which it reverses", () => {
    const spread = pieceProducer({
      shape: [3],
      place: at(5, [-2]),
      reads: [{ value: 0, ...at(0, [1]) }],
      expression: read(0),
    });
    expect(through(spread, at(1, [2]), [3])).toEqual(at(2, [-1]));
    expect(through(spread, at(1, [1]), [3])).toBeUndefined();
    expect(through(spread, at(2, [2]), [2])).toBeUndefined();
    expect(through(spread, at(3, [2]), [3])).toBeUndefined();
  });
});

test("of every slice of every matrix that a permutation makes, the composed read finds the same elements", () => {
  let composed = 0;
  for (const shape of [
    [2, 3],
    [3, 4],
    [2, 1, 3],
    [4, 2, 2],
  ] satisfies Shape[]) {
    const reversed = stridesOf(shape.toReversed()).toReversed();
    const producer = move(shape, at(0, reversed));
    for (let offset = 0; offset < sizeOf(shape); offset++)
      for (let stride = -sizeOf(shape); stride <= sizeOf(shape); stride++)
        for (const extent of [1, 2, 3]) {
          const last = offset + stride * (extent - 1);
          if (last < 0 || last >= sizeOf(shape)) continue;
          const found = through(producer, at(offset, [stride]), [extent]);
          if (found === undefined) continue;
          composed += 1;
          for (let i = 0; i < extent; i++)
            expect(found.offset + present(found.strides[0], "stride") * i).toBe(
              moved(offset + stride * i, shape, reversed),
            );
        }
  }
  expect(composed).toBeGreaterThan(500);
});

/** Finds the element at a position of the result of a move with these strides. */
function moved(position: number, shape: Shape, strides: readonly number[]): number {
  return stridesOf(shape).reduce(
    (sum, stride, axis) =>
      sum +
      (Math.floor(position / stride) % present(shape[axis], "extent")) * present(strides[axis], "stride"),
    0,
  );
}
