import type { Random } from "fast-check";
import type { NodeOf } from "../../spec/graph/index.ts";
import { type NodeId, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { happens, oneOf } from "../random/index.ts";
import {
  type Draft,
  type NewEntry,
  newRows,
  type Proposal,
  pick,
  pickWhere,
  shapeAt,
  withAxes,
} from "./draft.ts";

type Range = readonly [start: number, stop: number, step: number];

/**
 * Draws a slice of one axis: all of it, all of it backwards, or from anywhere to anywhere, often beyond the
 * ends, at steps that need not divide anything.
 */
function drawRange(random: Random, extent: number): Range {
  const die = random.nextInt(0, 5);
  if (die < 2) return [0, extent, 1];
  if (die === 2) return [-1, -extent - 1, -1];
  if (die === 3) return [random.nextInt(0, 1), extent, random.nextInt(2, 3)];
  const [a, b] = [random.nextInt(-extent - 2, extent + 2), random.nextInt(-extent - 2, extent + 2)];
  return [a, b, oneOf(random, [1, 1, 2, 3, -1, -2])];
}

/** Cuts each axis by a range of its own, which may be reversed, empty or out of bounds. */
export function proposeSlice(draft: Draft): Proposal<NodeOf<"slice">> {
  const x = withAxes(draft) ?? pick(draft);
  const ranges = shapeAt(draft, x).map((extent) => drawRange(draft.random, extent));
  const starts = ranges.map(([start]) => start);
  const stops = ranges.map(([, stop]) => stop);
  const steps = ranges.map(([, , step]) => step);
  return { node: { op: "slice", attributes: { starts, stops, steps }, parents: [x] } };
}

/** Pads most axes by little or nothing, and between elements in one case of three. */
export function proposePad(draft: Draft): Proposal<NodeOf<"pad">> {
  const { random } = draft;
  const x = withAxes(draft) ?? pick(draft);
  const counts = (): number[] =>
    shapeAt(draft, x).map(() => (happens(random, 1, 3) ? random.nextInt(1, 2) : 0));
  const attributes = { low: counts(), high: counts(), interior: counts() };
  return { node: { op: "pad", attributes, parents: [x] } };
}

/** Takes up to four elements along an axis, or none, by indices drawn anew. */
export function proposeTakeAlongAxis(draft: Draft): Proposal<NodeOf<"take_along_axis">> | undefined {
  const x = withAxes(draft);
  if (x === undefined) return undefined;
  const shape = shapeAt(draft, x);
  const axis = draft.random.nextInt(0, shape.length - 1);
  const extent = shape[axis] ?? 0;
  const isEmpty = extent === 0 || happens(draft.random, 1, 16);
  const count = isEmpty ? 0 : draft.random.nextInt(1, 4);
  const entry = newRows(draft, shape.with(axis, count), [extent]);
  const attributes = { axis, indices: entry.declaration.name };
  return { node: { op: "take_along_axis", attributes, parents: [x] }, entry };
}

/** Picks an operand with axes, and how many leading axes are indexed: all of them half of the time. */
function drawDepth(draft: Draft): { readonly x: NodeId; readonly depth: number } | undefined {
  const x = withAxes(draft);
  if (x === undefined) return undefined;
  const { length: rank } = shapeAt(draft, x);
  return { x, depth: happens(draft.random, 1, 2) ? rank : draft.random.nextInt(1, rank) };
}

/** Draws `rows` rows of indices into the first axes of `x`; `undefined` where those are empty. */
function drawRows(draft: Draft, rows: Shape, x: Shape, depth: number): NewEntry | undefined {
  const limits = x.slice(0, depth);
  if (sizeOf(rows) > 0 && limits.includes(0)) return undefined;
  return newRows(draft, [...rows, depth], limits);
}

/** Indexes leading axes by one row, many or none, as far as the greatest rank allows. */
export function proposeGather(draft: Draft): Proposal<NodeOf<"gather">> | undefined {
  const drawn = drawDepth(draft);
  if (drawn === undefined) return undefined;
  const { x, depth } = drawn;
  const shape = shapeAt(draft, x);
  const some = draft.random.nextInt(2, 4);
  const isEmpty = shape.slice(0, depth).includes(0) || happens(draft.random, 1, 16);
  const drawnRows = isEmpty ? [0] : oneOf<Shape>(draft.random, [[some], [some], [2, 2], [1], []]);
  const rows = drawnRows.slice(0, Math.max(0, draft.profile.maximumRank - (shape.length - depth)));
  const entry = drawRows(draft, rows, shape, depth);
  if (entry === undefined) return undefined;
  return { node: { op: "gather", attributes: { indices: entry.declaration.name }, parents: [x] }, entry };
}

/** The updates are a value whose last axes are the axes of x that no index reaches. */
export function proposeScatterAdd(draft: Draft): Proposal<NodeOf<"scatter_add">> | undefined {
  const drawn = drawDepth(draft);
  if (drawn === undefined) return undefined;
  const { x, depth } = drawn;
  const shape = shapeAt(draft, x);
  const block = shape.slice(depth);
  const updates = pickWhere(draft, (id) => {
    const other = shapeAt(draft, id);
    const lead = other.length - block.length;
    return lead >= 0 && block.every((extent, axis) => extent === other[lead + axis]);
  });
  if (updates === undefined) return undefined;
  const rows = shapeAt(draft, updates).slice(0, shapeAt(draft, updates).length - block.length);
  const entry = drawRows(draft, rows, shape, depth);
  if (entry === undefined) return undefined;
  const attributes = { indices: entry.declaration.name };
  return { node: { op: "scatter_add", attributes, parents: [x, updates] }, entry };
}

/** Sums along any axis; none if no operand has axes. */
export function proposeCumulativeSum(draft: Draft): Proposal<NodeOf<"cumulative_sum">> | undefined {
  const x = withAxes(draft);
  if (x === undefined) return undefined;
  const axis = draft.random.nextInt(0, shapeAt(draft, x).length - 1);
  return { node: { op: "cumulative_sum", attributes: { axis }, parents: [x] } };
}
