import { at, sizeOf, stridesOf } from "../../../spec/shapes/index.ts";
import { read } from "../plan/index.ts";
import { isWorthCopying, type Machine } from "./choose.ts";
import { mapPlaces, mapStrides, movesAlong, type Nest, type Place, sliced } from "./nest.ts";
import type { Schedule } from "./schedule.ts";

/** A nest, and how to walk it. */
export interface Scheduled {
  readonly nest: Nest;
  readonly schedule: Schedule;
}

/** A fold in steps: copy an operand into the order of its reads, fold with that, then fold the rest. */
export interface Packed {
  readonly copy: Nest;
  readonly main: Scheduled;
  /** The part of the axis after the last whole block. */
  readonly rest: Nest | undefined;
  /** Bytes of the copy. */
  readonly size: number;
}

/**
 * Copies to `scratch` an operand that each tile reads in steps so large that its cache lines do not stay in
 * the cache, so that the tile walks straight through it. Returns `undefined` if no operand is worth it.
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
  if (!movesAlong(place, axis) || !isWorthCopying(place, nest)) return false;
  const isStill = (other: number): boolean => !movesAlong(place, other);
  const moving = over.filter((other) => !isStill(other));
  const steps = sizeOf(moving.map((other) => at(nest.extents, other)));
  const nearest = Math.min(...moving.map((other) => Math.abs(at(place.strides, other))));
  // Overlapping windows would be copied as often as they overlap.
  const isInjective =
    sizeOf(nest.extents.filter((_, other) => !isStill(other))) <= reachOf(place, nest, machine.bytes);
  const isGathered = lanes > 1 && Math.abs(at(place.strides, axis)) !== machine.bytes;
  const isFar = isGathered || nearest > block * machine.bytes;
  return steps >= (isGathered ? 8 : 256) && isFar && isInjective;
}

/** Counts the elements from the first to the last that a place reaches. */
function reachOf(place: Place, nest: Nest, bytes: number): number {
  const reached = place.strides.reduce(
    (sum, stride, axis) => sum + Math.abs(stride) * (at(nest.extents, axis) - 1),
    bytes,
  );
  return reached / bytes;
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
          // The copy stays where it is along the other axes.
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

/** Renumbers an axis after the one at `axis` has become two. */
function moved(old: number, axis: number): number {
  return old > axis ? old + 1 : old;
}

/** Splits an axis into blocks, and steps within a block. */
function splitAxis(nest: Nest, axis: number, block: number): Nest {
  const both = (strides: readonly number[]): readonly number[] =>
    strides.toSpliced(axis, 0, at(strides, axis) * block);
  return {
    ...mapPlaces(nest, (place) => mapStrides(place, both)),
    extents: nest.extents.toSpliced(axis, 1, at(nest.extents, axis) / block, block),
  };
}
