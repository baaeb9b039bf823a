import { at, sizeOf, stridesOf } from "../../../spec/shapes/index.ts";
import { allows, costOf, read, SHARED } from "../plan/index.ts";
import type { Machine } from "./choose.ts";
import { movesAlong, type Nest, type Place, sliced } from "./nest.ts";
import type { Scheduled } from "./pack.ts";

/** A nest is shared in so many parts at most, by however many threads; a part has so many operations. */
const PARTS = 16;
const LEAST = 2 ** 12;

/** Parts along many neighbours begin at multiples of so many, whatever they compute. */
const GRID = 32;

/** Says whether a nest has enough to do for several threads. */
function isWorthSharing(nest: Nest): boolean {
  return sizeOf(nest.extents) * costOf(nest.expression) >= SHARED;
}

/** Cuts what has `blocks` blocks, the last of which may lack some of `extent`, into so many parts. */
function slices(extent: number, block: number, count: number): { from: number; count: number }[] {
  const blocks = Math.ceil(extent / block);
  const bound = (part: number): number => Math.min(extent, Math.floor((blocks * part) / count) * block);
  return Array.from({ length: count }, (_, part) => ({
    from: bound(part),
    count: bound(part + 1) - bound(part),
  }));
}

/** The number of steps along an axis that belong together: whole vectors, and copies. */
function blockOf({ nest, schedule }: Scheduled, axis: number, machine: Machine): number {
  const copies = at(schedule.copies, axis);
  if (axis !== schedule.vector) return copies;
  const isLong = at(nest.extents, axis) >= GRID * PARTS;
  return Math.max(isLong ? GRID : 1, copies * machine.lanes);
}

/** Cuts each nest along an axis. */
function cut(nests: readonly Scheduled[], axis: number, block: number, count: number): readonly Scheduled[] {
  return nests.flatMap(({ nest, schedule }) =>
    slices(at(nest.extents, axis), block, count).map((slice) => ({
      nest: sliced(nest, axis, slice.from, slice.count),
      schedule,
    })),
  );
}

/**
 * Cuts a nest along axes of its result, so that several threads may compute it: each element has the bits
 * that it has in the whole. Returns the nest alone if places may meet, or that does not pay; `isAsked` says
 * that it pays whatever the nest has to do.
 */
export function partsOf(scheduled: Scheduled, machine: Machine, isAsked = false): readonly Scheduled[] {
  const { nest, schedule } = scheduled;
  if (nest.combination === "accumulate" || !(isAsked || isWorthSharing(nest))) return [scheduled];
  const axes = schedule.order.slice(0, nest.extents.length - nest.over);
  const work = sizeOf(nest.extents) * costOf(nest.expression);
  const most = isAsked ? PARTS : Math.min(PARTS, Math.floor(work / LEAST));
  // Whole rows, such as heads of attention, are cut first: what follows in memory reads the same ones.
  const inner = axes.findIndex((axis) => axis === schedule.vector || at(schedule.copies, axis) > 1);
  const outer = axes.slice(0, inner < 0 ? axes.length : inner);
  if (sizeOf(outer.map((axis) => at(nest.extents, axis))) >= most) {
    return outer.reduce<readonly Scheduled[]>(
      (parts, axis) => {
        const count = Math.min(at(nest.extents, axis), Math.floor(most / parts.length));
        return count < 2 ? parts : cut(parts, axis, 1, count);
      },
      [scheduled],
    );
  }
  const blocks = (axis: number): number =>
    Math.min(most, Math.ceil(at(nest.extents, axis) / blockOf(scheduled, axis, machine)));
  const count = Math.max(1, ...axes.map(blocks));
  const axis = axes.find((some) => blocks(some) === count);
  if (axis === undefined || count === 1) return [scheduled];
  const extent = at(nest.extents, axis);
  const block = blockOf(scheduled, axis, machine);
  // Equal parts fit those of other nests.
  return cut([scheduled], axis, extent % count === 0 && axis !== schedule.vector ? 1 : block, count);
}

/** Bytes from the first to after the last that a place reaches. */
type Reach = readonly [from: number, to: number];

/** What a nest reads and writes. */
export interface Touched {
  readonly reads: readonly Reach[];
  readonly writes: readonly Reach[];
}

/** Returns what a nest may touch, as stretches of memory. */
export function touchedBy({ reads, target, extents }: Nest, bytes: number): Touched {
  const reach = ({ base, strides, lookups }: Place): Reach => {
    const ends = strides.map((stride, axis) => stride * (at(extents, axis) - 1));
    if (lookups.length > 0) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    const total = (some: readonly number[]): number => some.reduce((sum, one) => sum + one, 0);
    return [
      base + total(ends.map((end) => Math.min(0, end))),
      base + total(ends.map((end) => Math.max(0, end))) + bytes,
    ];
  };
  return { reads: reads.map(reach), writes: [reach(target)] };
}

/** Says whether each part of what follows may begin before the other parts of what was before have ended. */
export function areApart(before: readonly Touched[], after: readonly Touched[]): boolean {
  const meet = (some: readonly Reach[], others: readonly Reach[]): boolean =>
    some.some(([from, to]) => others.some(([start, end]) => from < end && start < to));
  return before.every((mine, n) =>
    after.every(
      (other, m) =>
        n === m ||
        !(
          meet(mine.writes, other.reads) ||
          meet(mine.writes, other.writes) ||
          meet(mine.reads, other.writes)
        ),
    ),
  );
}

/** A long total in parts of its own, and the nest that joins them. */
export interface SplitTotal {
  readonly parts: readonly Nest[];
  readonly joint: Nest;
  /** Bytes of the parts' totals. */
  readonly size: number;
}

/**
 * Splits totals that are too few for {@link partsOf} along the first folded axis, if sums may be taken in
 * parts. The parts are the same by however many threads they are computed, and so are the bits.
 */
export function splitTotal(nest: Nest, machine: Machine, scratch: number): SplitTotal | undefined {
  const first = nest.extents.length - nest.over;
  const extents = nest.extents.slice(0, first);
  const isTotal = nest.combination === "add" || nest.combination === "maximum";
  if (!isTotal || !allows(machine.regime, "reassociation") || !isWorthSharing(nest)) return undefined;
  const isFew = extents.every((extent) => extent < 2 * PARTS);
  if (nest.over === 0 || !isFew || at(nest.extents, first) < 2 * PARTS * PARTS) return undefined;
  if (!nest.reads.some((place) => movesAlong(place, first))) return undefined;
  const dense = stridesOf(extents).map((stride) => stride * machine.bytes);
  const step = sizeOf(extents) * machine.bytes;
  const totals: Place = { base: scratch, strides: [...dense, step], lookups: [] };
  const still = nest.extents.slice(first).map(() => 0);
  return {
    parts: slices(at(nest.extents, first), GRID, PARTS).map(({ from, count }, part) => ({
      ...sliced(nest, first, from, count),
      target: { base: scratch + part * step, strides: [...dense, ...still], lookups: [] },
    })),
    joint: {
      extents: [...extents, PARTS],
      over: 1,
      combination: nest.combination,
      expression: read(0),
      reads: [totals],
      target: { ...nest.target, strides: [...nest.target.strides.slice(0, first), 0] },
    },
    size: PARTS * step,
  };
}
