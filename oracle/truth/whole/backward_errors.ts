import { at, floatAt, type Shape, sizeOf } from "../../../spec/shapes/index.ts";
import { forwardUlps, type Standard } from "../standard/index.ts";

/** An operand of a composite is known by these: its elements, about, and at most how large each is. */
export interface Sizes {
  readonly shape: Shape;
  readonly values: readonly number[];
  readonly sizes: readonly number[];
  /** These are the signs of infinities among them. */
  readonly infinities: readonly (number | undefined)[];
}

/** Tells, for an operand, a distance in units of `u` at each of its elements. */
type Distance = (x: Sizes) => (position: number) => number;

/** A backward error moves an operand's elements and their tangents by at most these distances. */
export interface BackwardError {
  readonly value: Distance;
  readonly tangent?: Distance;
}

const relativeDistance =
  (units: number): Distance =>
  ({ sizes }) =>
  (position) =>
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
 * that by k/n. The sum in the expansion has n + 2 of these already. The others are of the differences, which
 * are no greater than the range of the elements. One unit of each element is left for Σ x · (1/n).
 */
export function runningMean(axes: readonly number[], n: number): BackwardError | undefined {
  return n < 2 ? undefined : withinRange(axes, 2 * harmonic(n), 1);
}

/**
 * Returns the backward error of running variances. They lose n u κ, as two passes lose n u (Chan, Golub and
 * LeVeque, "Algorithms for computing the sample variance", 1983). The errors eₖ of the running means mₖ make
 * Σ (x − mₖ₋₁)(x − mₖ) be off by at most Σ |x − mₖ₋₁|(eₖ + eₖ₋₁). With the deviations dᵢ, eₖ ≤ u|m|(k + 1)/2
 * makes (n + Hₙ) u |m| Σ |dᵢ| of that. The mean in the expansion is off by at least n u |m|, apart from each
 * element, which makes twice as much. The rest of eₖ is of the size of the deviations, and so is this error.
 */
export function runningVariance(axes: readonly number[], n: number): BackwardError | undefined {
  return n < 2 ? undefined : withinRange(axes, (n + 2 * harmonic(n)) / 2, 0);
}

/**
 * Returns so many units of every element. Where elements along the axes lie closer together than any is to 0,
 * it is so many units of their range, and a few of the element.
 */
function withinRange(axes: readonly number[], units: number, few: number): BackwardError {
  const distance: Distance = (x) => {
    const ranges = rangesAlong(x, axes);
    return (position) => {
      const { least, greatest } = ranges(position);
      const [range, size] = [greatest - least, x.sizes[position] ?? Number.NaN];
      const isFar = range < Math.max(least, -greatest);
      return isFar ? Math.min(units * size, units * range + few * size) : units * size;
    };
  };
  return { value: distance, tangent: distance };
}

/** Elements may be anywhere between these. */
interface Range {
  readonly least: number;
  readonly greatest: number;
}

/** Returns the first of the positions that differ from one along the axes alone. */
function firstAlong(shape: Shape, axes: readonly number[]): (position: number) => number {
  const strides = axes.map((axis) => sizeOf(shape.slice(axis + 1)));
  return (position) =>
    axes.reduce((from, axis, place) => {
      const stride = at(strides, place);
      return from - (Math.floor(position / stride) % (shape[axis] ?? 1)) * stride;
    }, position);
}

/** Tells the range of the elements that are reduced along the axes with the one at a position. */
function rangesAlong({ shape, values, sizes }: Sizes, axes: readonly number[]): (position: number) => Range {
  const first = firstAlong(shape, axes);
  const ranges = new Map<number, Range>();
  for (const [position, value] of values.entries()) {
    const reach = (sizes[position] ?? Number.NaN) - Math.abs(value);
    const start = first(position);
    const { least = value, greatest = value } = ranges.get(start) ?? {};
    ranges.set(start, { least: Math.min(least, value - reach), greatest: Math.max(greatest, value + reach) });
  }
  return (position) => ranges.get(first(position)) ?? { least: Number.NaN, greatest: Number.NaN };
}

/**
 * Returns the backward error of `dnrm2` (Hammarling), which keeps the greatest size so far and the sum of
 * squares by it. A term is a rounded quotient, squared, and multiplied by another such square at each greater
 * element; a root halves that.
 */
export function runningScale(axes: readonly number[]): BackwardError {
  return {
    value: ({ shape, values, sizes, infinities }) => {
      const signs = infinities.map((sign) => sign && Math.abs(sign));
      const absolute = { shape, values: values.map(Math.abs), sizes, infinities: signs };
      const greater = greaterAlong(absolute, axes);
      return (position) => (1.5 + 2 * greater(position)) * (sizes[position] ?? Number.NaN);
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
  return {
    value: (x) => {
      const greater = greaterAlong(x, axes);
      return (position) => units * greater(position);
    },
  };
}

/**
 * Tells how many of the elements that are reduced along the axes with the one at a position may be greater.
 * Cost: that of sorting.
 */
function greaterAlong(
  { shape, values, sizes, infinities }: Sizes,
  axes: readonly number[],
): (position: number) => number {
  const reach = (i: number): number => (sizes[i] ?? Number.NaN) - Math.abs(values[i] ?? Number.NaN);
  const most = (i: number): number => (values[i] ?? Number.NaN) + reach(i);
  const first = firstAlong(shape, axes);
  const groups = new Map<number, number[]>();
  for (const position of values.keys()) {
    if (infinities[position] === -1) continue;
    const group = groups.get(first(position));
    if (group === undefined) groups.set(first(position), [most(position)]);
    else group.push(most(position));
  }
  const sorted = new Map([...groups].map(([start, group]) => [start, Float64Array.from(group).sort()]));
  return (position) => {
    const all = sorted.get(first(position)) ?? nothing;
    const least = (values[position] ?? Number.NaN) - reach(position);
    const isOwn = infinities[position] !== -1 && !(most(position) <= least);
    return all.length - countUpTo(all, least) - (isOwn ? 1 : 0);
  };
}

const nothing = new Float64Array();

/** Counts the sorted numbers that are at most `x`; what is NaN stands last, and is none of them. */
function countUpTo(sorted: Float64Array, x: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (floatAt(sorted, middle) <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns so many units of √(aᵢᵢ aⱼⱼ) at row i and column j. */
export function byDiagonal(units: number): BackwardError {
  return {
    value:
      ({ shape, sizes }) =>
      (position) => {
        const order = shape.at(-1) ?? 1;
        const column = position % order;
        const row = Math.floor(position / order) % order;
        const start = position - row * order - column;
        const root = (i: number): number => Math.sqrt(sizes[start + i * (order + 1)] ?? Number.NaN);
        return units * root(row) * root(column);
      },
  };
}
