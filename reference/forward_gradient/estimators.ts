import { type Field, InvariantError } from "../../spec/shapes/index.ts";
import type { Sloped } from "./sloped.ts";
import { innerProduct, plus, scaled, type Vector } from "./vector.ts";

/** `√scale · entries`. Only products of two entries are ever taken of a direction, so the root never is. */
export interface Direction<T> {
  readonly scale: T;
  readonly entries: Vector<T>;
}

/**
 * A way to estimate a gradient from slopes along one or more directions. It takes the problem's numbers as
 * constants, and anything for the directions: numbers, or polynomials in random ones.
 */
export type Estimator<S> = <T>(sloped: Sloped<T, S>, directions: readonly Direction<T>[]) => Vector<T>;

/** `(∇f · v) v`, the mean of it over the directions: one forward sweep for each. */
export function averaged<S>(field: Field<S>): Estimator<S> {
  return (sloped, directions) =>
    sloped.pull(
      meanOf(
        field,
        sloped,
        directions.map((v) => along(sloped, v, sloped.slope(v.entries))),
      ),
    );
}

/**
 * Returns {@link averaged} of each direction and its opposite. Along `−v` the estimate is the same, so two
 * sweeps tell what one tells. (A tangent has no terms of even order, which opposites take from differences.)
 */
export function antithetic<S>(field: Field<S>): Estimator<S> {
  const mean = averaged(field);
  return (sloped, directions) =>
    mean(
      sloped,
      directions.flatMap((v) => [v, { ...v, entries: v.entries.map((x) => sloped.ring.negative(x)) }]),
    );
}

/** Estimates each block of numbers, given the blocks' lengths, by a sweep with its part of the direction. */
export function blockwise<S>(field: Field<S>, blocks: readonly number[]): Estimator<S> {
  const blockAt = blocks.flatMap((size, block) => Array.from({ length: size }, () => block));
  return (sloped, directions) => {
    const { ring } = sloped;
    const whole = directions.map(({ scale, entries }) =>
      blocks
        .map((_, block) => {
          const own = entries.map((x, n) => (blockAt[n] === block ? x : ring.zero));
          return along(sloped, { scale, entries: own }, sloped.slope(own));
        })
        .reduce((g, h) => plus(ring, g, h)),
    );
    return sloped.pull(meanOf(field, sloped, whole));
  };
}

/** Returns `((∇f − c) · v) v + c`: a guess `c`, which no direction changes, and {@link averaged} beside. */
export function controlled<S>(field: Field<S>, guess: Vector<S>): Estimator<S> {
  return (sloped, directions) => {
    const { ring } = sloped;
    const c = guess.map((x) => sloped.constant(x));
    const left = directions.map((v) => {
      const foretold = innerProduct(ring, c, v.entries);
      return along(sloped, v, ring.add(sloped.slope(v.entries), ring.negative(foretold)));
    });
    return sloped.pull(plus(ring, meanOf(field, sloped, left), c));
  };
}

/** Returns {@link averaged} times a constant: its mean is that multiple of the gradient, so it is biased. */
export function shrunk<S>(field: Field<S>, factor: S): Estimator<S> {
  const mean = averaged(field);
  return (sloped, directions) => scaled(sloped.ring, sloped.constant(factor), mean(sloped, directions));
}

function along<T, S>({ ring }: Sloped<T, S>, { scale, entries }: Direction<T>, slope: T): Vector<T> {
  return scaled(ring, ring.multiply(scale, slope), entries);
}

function meanOf<T, S>(
  field: Field<S>,
  { ring, constant }: Sloped<T, S>,
  [first, ...others]: readonly Vector<T>[],
): Vector<T> {
  if (first === undefined) throw new InvariantError("an estimate along no direction");
  if (others.length === 0) return first;
  const share = field.divide(field.one, field.literal(1 + others.length));
  return scaled(
    ring,
    constant(share),
    others.reduce((sum, one) => plus(ring, sum, one), first),
  );
}
