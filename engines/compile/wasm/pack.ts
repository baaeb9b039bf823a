import { at, sizeOf, stridesOf } from "../../../spec/shapes/index.ts";
import { read } from "../plan/index.ts";
import type { Machine } from "./choose.ts";
import { mapPlaces, mapStrides, movesAlong, type Nest, type Place, sliced } from "./nest.ts";
import type { Schedule } from "./schedule.ts";

/** A nest with the way to walk it. */
export interface Scheduled {
  readonly nest: Nest;
  readonly schedule: Schedule;
}

/** A fold whose operands lie badly, as: copy one of them into the order in which it is read, fold with that, fold what is left. */
export interface Packed {
  readonly copy: Nest;
  readonly main: Scheduled;
  /** What the blocks leave over along the axis. */
  readonly rest: Nest | undefined;
  /** Bytes that the copy takes. */
  readonly size: number;
}

/** How often an element must be read for its copy to pay. */
const WORTH = 128;

/**
 * Copies, to `scratch`, an operand that each tile reads in steps so far apart that its cache lines do not stay in the cache, so that the tile
 * walks straight through it. Undefined if no operand is worth it.
 */
export function packed({ nest, schedule }: Scheduled, machine: Machine, scratch: number): Packed | undefined {
  const first = nest.extents.length - nest.over;
  const over = schedule.order.slice(first);
  for (const axis of schedule.order.slice(0, first)) {
    const lanes = axis === schedule.vector ? machine.lanes : 1;
    const block = at(schedule.copies, axis) * lanes;
    const extent = at(nest.extents, axis);
    if (block === 1 || extent < block) continue;
    const number = nest.reads.findIndex((place) => isWorth(place, nest, axis, over, block, lanes, machine));
    if (number >= 0) return packedAlong({ nest, schedule }, axis, block, number, machine, scratch);
  }
  return undefined;
}

function isWorth(
  place: Place,
  nest: Nest,
  axis: number,
  over: readonly number[],
  block: number,
  lanes: number,
  machine: Machine,
): boolean {
  if (place.lookups.length > 0 || !movesAlong(place, axis)) return false;
  const first = nest.extents.length - nest.over;
  const isStill = (other: number): boolean => !movesAlong(place, other);
  const repeated = nest.extents.filter((_, other) => other < first && isStill(other));
  const moving = over.filter((other) => !isStill(other));
  const steps = sizeOf(moving.map((other) => at(nest.extents, other)));
  const nearest = Math.min(...moving.map((other) => Math.abs(at(place.strides, other))));
  // Overlapping windows would be copied as often as they overlap.
  const isInjective =
    sizeOf(nest.extents.filter((_, other) => !isStill(other))) <= reachOf(place, nest, machine.bytes);
  const isGathered = lanes > 1 && Math.abs(at(place.strides, axis)) !== machine.bytes;
  const isFar = isGathered || nearest > block * machine.bytes;
  return sizeOf(repeated) >= WORTH && steps >= (isGathered ? 16 : 256) && isFar && isInjective;
}

/** Elements from the first to the last that a place reaches. */
function reachOf(place: Place, nest: Nest, bytes: number): number {
  const far = place.strides.reduce(
    (sum, stride, axis) => sum + Math.abs(stride) * (at(nest.extents, axis) - 1),
    0,
  );
  return far / bytes + 1;
}

function packedAlong(
  { nest, schedule }: Scheduled,
  axis: number,
  block: number,
  number: number,
  machine: Machine,
  scratch: number,
): Packed {
  const extent = at(nest.extents, axis);
  const blocks = Math.floor(extent / block);
  const left = extent - blocks * block;
  const split = splitAxis(sliced(nest, axis, 0, blocks * block), axis, block);
  const order = schedule.order.flatMap((old) => (old === axis ? [axis, axis + 1] : [moved(old, axis)]));
  const place = at(split.reads, number);
  const axes = [...order.filter((other) => other !== axis + 1), axis + 1].filter((other) =>
    movesAlong(place, other),
  );
  const extents = axes.map((other) => at(split.extents, other));
  const dense = stridesOf(extents).map((stride) => stride * machine.bytes);
  const copyPlace: Place = { base: scratch, strides: dense, lookups: [] };
  return {
    copy: {
      extents,
      over: 0,
      combination: "store",
      expression: read(0),
      reads: [mapStrides(place, (strides) => axes.map((other) => at(strides, other)))],
      target: copyPlace,
    },
    main: {
      nest: {
        ...split,
        reads: split.reads.with(number, {
          ...copyPlace,
          // Along the other axes the copy stays where it is.
          strides: split.extents.map((_, other) =>
            axes.includes(other) ? at(dense, axes.indexOf(other)) : 0,
          ),
        }),
      },
      schedule: {
        ...schedule,
        order,
        vector:
          schedule.vector === axis
            ? axis + 1
            : schedule.vector === undefined
              ? undefined
              : moved(schedule.vector, axis),
        copies: schedule.copies.toSpliced(axis, 0, 1),
      },
    },
    rest: left === 0 ? undefined : sliced(nest, axis, blocks * block, left),
    size: sizeOf(extents) * machine.bytes,
  };
}

/** Where an axis is after the one at `axis` has become two. */
function moved(old: number, axis: number): number {
  return old > axis ? old + 1 : old;
}

/** The nest with an axis as two: blocks, and steps within a block. */
function splitAxis(nest: Nest, axis: number, block: number): Nest {
  const both = (strides: readonly number[]): readonly number[] =>
    strides.toSpliced(axis, 0, at(strides, axis) * block);
  return {
    ...mapPlaces(nest, (place) => mapStrides(place, both)),
    extents: nest.extents.toSpliced(axis, 1, at(nest.extents, axis) / block, block),
  };
}
