import { at } from "../../../spec/shapes/index.ts";
import type { Expression } from "../plan/index.ts";

/** A way through memory: at the index `i` of a nest, at `base + Σ strides[axis] · i[axis]`. In bytes. */
export interface Walk {
  readonly base: number;
  readonly strides: readonly number[];
}

/** Where an element lies in memory, for the index `i` of a nest: at `base + Σ strides[axis] · i[axis]`, and what is looked up further. In bytes. */
export interface Place extends Walk {
  readonly lookups: readonly Lookup[];
}

/** `scale` bytes times the 32-bit word at `base + Σ strides[axis] · i[axis]`. In bytes. */
interface Lookup extends Walk {
  readonly scale: number;
}

/**
 * What happens to the value of a body. `store`: it is the element of the target. `accumulate`: it is added to what the target holds.
 * `add` and `maximum`: it is taken into a running value, which is stored when the axes summed over are through; `scan`: a running sum, stored each time.
 */
export type Combination = "store" | "accumulate" | "add" | "maximum" | "scan";

/**
 * A loop nest over memory. The last `over` axes are those of a fold or a scan: their order is the order of the result's operations, and the
 * target of a fold does not move along them.
 */
export interface Nest {
  readonly extents: readonly number[];
  readonly over: number;
  readonly combination: Combination;
  readonly expression: Expression;
  readonly reads: readonly Place[];
  readonly target: Place;
}

/** A nest with each place put through a function. */
export function mapPlaces(nest: Nest, f: (place: Place) => Place): Nest {
  return { ...nest, reads: nest.reads.map(f), target: f(nest.target) };
}

/** A place with each of its stride lists put through a function. */
export function mapStrides(place: Place, f: (strides: readonly number[]) => readonly number[]): Place {
  return {
    ...place,
    strides: f(place.strides),
    lookups: place.lookups.map((lookup) => ({ ...lookup, strides: f(lookup.strides) })),
  };
}

/** All walks of a nest: of the target, of the reads, each followed by those of its lookups. */
export function walksOf(nest: Nest): readonly Walk[] {
  return [nest.target, ...nest.reads].flatMap((place) => [place, ...place.lookups]);
}

/** Whether a place moves along an axis. */
export function movesAlong(place: Place, axis: number): boolean {
  return place.strides[axis] !== 0 || isLookedUpAlong(place, axis);
}

/** Whether what is looked up depends on an axis. */
export function isLookedUpAlong(place: Place, axis: number): boolean {
  return place.lookups.some(({ strides }) => strides[axis] !== 0);
}

/**
 * The same computation with the fewest axes: none of extent 1, and neighbours that every place walks through as one are one axis.
 * The order of iteration stays; an axis of a fold is never joined with one of the result.
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

/** The nest with `axis` and the next one as one axis; undefined if some place does not walk through them as one. */
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

/** The nest that walks an axis from its end to its start. */
export function reversed(nest: Nest, axis: number): Nest {
  const last = at(nest.extents, axis) - 1;
  const turn = <P extends Walk>(place: P): P => ({
    ...place,
    base: place.base + last * at(place.strides, axis),
    strides: place.strides.with(axis, -at(place.strides, axis)),
  });
  return mapPlaces(nest, (place) => ({ ...turn(place), lookups: place.lookups.map(turn) }));
}

/** The nest with its axes in another order: the new axis `n` is the old axis `order[n]`. */
export function permuted(nest: Nest, order: readonly number[]): Nest {
  return {
    ...mapPlaces(nest, (place) => mapStrides(place, (strides) => order.map((axis) => at(strides, axis)))),
    extents: order.map((axis) => at(nest.extents, axis)),
  };
}

/** The part of a nest where the index along `axis` is `from … from + count − 1`. */
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
