import { at, sizeOf } from "../../../spec/shapes/index.ts";
import { allows, applicationsOf, type Regime, type ScalarFunction } from "../plan/index.ts";
import { hostFunctions } from "./host.ts";
import { isLookedUpAlong, movesAlong, type Nest, type Place } from "./nest.ts";
import { type Schedule, segmentsOf } from "./schedule.ts";

/** The machine that code is made for. */
export interface Machine {
  readonly bytes: number;
  readonly lanes: number;
  readonly regime: Regime;
  /** Says whether a function is a call to the host. */
  isCall(name: ScalarFunction): boolean;
}

/** Chooses how to walk a nest of {@link simplified}. Every choice is right; this one aims at speed. */
export function chosen(nest: Nest, machine: Machine): Schedule {
  switch (nest.combination) {
    case "store":
      return forMap(nest, machine);
    case "accumulate":
      return forScatter(nest, machine);
    case "add":
    case "maximum":
    case "scan":
      return forFold(nest, machine);
  }
}

function forMap(nest: Nest, machine: Machine): Schedule {
  const axes = [...nest.extents.keys()];
  const vector = cheapest(axes, (axis) => costAlong(nest, axis, machine));
  const order = vector === undefined ? axes : [...axes.filter((axis) => axis !== vector), vector];
  const copies = axes.map((axis) => (axis === vector ? Math.min(4, room(nest, machine, 12)) : 1));
  return { order, vector, copies, isOrdered: false };
}

/** Places may meet in order, so only the last axis may go into lanes, and only if it never meets itself. */
function forScatter(nest: Nest, machine: Machine): Schedule {
  const axes = [...nest.extents.keys()];
  const last = axes.at(-1);
  const isApart =
    last !== undefined && nest.target.strides[last] !== 0 && !isLookedUpAlong(nest.target, last);
  const vector = isApart ? last : undefined;
  const copies = axes.map((axis) => (axis === vector ? Math.min(2, room(nest, machine, 12)) : 1));
  return { order: axes, vector, copies, isOrdered: false };
}

function forFold(nest: Nest, machine: Machine): Schedule {
  const axes = [...nest.extents.keys()];
  const shape = axes.slice(0, axes.length - nest.over);
  const over = axes.slice(axes.length - nest.over);
  const isReassociated = allows(machine.regime, "reassociation") && nest.combination !== "scan";
  const foldable = isReassociated ? over : over.slice(-1);
  const vector = cheapest([...shape, ...foldable], (axis) => {
    const isOver = axis >= shape.length;
    // Lanes that are taken one by one wait for each other.
    const waiting = isOver && !isReassociated ? 4 : isOver ? 0.3 : 0;
    const isRepacked = (place: Place): boolean => !isOver && isWorthCopying(place, nest);
    return costAlong(nest, axis, machine, isRepacked) + waiting;
  });
  const copies = tileOf(nest, shape, vector, machine);
  const rows = shape.filter((axis) => axis !== vector);
  const untiled = rows.filter((axis) => at(copies, axis) === 1);
  const tiled = rows.filter((axis) => at(copies, axis) > 1);
  const columns = vector !== undefined && vector < shape.length ? [vector] : [];
  const inner = isReassociated && vector !== undefined && vector >= shape.length ? [vector] : [];
  const order = [...untiled, ...columns, ...tiled, ...over.filter((axis) => !inner.includes(axis)), ...inner];
  const total = sizeOf(copies);
  unrollOver(nest, order.slice(shape.length), vector, copies, Math.min(24, room(nest, machine, 96)) / total);
  return { order, vector, copies, isOrdered: !isReassociated };
}

