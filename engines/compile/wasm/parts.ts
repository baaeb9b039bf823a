import { at, sizeOf, stridesOf } from "../../../spec/shapes/index.ts";
import { allows, costOf, read, SHARED } from "../plan/index.ts";
import type { Machine } from "./choose.ts";
import { movesAlong, type Nest, type Place, sliced } from "./nest.ts";
import type { Scheduled } from "./pack.ts";

/** A nest is shared in so many parts at most, by however many threads; a part has so many operations. */
const PARTS = 16;
const LEAST = 2 ** 12;

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

/** Returns how many parts an axis of the result may have: whole steps of its copies and lanes each. */
function partsAlong({ nest, schedule }: Scheduled, axis: number, machine: Machine): number {
  const blocks = Math.ceil(at(nest.extents, axis) / blockOf({ nest, schedule }, axis, machine));
  const work = sizeOf(nest.extents) * costOf(nest.expression);
  return Math.min(PARTS, blocks, Math.floor(work / LEAST));
}

function blockOf({ schedule }: Scheduled, axis: number, machine: Machine): number {
  return at(schedule.copies, axis) * (axis === schedule.vector ? machine.lanes : 1);
}

/**
 * Cuts a nest along an axis of its result, so that several threads may compute it: each element has the bits
 * that it has in the whole. Returns the nest alone if that does not pay, or places may meet.
 */
export function partsOf(scheduled: Scheduled, machine: Machine): readonly Scheduled[] {
  const { nest, schedule } = scheduled;
  const axes = schedule.order.slice(0, nest.extents.length - nest.over);
  if (nest.combination === "accumulate" || !isWorthSharing(nest)) return [scheduled];
  const most = Math.max(1, ...axes.map((axis) => partsAlong(scheduled, axis, machine)));
  const axis = axes.find((some) => partsAlong(scheduled, some, machine) === most);
  if (axis === undefined || most === 1) return [scheduled];
  const block = blockOf(scheduled, axis, machine);
  return slices(at(nest.extents, axis), block, most).map(({ from, count }) => ({
    nest: sliced(nest, axis, from, count),
    schedule,
  }));
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
  // Parts begin where whole vectors do.
  return {
    parts: slices(at(nest.extents, first), 32, PARTS).map(({ from, count }, part) => ({
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
