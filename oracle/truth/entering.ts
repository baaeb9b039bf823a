import { type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { forwardUlps, type Standard } from "./standard.ts";

/** What is known of one operand of a composite: about its elements, and at most how large each is. */
export interface Sizes {
  readonly shape: Shape;
  readonly values: readonly number[];
  readonly sizes: readonly number[];
}

/** So many units of `u` at an element. */
type Distance = (x: Sizes, position: number) => number;

/** How far the elements of an operand, and their tangents, may seem to be from what they are, in units of `u`. */
export interface Entering {
  readonly value: Distance;
  readonly tangent?: Distance;
}

const relativeDistance =
  (units: number): Distance =>
  ({ sizes }, position) =>
    units * (sizes[position] ?? Number.NaN);

/** So many units of every element, and of its tangent. */
export function relative(units: number): Entering {
  return { value: relativeDistance(units), tangent: relativeDistance(units) };
}

/** So many units of every element; tangents enter as they are. */
export function relativeValues(units: number): Entering {
  return { value: relativeDistance(units) };
}

/** 1 + 1/2 + … + 1/n */
function harmonic(n: number): number {
  let total = 0;
  for (let k = 1; k <= n; k++) total += 1 / k;
  return total;
}

/** How many elements go into one along the axes. */
export function countAlong(shape: Shape | undefined, axes: readonly number[]): number {
  return sizeOf(axes.map((axis) => shape?.[axis] ?? 1));
}

/**
 * The running mean `m + (x − m)/k` of n numbers is off by (n + 2 + 2Hₙ)u times the mean of their sizes: step k rounds a
 * difference, a quotient and a sum, and the later steps multiply what it lost by k/n. A sum charges n + 2 of these.
 */
export function runningMean(n: number): Entering | undefined {
  return n < 2 ? undefined : relative(2 * harmonic(n));
}

/**
 * Running variances lose n u κ, where two passes lose n u (Chan, Golub and LeVeque, "Algorithms for computing the sample
 * variance", 1983). With the errors eₖ ≤ u|m|(k + 1)/2 of the running means mₖ, Σ (x − mₖ₋₁)(x − mₖ) is off by at most
 * Σ |x − mₖ₋₁|(eₖ + eₖ₋₁) ≤ (n + Hₙ) u |m| Σ |dᵢ|, where dᵢ are the deviations; where the mean is small, by
 * (1 + Hₙ/2) u (Σ |dᵢ|)². Numbers that are moved by p u each, and their mean apart, move it by at least 2p u |m| Σ |dᵢ|.
 */
export function runningVariance(n: number): Entering | undefined {
  return n < 2 ? undefined : relative((n + 2 * harmonic(n)) / 2);
}

/**
 * A running scale, the greatest size so far, and the sum of squares by it (Hammarling's `dnrm2`): a term is a rounded
 * quotient, squared, and at each greater element it is multiplied by another such square. A root halves that.
 */
export function runningScale(axes: readonly number[]): Entering {
  return {
    value: ({ shape, values, sizes }, position) => {
      const greater = greaterThan({ shape, values: values.map(Math.abs), sizes }, axes, position);
      return (1.5 + 2 * greater) * (sizes[position] ?? Number.NaN);
    },
  };
}

/**
 * One pass that multiplies what it has whenever it meets a greater element (Milakov and Gimelshein, "Online normalizer
 * calculation for softmax", 2018): at most once for each element that is greater than a term's own, by an
 * exponential, rounded.
 */
export function rescaled(axes: readonly number[], standard: Standard): Entering {
  const units = 2 * forwardUlps(standard, "exp") + 1;
  return { value: (x, position) => units * greaterThan(x, axes, position) };
}

/** How many of the elements that are reduced with this one may be greater. */
function greaterThan({ shape, values, sizes }: Sizes, axes: readonly number[], position: number): number {
  const reach = (at: number): number => (sizes[at] ?? Number.NaN) - Math.abs(values[at] ?? Number.NaN);
  const least = (values[position] ?? Number.NaN) - reach(position);
  return neighbours(shape, axes, position).filter(
    (other) => other !== position && !((values[other] ?? Number.NaN) + reach(other) < least),
  ).length;
}

/** The positions that differ from this one along the axes alone. */
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

/** So many units of √(aᵢᵢ aⱼⱼ) at row i and column j. */
export function byDiagonal(units: number): Entering {
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
