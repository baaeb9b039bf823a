import { describe, expect, test } from "vitest";
import {
  coordinatesOf,
  type EnvironmentValue,
  float64,
  rules,
  type Tensor,
} from "../../../reference/package.ts";
import {
  type Levels,
  type NeedOf,
  type PrimitiveAttributes,
  type PrimitiveName,
  present,
  primitives,
  type Shape,
  sizeOf,
  sliceAxis,
} from "../../../spec/index.ts";

/*
 * Lemmas speak of formulas. Here the reference runs on operands that record which element is read when, and
 * its reads must be what the formulas say, position by position.
 */

/** Makes a tensor that records the positions read of it. */
function recording(shape: Shape): { readonly tensor: Tensor<number>; readonly reads: number[] } {
  const reads: number[] = [];
  const plain = Array.from({ length: sizeOf(shape) }, (_, position) => position);
  const data = new Proxy(plain, {
    get(target, key, receiver) {
      if (typeof key === "string" && /^-?\d+$/.test(key)) reads.push(Number(key));
      return Reflect.get(target, key, receiver);
    },
  });
  return { tensor: { shape, data }, reads };
}

interface Indices {
  readonly shape: Shape;
  readonly indices: readonly number[];
}

/** Makes an operator of operands of those shapes, ready to run on any. */
function applied<K extends PrimitiveName>(
  op: K,
  attributes: PrimitiveAttributes[K],
  shapes: readonly Shape[],
  indices?: Indices,
) {
  const declared = indices === undefined ? [] : [{ name: "k", kind: "index" as const, shape: indices.shape }];
  const shape = primitives[op].shape(attributes, shapes, declared);
  if (!shape.ok) throw new Error(shape.error.message);
  const levels: Levels<number, boolean>[NeedOf[K]] | undefined = float64.levels[primitives[op].needs];
  const algebra = present(levels, op);
  const environment = new Map<string, EnvironmentValue<number>>(
    indices === undefined ? [] : [["k", { kind: "index", ...indices }]],
  );
  const application = { algebra, attributes, environment, shape: shape.value };
  return {
    shape: shape.value,
    forward: (operands: readonly Tensor<number>[]) => rules[op].forward({ ...application, operands }),
    vjp: (operands: readonly Tensor<number>[], cotangent: Tensor<number>) =>
      rules[op].vjp({ ...application, operands }, cotangent),
  };
}

/** Records what `forward` reads of each operand, in order. */
function readsOf<K extends PrimitiveName>(
  op: K,
  attributes: PrimitiveAttributes[K],
  shapes: readonly Shape[],
  indices?: Indices,
): readonly (readonly number[])[] {
  const operands = shapes.map(recording);
  applied(op, attributes, shapes, indices).forward(operands.map(({ tensor }) => tensor));
  return operands.map(({ reads }) => reads);
}

/** Finds where `forward` takes each element of the one operand, and from where `vjp` brings its cotangent. */
function pathsOf<K extends PrimitiveName>(
  op: K,
  attributes: PrimitiveAttributes[K],
  from: Shape,
  indices?: Indices,
): { readonly reached: readonly (readonly number[])[]; readonly brought: readonly (readonly number[])[] } {
  const { shape, forward, vjp } = applied(op, attributes, [from], indices);
  const only = (of: Shape, place: number): Tensor<number> => ({
    shape: of,
    data: range(sizeOf(of)).map((position) => (position === place ? 1 : 0)),
  });
  const result = recording(shape);
  vjp([only(from, 0)], result.tensor);
  expect(result.reads.filter((position) => position < 0 || position >= sizeOf(shape))).toEqual([]);
  const brought = range(sizeOf(shape)).map(
    (place) => vjp([only(from, 0)], only(shape, place))[0]?.data ?? [],
  );
  return {
    reached: range(sizeOf(from)).map((place) =>
      range(sizeOf(shape)).filter((position) => forward([only(from, place)]).data[position] !== 0),
    ),
    brought: range(sizeOf(from)).map((place) =>
      range(sizeOf(shape)).filter((position) => brought[position]?.[place] !== 0),
    ),
  };
}