/** Chooses copies along the axes of a result, so that running values need not wait for each other. */
function tileOf(
  nest: Nest,
  shape: readonly number[],
  vector: number | undefined,
  machine: Machine,
): number[] {
  const tiles = nest.extents.map(() => 1);
  const budget = room(nest, machine, 24);
  const extent = (axis: number): number => at(nest.extents, axis);
  const isOver = vector !== undefined && vector >= shape.length;
  const shared = (axis: number): number => nest.reads.filter((place) => !movesAlong(place, axis)).length;
  const rows = shape
    .filter((axis) => axis !== vector && extent(axis) > 1)
    .toSorted((a, b) => shared(b) - shared(a) || extent(b) - extent(a));
  const [first, second] = rows;
  const isShared = first !== undefined && shared(first) > 0;
  const take = (axis: number | undefined, count: number): void => {
    if (axis === undefined) return;
    const fitting = Math.min(count, Math.max(1, Math.floor(budget / sizeOf(tiles))), extent(axis));
    if (fitting > 1) tiles[axis] = fitting;
  };
  if (isOver) {
    if (isShared) {
      take(first, 4);
      take(second !== undefined && shared(second) > 0 ? second : undefined, 2);
      const used = sizeOf(tiles);
      if (used < 8) takeVector(tiles, vector, Math.floor(8 / used), budget / used, nest, machine);
    } else takeVector(tiles, vector, 8, budget, nest, machine);
    return tiles;
  }
  if (vector !== undefined) takeVector(tiles, vector, isShared ? 2 : 4, budget, nest, machine);
  const used = sizeOf(tiles);
  // Besides running values, operands need registers, and an unfused product one more: there are 15.
  if (isShared) take(first, Math.floor((machine.regime === "fast" ? 10 : 8) / used));
  else if (used < 4) take(first, Math.floor(8 / used));
  return tiles;
}

function takeVector(
  tiles: number[],
  vector: number,
  count: number,
  budget: number,
  nest: Nest,
  machine: Machine,
): void {
  const whole = Math.floor(at(nest.extents, vector) / machine.lanes);
  const fitting = Math.min(count, Math.floor(budget), whole);
  if (fitting > 1) tiles[vector] = fitting;
}

/** Unrolls short loops of a fold, innermost first. */
function unrollOver(
  nest: Nest,
  over: readonly number[],
  vector: number | undefined,
  copies: number[],
  budget: number,
): void {
  let left = budget;
  for (const axis of over.toReversed()) {
    const extent = at(nest.extents, axis);
    if (axis === vector || extent > 4 || extent > left) return;
    copies[axis] = extent;
    left /= extent;
  }
}

/** Returns how many copies of a body have at most so many applications together. */
function room(nest: Nest, machine: Machine, applications: number): number {
  const applied = applicationsOf(nest.expression);
  const calls = applied.filter((application) => machine.isCall(application.function)).length;
  const own = applied.filter(({ function: name }) => name in hostFunctions).length - calls;
  return Math.max(1, Math.floor(applications / (applied.length + 12 * calls + 8 * own)));
}

/** A copy pays if each element is read so often. */
const WORTH = 128;

/** Says whether a fold reads an operand so often that a copy in the order of its reads pays. */
export function isWorthCopying(place: Place, nest: Nest): boolean {
  const first = nest.extents.length - nest.over;
  const repeated = nest.extents.filter((_, axis) => axis < first && !movesAlong(place, axis));
  return place.lookups.length === 0 && sizeOf(repeated) >= WORTH;
}

/** Estimates instructions per element if `axis` goes into lanes; what is repacked is read side by side. */
function costAlong(
  nest: Nest,
  axis: number,
  machine: Machine,
  isRepacked: (place: Place) => boolean = () => false,
): number {
  const extent = at(nest.extents, axis);
  const steps = segmentsOf(extent, 1, machine.lanes).reduce(
    (sum, { trips, copies }) => sum + trips * copies,
    0,
  );
  const work = applicationsOf(nest.expression).length;
  const one = (place: Place): number => {
    if (isLookedUpAlong(place, axis)) return 2 * machine.lanes;
    const stride = at(place.strides, axis);
    return stride === 0 ? 0.25 : stride === machine.bytes || isRepacked(place) ? 1 : machine.lanes;
  };
  const places = nest.combination === "store" ? [nest.target, ...nest.reads] : nest.reads;
  return ((places.reduce((sum, place) => sum + one(place), 0) + work) * steps) / extent;
}

/** Returns the axis of least cost; of equal ones the last. */
function cheapest(axes: readonly number[], cost: (axis: number) => number): number | undefined {
  let best: { readonly axis: number; readonly cost: number } | undefined;
  for (const axis of axes) {
    const here = cost(axis);
    if (best === undefined || here <= best.cost) best = { axis, cost: here };
  }
  return best?.axis;
}
