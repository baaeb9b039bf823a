import { type Shape, sizeOf } from "../../../spec/shapes/index.ts";
import { forwardUlps, type Standard } from "../standard/index.ts";

/** An operand of a composite is known by these: its elements, about, and at most how large each is. */
export interface Sizes {
  readonly shape: Shape;
  readonly values: readonly number[];
  readonly sizes: readonly number[];
}

/** A distance is so many units of `u` at an element. */
type Distance = (x: Sizes, position: number) => number;

/** A backward error moves an operand's elements and their tangents by at most these distances. */
export interface BackwardError {
  readonly value: Distance;
  readonly tangent?: Distance;
}

const relativeDistance =
  (units: number): Distance =>
  ({ sizes }, position) =>
    units * (sizes[position] ?? Number.NaN);

/** Returns so many units of every element, and of its tangent. */
export function relative(units: number): BackwardError {
  return { value: relativeDistance(units), tangent: relativeDistance(units) };
}

/** Returns so many units of every element, and none of its tangent. */
export function relativeValues(units: number): BackwardError {
  return { value: relativeDistance(units) };
}

/** Returns 1 + 1/2 + … + 1/n. */
function harmonic(n: number): number {
  let total = 0;
  for (let k = 1; k <= n; k++) total += 1 / k;
  return total;
}

/** Returns how many elements go into one along the axes. */
export function countAlong(shape: Shape | undefined, axes: readonly number[]): number {
  return sizeOf(axes.map((axis) => shape?.[axis] ?? 1));
}

/**
 * Returns the backward error of a running mean, `m + (x − m)/k` for k = 1 … n. It is off by (n + 2 + 2Hₙ)u
 * times the mean of the sizes: step k rounds a difference, a quotient and a sum, and later steps multiply
 * that by k/n. The sum in the expansion has n + 2 of these already.
 */
export function runningMean(n: number): BackwardError | undefined {
  return n < 2 ? undefined : relative(2 * harmonic(n));
}

/**
 * Returns the backward error of running variances. They lose n u κ, as two passes lose n u (Chan, Golub and
 * LeVeque, "Algorithms for computing the sample variance", 1983). With the errors eₖ ≤ u|m|(k + 1)/2 of the
 * running means mₖ and the deviations dᵢ, Σ (x − mₖ₋₁)(x − mₖ) is off by at most Σ |x − mₖ₋₁|(eₖ + eₖ₋₁) ≤ (n
 * + Hₙ) u |m| Σ |dᵢ|, where the mean is small by (1 + Hₙ/2) u (Σ |dᵢ|)². Moving each number by p u, and the
 * mean apart, moves it by at least 2p u |m| Σ |dᵢ|.
 */
export function runningVariance(n: number): BackwardError | undefined {
  return n < 2 ? undefined : relative((n + 2 * harmonic(n)) / 2);
}

/**
 * Returns the backward error of `dnrm2` (Hammarling), which keeps the greatest size so far and the sum of
 * squares by it. A term is a rounded quotient, squared, and multiplied by another such square at each greater
 * element; a root halves that.
 */
export function runningScale(axes: readonly number[]): BackwardError {
  return {
    value: ({ shape, values, sizes }, position) => {
      const greater = greaterThan({ shape, values: values.map(Math.abs), sizes }, axes, position);
      return (1.5 + 2 * greater) * (sizes[position] ?? Number.NaN);
    },
  };
}

/**
 * Returns the backward error of one pass over exponentials that rescales its sum at each greater element
 * (Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018): a term is multiplied by a
 * rounded exponential at most once for each element that is greater than its own.
 */
export function rescaled(axes: readonly number[], standard: Standard): BackwardError {
  const units = 2 * forwardUlps(standard, "exp") + 1;
  return { value: (x, position) => units * greaterThan(x, axes, position) };
}

/** Returns how many of the elements that are reduced with this one may be greater. */
function greaterThan({ shape, values, sizes }: Sizes, axes: readonly number[], position: number): number {
  const reach = (at: number): number => (sizes[at] ?? Number.NaN) - Math.abs(values[at] ?? Number.NaN);
  const least = (values[position] ?? Number.NaN) - reach(position);
  return neighbours(shape, axes, position).filter(
    (other) => other !== position && !((values[other] ?? Number.NaN) + reach(other) < least),
  ).length;
}

/** Returns the positions that differ from this one along the axes alone. */
function neighbours(shape: Shape, axes: readonly number[], position: number): number[] {
  let positions = [position];
  for (const axis of axes) {
    const stride = sizeOf(shape.slice(axis + 1));
    const extent = shape[axis] ?? 1;
    positions = positions.flatMap((at) => {
      const start = at - (Math.floor(at / stride) % extent) * stride;
      return Array.from({ length: extent }, (_, i) => start + i * stride);
    });
  }
  return positions;
}

/** Returns so many units of √(aᵢᵢ aⱼⱼ) at row i and column j. */
export function byDiagonal(units: number): BackwardError {
  return {
    value: ({ shape, sizes }, position) => {
      const order = shape.at(-1) ?? 1;
      const column = position % order;
      const row = Math.floor(position / order) % order;
      const start = position - row * order - column;
      const root = (i: number): number => Math.sqrt(sizes[start + i * (order + 1)] ?? Number.NaN);
      return units * root(row) * root(column);
    },
  };
}