const range = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
const extents = [0, 1, 2, 3, 5] as const;

describe("what the reference reads is what the lemmas say, for", () => {
  test("coordinates: quotient by the stride, rest by the extent", () => {
    for (const outer of [1, 2, 3])
      for (const extent of [1, 2, 4])
        for (const stride of [1, 3]) {
          const shape = [outer, extent, stride];
          for (const p of range(sizeOf(shape))) {
            const q = (p - (p % stride)) / stride;
            expect(coordinatesOf(shape, p)).toEqual([(q - (q % extent)) / extent, q % extent, p % stride]);
          }
        }
  });

  test("broadcast_to: 0 of an axis of extent 1, else the same", () => {
    for (const to of extents)
      for (const from of [1, to])
        expect(readsOf("broadcast_to", { shape: [2, to] }, [[from]])[0]).toEqual(
          range(2 * to).map((p) => (from === 1 ? 0 : p % to)),
        );
  });

  test("slice: first + i · step, for fewer indices than reach the stop", () => {
    for (const extent of extents)
      for (const step of [-3, -2, -1, 1, 2, 3])
        for (const start of [-9, -2, 0, 1, 4, 9])
          for (const stop of [-9, -2, 0, 3, 9]) {
            const { first, count } = sliceAxis(extent, start, stop, step);
            const reads = readsOf("slice", { starts: [start], stops: [stop], steps: [step] }, [[extent]])[0];
            expect(reads).toEqual(range(count).map((i) => first + i * step));
            const [least, greatest] = step > 0 ? [0, extent] : [-1, extent - 1];
            const end = Math.min(Math.max(stop < 0 ? stop + extent : stop, least), greatest);
            const isShort = step > 0 ? first + (count - 1) * step < end : first + (count - 1) * step > end;
            expect(count === 0 || isShort).toBe(true);
          }
  });

  test("permute_dims: the coordinates by the inverse permutation", () => {
    const axes = [2, 0, 1];
    const [x, y, z] = [2, 3, 4];
    expect(readsOf("permute_dims", { axes }, [[x, y, z]])[0]).toEqual(
      range(z * x * y).map((p) => {
        const [c = 0, a = 0, b = 0] = coordinatesOf([z, x, y], p);
        return (a * y + b) * z + c;
      }),
    );
  });

  test("concat: the coordinate less the extents before, in the part that ends beyond it", () => {
    const parts = [2, 0, 3];
    expect(
      readsOf(
        "concat",
        { axis: 0 },
        parts.map((part) => [part]),
      ),
    ).toEqual(parts.map(range));
  });

  test("take, take_along_axis: the entry for the coordinate", () => {
    const indices = { shape: [4], indices: [2, 0, 2, 1] };
    for (const op of ["take", "take_along_axis"] as const)
      expect(readsOf(op, { axis: 0, indices: "k" }, [[3]], indices)[0]).toEqual([2, 0, 2, 1]);
  });

  test("gather: the block that the row names, and the rest", () => {
    const indices = { shape: [3, 2], indices: [1, 2, 0, 0, 1, 1] };
    const [rows, depth, inner] = [3, 2, 2];
    expect(readsOf("gather", { indices: "k" }, [[2, 3, inner]], indices)[0]).toEqual(
      range(rows * inner).map((p) => {
        const row = Math.floor(p / inner);
        const [a = 0, b = 0] = indices.indices.slice(row * depth, row * depth + depth);
        return (a * 3 + b) * inner + (p % inner);
      }),
    );
  });

  test("matmul: row · inner + k, and (batch · inner + k) · columns + column", () => {
    const [batches, rows, inner, columns] = [2, 3, 2, 4];
    const places = range(batches * rows * columns).flatMap((p) => range(inner).map((k) => ({ p, k })));
    const row = (p: number): number => Math.floor(p / columns);
    expect(
      readsOf("matmul", {}, [
        [batches, rows, inner],
        [batches, inner, columns],
      ]),
    ).toEqual([
      places.map(({ p, k }) => row(p) * inner + k),
      places.map(({ p, k }) => (Math.floor(row(p) / rows) * inner + k) * columns + (p % columns)),
    ]);
  });

  test("elementwise operators: the same position", () => {
    expect(
      readsOf("add", {}, [
        [2, 3],
        [2, 3],
      ]),
    ).toEqual([range(6), range(6)]);
  });
});

