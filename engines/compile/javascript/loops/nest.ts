import { at } from "../../../../spec/shapes/index.ts";
/** A position that moves with the loops of a nest: `offset + Σ strides[loop] · i[loop]`. */
export interface Affine {
  readonly offset: number;
  readonly strides: readonly number[];
}

/** An entry of an array of indices, times `scale`. */
interface Lookup {
  /** The name of the array in the generated text. */
  readonly array: string;
  readonly position: Affine;
  readonly scale: number;
}

/** An element of an array, found anew for each index of a nest. */
export interface Place {
  readonly array: string;
  readonly position: Affine;
  readonly lookups: readonly Lookup[];
}

/** One loop of a nest. */
export interface Loop {
  readonly extent: number;
  /** The number of rounds that are unrolled; it divides `extent`. */
  readonly width: number;
  /** Is true if the loop's rounds must follow each other, and those of the ordered loops outside it. */
  readonly isOrdered: boolean;
}

/** Loops, outermost first, and the places that they visit. Free loops come before ordered ones. */
export interface Nest {
  readonly loops: readonly Loop[];
  readonly places: readonly Place[];
}

/** Replaces every position of a nest. */
function reposition(nest: Nest, loops: readonly Loop[], change: (position: Affine) => Affine): Nest {
  const places = nest.places.map((place) => ({
    ...place,
    position: change(place.position),
    lookups: place.lookups.map((lookup) => ({ ...lookup, position: change(lookup.position) })),
  }));
  return { loops, places };
}

/** Makes the nest whose loop `n` is the loop `order[n]`. Unnamed loops must have one round. */
function reorder(nest: Nest, order: readonly number[]): Nest {
  const pick = <T extends NonNullable<unknown>>(items: readonly T[]): T[] => order.map((n) => at(items, n));
  return reposition(nest, pick(nest.loops), ({ offset, strides }) => ({ offset, strides: pick(strides) }));
}

/** Makes the nest of `count` rounds of a loop from `first` on, `width` of them unrolled. */
export function part(nest: Nest, loop: number, first: number, count: number, width: number): Nest {
  const loops = nest.loops.map((old, n) => (n === loop ? { ...old, extent: count, width } : old));
  return reposition(nest, loops, ({ offset, strides }) => ({
    offset: offset + first * at(strides, loop),
    strides,
  }));
}

/** Makes a loop of a nest run backwards. */
export function reverse(nest: Nest, loop: number): Nest {
  const last = at(nest.loops, loop).extent - 1;
  return reposition(nest, nest.loops, ({ offset, strides }) => ({
    offset: offset + last * at(strides, loop),
    strides: strides.map((stride, n) => (n === loop ? -stride : stride)),
  }));
}

/** Lists every position of a nest. */
function positionsOf(nest: Nest): readonly Affine[] {
  return nest.places.flatMap(({ position, lookups }) => [position, ...lookups.map((l) => l.position)]);
}

/**
 * Drops loops of one round, sorts free loops so that neighbouring rounds visit neighbouring elements, and
 * merges neighbouring loops that step like one. The order of ordered rounds stays.
 */
export function simplify(nest: Nest): Nest {
  const numbers = nest.loops.flatMap(({ extent }, n) => (extent === 1 ? [] : [n]));
  const free = numbers.filter((n) => !at(nest.loops, n).isOrdered);
  const ordered = numbers.filter((n) => at(nest.loops, n).isOrdered);
  const positions = positionsOf(nest);
  // A step of a cache line or more costs as much as any other.
  const costs = nest.loops.map((_, n) =>
    positions.reduce((sum, { strides }) => sum + Math.min(Math.abs(at(strides, n)), 16), 0),
  );
  const ranked = free.toSorted((a, b) => at(costs, b) - at(costs, a) || a - b);
  return merge(reorder(nest, [...ranked, ...ordered]));
}

function merge(nest: Nest): Nest {
  const positions = positionsOf(nest);
  for (let outer = nest.loops.length - 2; outer >= 0; outer--) {
    const [loop, inner] = [at(nest.loops, outer), at(nest.loops, outer + 1)];
    if (loop.isOrdered !== inner.isOrdered) continue;
    const isOne = positions.every(({ strides }) => strides[outer] === at(strides, outer + 1) * inner.extent);
    if (!isOne) continue;
    const loops = nest.loops.with(outer + 1, { ...inner, extent: loop.extent * inner.extent });
    const kept = loops.flatMap((_, n) => (n === outer ? [] : [n]));
    return merge(reorder({ loops, places: nest.places }, kept));
  }
  return nest;
}
