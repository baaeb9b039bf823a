import { at } from "../../../spec/shapes/index.ts";
import type { Expression } from "../plan/index.ts";

/** Moves through memory: at the index `i` of a nest it is at `base + Σ strides[axis] · i[axis]`, in bytes. */
export interface Walk {
  readonly base: number;
  readonly strides: readonly number[];
}

/** An element for the index `i` of a nest: at `base + Σ strides[axis] · i[axis]`, plus lookups, in bytes. */
export interface Place extends Walk {
  readonly lookups: readonly Lookup[];
}

/** The 32-bit word at `base + Σ strides[axis] · i[axis]`, times `scale` bytes. */
interface Lookup extends Walk {
  readonly scale: number;
}

/**
 * It says what happens to the value of a body: `store` makes it the element of the target, `accumulate` adds
 * it to that; `add` and `maximum` take it into a running value, stored after the folded axes; `scan` stores a
 * running sum each time.
 */
export type Combination = "store" | "accumulate" | "add" | "maximum" | "scan";

/**
 * A loop nest over memory. The last `over` axes are folded or scanned, in the order of the result's
 * operations; the target of a fold does not move along them.
 */
export interface Nest {
  readonly extents: readonly number[];
  readonly over: number;
  readonly combination: Combination;
  readonly expression: Expression;
  readonly reads: readonly Place[];
  readonly target: Place;
}

/** Changes each place of a nest. */
export function mapPlaces(nest: Nest, f: (place: Place) => Place): Nest {
  return { ...nest, reads: nest.reads.map(f), target: f(nest.target) };
}

/** Changes each list of strides of a place. */
export function mapStrides(place: Place, f: (strides: readonly number[]) => readonly number[]): Place {
  return {
    ...place,
    strides: f(place.strides),
    lookups: place.lookups.map((lookup) => ({ ...lookup, strides: f(lookup.strides) })),
  };
}

/** Lists all walks of a nest: of target and reads, each followed by those of its lookups. */
export function walksOf(nest: Nest): readonly Walk[] {
  return [nest.target, ...nest.reads].flatMap((place) => [place, ...place.lookups]);
}

/** Says whether a place moves along an axis. */
export function movesAlong(place: Place, axis: number): boolean {
  return place.strides[axis] !== 0 || isLookedUpAlong(place, axis);
}

/** Says whether a lookup depends on an axis. */
export function isLookedUpAlong(place: Place, axis: number): boolean {
  return place.lookups.some(({ strides }) => strides[axis] !== 0);
}

/**
 * Drops axes of extent 1, and merges neighbours that every place walks through as one. The order of iteration
 * stays; an axis of a fold is never merged with one of the result.
 */
export function simplified(nest: Nest): Nest {
  const kept = nest.extents.flatMap((extent, axis) => (extent === 1 ? [] : [axis]));
  const shapeAxes = nest.extents.length - nest.over;
  const dropped: Nest = {
    ...mapPlaces(nest, (place) => mapStrides(place, (strides) => kept.map((axis) => at(strides, axis)))),
    extents: kept.map((axis) => at(nest.extents, axis)),
    over: kept.filter((axis) => axis >= shapeAxes).length,
  };
  for (let axis = dropped.extents.length - 2; axis >= 0; axis--) {
    const joined = join(dropped, axis);
    if (joined !== undefined) return simplified(joined);
  }
  return dropped;
}

/** Merges `axis` with the next one; `undefined` if some place does not walk through them as one. */
function join(nest: Nest, axis: number): Nest | undefined {
  const inner = at(nest.extents, axis + 1);
  const firstOver = nest.extents.length - nest.over;
  if (axis + 1 === firstOver) return undefined;
  const isOne = (strides: readonly number[]): boolean => strides[axis] === at(strides, axis + 1) * inner;
  const places = [nest.target, ...nest.reads];
  const walks = places.flatMap((place) => [place.strides, ...place.lookups.map(({ strides }) => strides)]);
  if (!walks.every(isOne)) return undefined;
  return {
    ...mapPlaces(nest, (place) => mapStrides(place, (strides) => strides.toSpliced(axis, 1))),
    extents: nest.extents.toSpliced(axis, 2, at(nest.extents, axis) * inner),
    over: axis >= firstOver ? nest.over - 1 : nest.over,
  };
}

/** Makes the nest that walks an axis backwards. */
export function reversed(nest: Nest, axis: number): Nest {
  const last = at(nest.extents, axis) - 1;
  const turn = <P extends Walk>(place: P): P => ({
    ...place,
    base: place.base + last * at(place.strides, axis),
    strides: place.strides.with(axis, -at(place.strides, axis)),
  });
  return mapPlaces(nest, (place) => ({ ...turn(place), lookups: place.lookups.map(turn) }));
}

/** Permutes the axes of a nest: the new axis `n` is the old axis `order[n]`. */
export function permuted(nest: Nest, order: readonly number[]): Nest {
  return {
    ...mapPlaces(nest, (place) => mapStrides(place, (strides) => order.map((axis) => at(strides, axis)))),
    extents: order.map((axis) => at(nest.extents, axis)),
  };
}

/** Restricts the index along `axis` to `from … from + count − 1`. */
export function sliced(nest: Nest, axis: number, from: number, count: number): Nest {
  const move = <P extends Walk>(place: P): P => ({
    ...place,
    base: place.base + from * at(place.strides, axis),
  });
  return {
    ...mapPlaces(nest, (place) => ({ ...move(place), lookups: place.lookups.map(move) })),
    extents: nest.extents.with(axis, count),
  };
}