describe("an element goes where the lemmas say, and its cotangent comes from there, for", () => {
  const [outer, extent, inner] = [2, 4, 3];
  const shape = [outer, extent, inner];
  const places = range(sizeOf(shape)).map((p) => coordinatesOf(shape, p));

  test("sum: 0 of an axis that is summed away, else the same", () => {
    for (const keepdims of [false, true]) {
      const { reached, brought } = pathsOf("sum", { axes: [1], keepdims }, shape);
      expect(reached).toEqual(places.map(([a = 0, , c = 0]) => [a * inner + c]));
      expect(brought).toEqual(reached);
    }
  });

  test("pad: beyond the low margin, with steps over the interior", () => {
    const [low, high, interior] = [
      [1, 0, 2],
      [0, 2, 1],
      [0, 1, 2],
    ];
    const { reached, brought } = pathsOf("pad", { low, high, interior }, shape);
    const [columns, rows] = [2 + inner + 2 * 2 + 1, extent + 3 + 2];
    expect(reached).toEqual(
      places.map(([a = 0, b = 0, c = 0]) => [((1 + a) * rows + b * 2) * columns + 2 + c * 3]),
    );
    expect(brought).toEqual(reached);
  });

  test("cumulative_sum: it and those after it in its line", () => {
    const { reached, brought } = pathsOf("cumulative_sum", { axis: 1 }, shape);
    expect(reached).toEqual(
      places.map(([a = 0, b = 0, c = 0]) =>
        range(extent - b).map((further) => (a * extent + b + further) * inner + c),
      ),
    );
    expect(brought).toEqual(reached);
  });

  test.each([
    ["broadcast_to", () => pathsOf("broadcast_to", { shape: [3, 2, 4] }, [2, 1])],
    ["slice", () => pathsOf("slice", { starts: [3, 0], stops: [-5, 3], steps: [-2, 1] }, [4, 3])],
    ["permute_dims", () => pathsOf("permute_dims", { axes: [2, 0, 1] }, shape)],
    ["reshape", () => pathsOf("reshape", { shape: [4, 6] }, shape)],
    ["take", () => pathsOf("take", { axis: 1, indices: "k" }, shape, { shape: [3], indices: [2, 0, 2] })],
    [
      "take_along_axis",
      () =>
        pathsOf("take_along_axis", { axis: 0, indices: "k" }, [3, 2], {
          shape: [2, 2],
          indices: [2, 0, 2, 1],
        }),
    ],
    [
      "gather",
      () => pathsOf("gather", { indices: "k" }, [2, 3, 2], { shape: [3, 2], indices: [1, 2, 0, 0, 1, 1] }),
    ],
  ])("%s: back by the map that is followed forwards, some element reaching one", (_, paths) => {
    const { reached, brought } = paths();
    expect(brought).toEqual(reached);
    expect(reached.flat()).not.toEqual([]);
  });

  test("concat: cut where the operands were joined", () => {
    const cotangent = recording([7]);
    const parts = [2, 0, 5].map((part) => recording([part]).tensor);
    const given = applied("concat", { axis: 0 }, [[2], [0], [5]]).vjp(parts, cotangent.tensor);
    expect(given.map((part) => part?.data)).toEqual([[0, 1], [], [2, 3, 4, 5, 6]]);
    expect(cotangent.reads.slice(0, 7)).toEqual(range(7));
  });
});

test("a recorded read beyond an operand is seen", () => {
  const { tensor, reads } = recording([2]);
  expect([tensor.data[0], tensor.data[2]]).toEqual([0, undefined]);
  expect(reads).toEqual([0, 2]);
});
