import { type FlatTensor, type Shape, sizeOf, stridesOf } from "../../spec/index.ts";

/** Yields all indices below `extents`, row-major. */
export function* indices(extents: Shape): Iterable<number[]> {
  const [extent, ...rest] = extents;
  if (extent === undefined) {
    yield [];
    return;
  }
  for (let i = 0; i < extent; i++) for (const tail of indices(rest)) yield [i, ...tail];
}

/** Returns the element at an index; 0 beyond the edges. */
export function at({ shape, data }: FlatTensor, ...index: readonly number[]): number {
  if (index.some((i, axis) => i < 0 || i >= (shape[axis] ?? 0))) return 0;
  const strides = stridesOf(shape);
  return data[index.reduce((position, i, axis) => position + i * (strides[axis] ?? 0), 0)] ?? Number.NaN;
}

/** Returns the tensor with `element(index)` at every index. */
export function fill(shape: Shape, element: (index: readonly number[]) => number): FlatTensor {
  const data = new Float64Array(sizeOf(shape));
  let position = 0;
  for (const index of indices(shape)) data[position++] = element(index);
  return { shape, data };
}

export function scalar(x: number): FlatTensor {
  return { shape: [], data: Float64Array.of(x) };
}

/** Returns the sum of `term` over some numbers. */
export function total(numbers: Iterable<number>): number {
  let sum = 0;
  for (const x of numbers) sum += x;
  return sum;
}

export function meanOf(numbers: readonly number[]): number {
  return total(numbers) / numbers.length;
}

/** The product of two matrices. */
export function product(a: FlatTensor, b: FlatTensor): FlatTensor {
  const inner = a.shape[1] ?? 0;
  return fill([a.shape[0] ?? 0, b.shape[1] ?? 0], ([i = 0, j = 0]) => {
    return total(Array.from({ length: inner }, (_, k) => at(a, i, k) * at(b, k, j)));
  });
}

/** Each element by itself, with those of others at the same index. */
export function each(x: FlatTensor, f: (x: number, i: number) => number): FlatTensor {
  return { shape: x.shape, data: x.data.map(f) };
}

export function transpose(a: FlatTensor): FlatTensor {
  return fill(a.shape.toReversed(), ([i = 0, j = 0]) => at(a, j, i));
}
