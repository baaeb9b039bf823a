import { map, type Tensor } from "../../../reference/index.ts";
import { floatAt, sizeOf } from "../../../spec/shapes/index.ts";
import { type Bounded, enlarged, withoutBound } from "../bound/index.ts";
import type { Centre } from "../centre/index.ts";
import type { Standard } from "../standard/index.ts";

/** A composite multiplies elements along axes, in any order; if it is running, each prefix of an axis. */
export interface Product {
  readonly axes: readonly number[];
  readonly isRunning: boolean;
}

/** Logarithms of the greatest and the least magnitude that a part of a product may have. */
interface Extremes {
  readonly most: Float64Array;
  readonly least: Float64Array;
}

/**
 * Returns products as engines may have them that multiply in an order of their own: where a part of the
 * factors may overflow there is no bound, and where a part may underflow, what that loses counts.
 */
export function inAnyOrder<C>(
  value: Tensor<Bounded<C>>,
  factors: Tensor<Bounded<C>>,
  product: Product,
  centre: Centre<C>,
  { largest, underflow, unitRoundoff }: Standard,
): Tensor<Bounded<C>> {
  const sizes = factors.data.map((x) => {
    const size = Math.log2(Math.abs(centre.approximate(x.centre)));
    // A zero makes no part that underflows, and no other large.
    return Number.isFinite(size) ? size : 0;
  });
  const { most, least } = extremesOf(sizes, factors.shape, product);
  // Numbers below this have lost digits.
  const smallest = Math.log2(underflow / unitRoundoff);
  return map(value, (x, i) => {
    if (floatAt(most, i) >= Math.log2(largest)) return withoutBound(x);
    if (!(floatAt(least, i) < smallest)) return x;
    return enlarged(x, underflow * 2 ** floatAt(most, i));
  });
}

function extremesOf(
  sizes: readonly number[],
  shape: readonly number[],
  { axes, isRunning }: Product,
): Extremes {
  const kept = shape.map((extent, axis) => (axes.includes(axis) && !isRunning ? 1 : extent));
  const most = new Float64Array(sizeOf(kept));
  const least = new Float64Array(sizeOf(kept));
  const steps = stepsOf(kept);
  const along = isRunning ? (stepsOf(shape)[axes[0] ?? 0] ?? 1) : 0;
  sizes.forEach((size, element) => {
    const indices = indicesOf(element, shape);
    const place = indices.reduce((sum, index, axis) => {
      return sum + (kept[axis] === 1 ? 0 : index * (steps[axis] ?? 0));
    }, 0);
    const isFirst = !isRunning || indices[axes[0] ?? 0] === 0;
    // A running product has the one before it as a part.
    const [above, below] = isFirst
      ? [floatAt(most, place), floatAt(least, place)]
      : [floatAt(most, place - along), floatAt(least, place - along)];
    most[place] = above + Math.max(size, 0);
    least[place] = below + Math.min(size, 0);
  });
  return { most, least };
}

function stepsOf(shape: readonly number[]): number[] {
  return shape.map((_, axis) => sizeOf(shape.slice(axis + 1)));
}

function indicesOf(element: number, shape: readonly number[]): number[] {
  let rest = element;
  return shape
    .toReversed()
    .map((extent) => {
      const index = rest % extent;
      rest = (rest - index) / extent;
      return index;
    })
    .toReversed();
}
