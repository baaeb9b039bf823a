import { at } from "../../../spec/shapes/index.ts";
import { type Nest, type Place, tile } from "../javascript/index.ts";
import { allows, applicationsOf, type Expression, type Regime, type ScalarFunction } from "../plan/index.ts";
import type { Laned, Use } from "./kernel.ts";
import type { Scalars } from "./scalars.ts";

/** A file is written with these. */
export interface Writing {
  readonly scalars: Scalars;
  readonly regime: Regime;
  /** Threads share large loops. */
  readonly isForThreads: boolean;
  /** Spoils nests: a planted fault. */
  readonly nest?: (nest: Nest) => Nest;
}

export type Total = Extract<Use, { kind: "total" }>;

/** Rows of a block whose totals grow side by side, as in a product of matrices: none is left, if possible. */
const rowsOf = (extent: number): number => [4, 5, 6].find((rows) => extent % rows === 0) ?? 4;

/** Bytes of the longest vectors. */
export const VECTOR = 64;

/** A part of a nest, and what it does with its values. */
type Part = Omit<Laned, "isShared"> & { readonly use: Total };

/** Says whether vectors have a function as an operator. */
const isOperator: ReadonlySet<ScalarFunction> = new Set([
  "add",
  "subtract",
  "multiply",
  "divide",
  "negative",
]);

/**
 * Divides a nest with totals into blocks. A single total waits for each addition, so that lanes run along
 * the last free loop if it is one of neighbours, or can be made one by a copy, and rows along another that
 * spares a read; else, if sums may be taken in parts, along the last loop.
 */
export function partsOf(nest: Nest, use: Total, expression: Expression, writing: Writing): readonly Part[] {
  const { loops, places } = nest;
  const { precision } = writing.scalars;
  const lanes = precision === "float32" ? 32 : 16;
  const unit = VECTOR / (precision === "float32" ? 4 : 8);
  const canBeVectors = areVectorsOf(expression, use);
  const free = loops.flatMap(({ isOrdered }, n) => (isOrdered ? [] : [n]));
  const along = free.at(-1);
  const row = (without: number): number | undefined =>
    use.isRunning
      ? undefined
      : free.findLast((n) => {
          const moving = places.slice(0, -1).filter((place) => movesWith(place, n)).length;
          return n !== without && moving > 0 && moving < places.length - 1;
        });
  const blocks = (some: Nest, lane: number, width: number, isSplit: boolean): readonly Part[] => {
    const rows = row(lane);
    const widths = loops.map((_, n) => (n === lane ? width : n === rows ? rowsOf(at(loops, n).extent) : 1));
    return tile(some, widths).flatMap((part): readonly Part[] => {
      const count = at(part.loops, lane).width;
      if (isSplit && count < width) {
        const narrow = {
          ...part,
          loops: part.loops.map((loop, n) => (n === lane ? { ...loop, width: 1 } : loop)),
        };
        return [{ nest: narrow, lanes: "none", use: { ...use, isContinued: true } }];
      }
      const areVectors = canBeVectors && places.every((place) => isVectorAlong(place, lane));
      // What is left may fill a shorter vector.
      if (count < width && count > unit && areVectors) return blocks(part, lane, unit, isSplit);
      const laned = laneAlong(part, lane);
      if (!areVectors || count % unit !== 0) {
        const kind = count === 1 ? "none" : "loop";
        return [{ nest: laned, lanes: kind, use: isSplit ? { ...use, isSplit } : use }];
      }
      if (isSplit) return [{ nest: laned, lanes: "vectors", use: { ...use, isSplit } }];
      return [{ nest: laned, lanes: "vectors", block: { loop: lane, vectors: count / unit }, use }];
    });
  };
  if (along !== undefined && areNeighbours(places, along) && at(loops, along).extent > 1)
    return blocks(nest, along, lanes, false);
  const last = loops.length - 1;
  const inner = loops[last];
  const maySplit = allows(writing.regime, "reassociation") && !use.isRunning && inner?.isOrdered === true;
  if (!maySplit || inner.extent < 2 * lanes) return [{ nest, lanes: "none", use }];
  // Lanes of several rows fill the registers.
  return blocks(nest, last, row(last) === undefined ? lanes : unit, true);
}

/** Says whether the rounds of a loop visit neighbours, or the same element. */
export function isVectorAlong({ position: { strides }, lookups }: Place, n: number): boolean {
  return (strides[n] === 0 || strides[n] === 1) && lookups.every(({ position }) => position.strides[n] === 0);
}

/** Says whether a total of such values can be one of vectors. */
export function areVectorsOf(expression: Expression, { operation, isRunning }: Total): boolean {
  return (
    operation === "add" &&
    !isRunning &&
    applicationsOf(expression).every((part) => isOperator.has(part.function))
  );
}

/** Says whether the rounds of a loop visit neighbours and what stays. */
export function areNeighbours(places: readonly Place[], n: number): boolean {
  return (
    places.every((place) => place.lookups.length === 0 && isVectorAlong(place, n)) &&
    places.some(({ position: { strides } }) => strides[n] === 1)
  );
}

/** Says whether a place is another one in the next round of a loop. */
export function movesWith({ position, lookups }: Place, n: number): boolean {
  return [position, ...lookups.map((lookup) => lookup.position)].some(({ strides }) => strides[n] !== 0);
}

/** Makes the copies of a loop its lanes: a last loop, over its width. */
export function laneAlong({ loops, places }: Nest, along: number): Nest {
  const { width, extent } = at(loops, along);
  if (width === 1) return { loops, places };
  const outer = { extent: extent / width, width: 1, isOrdered: at(loops, along).isOrdered };
  const split = ({ offset, strides }: Place["position"]): Place["position"] => ({
    offset,
    strides: [...strides.map((stride, n) => (n === along ? stride * width : stride)), at(strides, along)],
  });
  return {
    loops: [...loops.with(along, outer), { extent: width, width: 1, isOrdered: false }],
    places: places.map((place) => ({
      ...place,
      position: split(place.position),
      lookups: place.lookups.map((lookup) => ({ ...lookup, position: split(lookup.position) })),
    })),
  };
}
