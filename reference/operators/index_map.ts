import { type Additive, present, type Shape, type ShapeFault, stridesOf } from "../../spec/shapes/index.ts";
import { at, type Tensor, tensor, zeros } from "../tensor.ts";

/**
 * A linear operator that only moves elements is its index map: the position in the result ↦ the position in
 * the operand. The map of broadcasting, reshaping, permuting and taking.
 */
export type IndexMap = (position: number) => number;

/** The result's elements are the operand's, at the mapped positions. */
export function gather<S>(x: Tensor<S>, shape: Shape, source: IndexMap): Tensor<S> {
  return tensor(shape, (position) => at(x, source(position)));
}

/** Returns the adjoint of {@link gather}: {@link addAt} onto zeros. */
export function scatterAdd<S>(algebra: Additive<S>, c: Tensor<S>, shape: Shape, source: IndexMap): Tensor<S> {
  return addAt(algebra, zeros(algebra, shape), c, source);
}

/** Returns `x` with every element of `updates` added at its mapped position, in their row-major order. */
export function addAt<S>(
  algebra: Additive<S>,
  x: Tensor<S>,
  updates: Tensor<S>,
  target: IndexMap,
): Tensor<S> {
  if (algebra.sum !== undefined)
    return { shape: x.shape, data: termsAt(x, updates, target).map(algebra.sum) };
  const sums = [...x.data];
  updates.data.forEach((element, position) => {
    const place = target(position);
    sums[place] = algebra.add(present(sums[place], "the element to add to"), element);
  });
  return { shape: x.shape, data: sums };
}

/** Lists what is to be summed at each element: the element, and the updates whose place is its own. */
function termsAt<S>(x: Tensor<S>, updates: Tensor<S>, target: IndexMap): readonly (readonly S[])[] {
  const terms = x.data.map((element) => [element]);
  updates.data.forEach((element, position) => {
    present(terms[target(position)], "the element to add to").push(element);
  });
  return terms;
}

/** Returns the row-major coordinates of a position. */
export function coordinatesOf(shape: Shape, position: number): number[] {
  return stridesOf(shape).map(
    (stride, axis) => Math.floor(position / stride) % present(shape[axis], "an extent"),
  );
}

/** Returns the row-major position of coordinates; the inverse of {@link coordinatesOf}. */
export function positionOf(shape: Shape, coordinates: readonly number[]): number {
  return stridesOf(shape).reduce(
    (position, stride, axis) => position + stride * present(coordinates[axis], "a coordinate"),
    0,
  );
}

/**
 * Says what is wrong with index data: an element that is no integer from 0 to below its limit, which at
 * position `p` is `limits[p % limits.length]`. `name` is the entry's.
 */
export function indexFault(
  code: string,
  name: string,
  indices: readonly number[],
  limits: readonly number[],
): ShapeFault | undefined {
  const limitAt = (position: number): number => present(limits[position % limits.length], "a limit");
  const odd = indices.findIndex((i, position) => !(Number.isInteger(i) && i >= 0 && i < limitAt(position)));
  if (odd < 0) return undefined;
  return {
    code,
    message: `the index ${indices[odd]} of ${JSON.stringify(name)} is not on an axis of extent ${limitAt(odd)}.`,
    hint: "indices count from 0 and are below the extent; there are no negative ones",
  };
}
