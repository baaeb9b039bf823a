import { type Additive, InvariantError, type Semiring, type Shape, sizeOf } from "../spec/shapes/index.ts";

/** A shape and a row-major list of scalars, one for each position. */
export interface Tensor<S> {
  readonly shape: Shape;
  readonly data: readonly S[];
}

/** Returns a tensor of `shape` whose element at row-major position `i` is `element(i)`. */
export function tensor<S>(shape: Shape, element: (position: number) => S): Tensor<S> {
  const size = sizeOf(shape);
  const data = new Array<S>(size);
  for (let position = 0; position < size; position++) data[position] = element(position);
  return { shape, data };
}

/** Returns the element at a row-major position that exists. Throws {@link InvariantError} beyond it. */
export function at<S>(x: Tensor<S>, position: number): S {
  const element = x.data[position];
  if (element === undefined) throw new InvariantError(`position ${position} of a tensor of ${x.data.length}`);
  return element;
}

/** Returns `f` of every element, and of its position. */
export function map<S, T>(x: Tensor<S>, f: (element: S, position: number) => T): Tensor<T> {
  return { shape: x.shape, data: x.data.map(f) };
}

/** `f` of the elements at equal positions of two tensors of one shape. */
export function zip<S, T, U>(x: Tensor<S>, y: Tensor<T>, f: (x: S, y: T) => U): Tensor<U> {
  return tensor(x.shape, (position) => f(at(x, position), at(y, position)));
}

/** Returns the zero of a shape. */
export function zeros<S>(algebra: Additive<S>, shape: Shape): Tensor<S> {
  return tensor(shape, () => algebra.zero);
}

/** Returns `x + y`, element by element. */
export function addTensors<S>(algebra: Additive<S>, x: Tensor<S>, y: Tensor<S>): Tensor<S> {
  return zip(x, y, (a, b) => algebra.add(a, b));
}

/** Returns the sum of one or more tensors of a shape: as the algebra sums, or one added onto the other. */
export function sumTensors<S>(algebra: Additive<S>, terms: readonly Tensor<S>[]): Tensor<S> {
  const [first, ...others] = terms;
  if (first === undefined) throw new InvariantError("the sum of no tensors has no shape");
  const { sum } = algebra;
  if (others.length === 0) return first;
  if (sum === undefined) return others.reduce((total, term) => addTensors(algebra, total, term), first);
  return tensor(first.shape, (position) => sum(terms.map((term) => at(term, position))));
}

/** The sum of the products of elements at equal positions. */
export function dotTensors<S>(algebra: Semiring<S>, x: Tensor<S>, y: Tensor<S>): S {
  return x.data.reduce(
    (total, a, position) => algebra.add(total, algebra.multiply(a, at(y, position))),
    algebra.zero,
  );
}
