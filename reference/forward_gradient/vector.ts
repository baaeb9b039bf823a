import { InvariantError, type Semiring } from "../../spec/shapes/index.ts";

/** Numbers of an algebra in a row: a direction or a derivative, one tensor after another. */
export type Vector<S> = readonly S[];

/** Returns `f` of the numbers at equal places. Throws {@link InvariantError} for vectors of two lengths. */
export function zipVectors<S, T, U>(xs: Vector<S>, ys: Vector<T>, f: (x: S, y: T) => U): Vector<U> {
  return xs.map((x, n) => f(x, elementOf(ys, xs.length, n)));
}

function elementOf<S>(xs: Vector<S>, length: number, place: number): S {
  const x = xs[place];
  if (x === undefined || xs.length !== length)
    throw new InvariantError(`vectors of ${length} and ${xs.length} numbers`);
  return x;
}

/** Returns `x + y`. */
export function plus<S>(algebra: Semiring<S>, xs: Vector<S>, ys: Vector<S>): Vector<S> {
  return zipVectors(xs, ys, algebra.add);
}

/** Multiplies each number by a factor. */
export function scaled<S>(algebra: Semiring<S>, factor: S, xs: Vector<S>): Vector<S> {
  return xs.map((x) => algebra.multiply(factor, x));
}

/** Returns the sum of the numbers, one added onto the other. */
export function sumOf<S>(algebra: Semiring<S>, xs: Vector<S>): S {
  return xs.reduce((sum, x) => algebra.add(sum, x), algebra.zero);
}

/** Returns `x · y`: as the algebra takes sums of products, or one product added onto the other. */
export function innerProduct<S>(algebra: Semiring<S>, xs: Vector<S>, ys: Vector<S>): S {
  return algebra.dot === undefined
    ? sumOf(algebra, zipVectors(xs, ys, algebra.multiply))
    : algebra.dot(xs, ys);
}

/** Returns `‖x‖²`. */
export function squaredNorm<S>(algebra: Semiring<S>, xs: Vector<S>): S {
  return innerProduct(algebra, xs, xs);
}

/** 1 at one place, 0 at the others. */
export function unitVector<S>(algebra: Semiring<S>, dimension: number, place: number): Vector<S> {
  return Array.from({ length: dimension }, (_, n) => (n === place ? algebra.one : algebra.zero));
}
