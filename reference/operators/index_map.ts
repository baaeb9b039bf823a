import { type Additive, type Shape, sizeOf, stridesOf } from "../../spec/index.ts";
import { at, type Tensor, tensor } from "../tensor.ts";

/**
 * A linear operator that only moves elements is its index map: the position in the result ↦ the position in
 * the operand. The map of broadcasting, reshaping, permuting and taking.
 */
export type IndexMap = (position: number) => number;

/** The result's elements are the operand's, at the mapped positions. */
export function gather<S>(x: Tensor<S>, shape: Shape, source: IndexMap): Tensor<S> {
  return tensor(shape, (position) => at(x, source(position)));
}

/**
 * The adjoint of {@link gather}: every element of `c` is added to the position it came from, in row-major
 * order of `c`, onto zero.
 */
export function scatterAdd<S>(algebra: Additive<S>, c: Tensor<S>, shape: Shape, source: IndexMap): Tensor<S> {
  const sums = new Array<S>(sizeOf(shape)).fill(algebra.zero);
  c.data.forEach((element, position) => {
    const target = source(position);
    sums[target] = algebra.add(sums[target] ?? algebra.zero, element);
  });
  return { shape, data: sums };
}

/** The row-major coordinates of a position. */
export function coordinatesOf(shape: Shape, position: number): number[] {
  return stridesOf(shape).map((stride, axis) => Math.floor(position / stride) % (shape[axis] ?? 1));
}

/** The row-major position of coordinates; the inverse of {@link coordinatesOf}. */
export function positionOf(shape: Shape, coordinates: readonly number[]): number {
  return stridesOf(shape).reduce((position, stride, axis) => position + stride * (coordinates[axis] ?? 0), 0);
}
