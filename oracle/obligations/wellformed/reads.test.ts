import { describe, expect, test } from "vitest";
import { type EnvironmentValue, float64, rules, type Tensor } from "../../../reference/index.ts";
import { coordinatesOf } from "../../../reference/operators/index_map.ts";
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
 * The lemmas speak of formulas. Here the reference runs on operands that write down which element is read when, and what it reads is what the formulas say, position by position.
 */

/** A tensor that writes down the positions that are read of it. */
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

/** What `forward` reads of each operand, in order. */
function readsOf<K extends PrimitiveName>(
  op: K,
  attributes: PrimitiveAttributes[K],
  shapes: readonly Shape[],
  indices?: { readonly shape: Shape; readonly indices: readonly number[] },
): readonly (readonly number[])[] {
  const declared = indices === undefined ? [] : [{ name: "k", kind: "index" as const, shape: indices.shape }];
  const shape = primitives[op].shape(attributes, shapes, declared);
  if (!shape.ok) throw new Error(shape.error.message);
  const algebra: Levels<number, boolean>[NeedOf[K]] | undefined = float64.levels[primitives[op].needs];
  const environment = new Map<string, EnvironmentValue<number>>(
    indices === undefined ? [] : [["k", { kind: "index", ...indices }]],
  );
  const operands = shapes.map(recording);
  const application = {
    algebra: present(algebra, op),
    attributes,
    operands: operands.map(({ tensor }) => tensor),
    environment,
    shape: shape.value,
  };
  rules[op].forward(application);
  return operands.map(({ reads }) => reads);
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

test("a recorded read beyond an operand is seen", () => {
  const { tensor, reads } = recording([2]);
  expect([tensor.data[0], tensor.data[2]]).toEqual([0, undefined]);
  expect(reads).toEqual([0, 2]);
});
