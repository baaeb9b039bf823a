import type { Random } from "fast-check";
import { isCompositeName, type OperatorName } from "../../spec/composites/index.ts";
import { type NodeOutline, outlineOfNode } from "../../spec/expansion/index.ts";
import type { Input, Node, NodeOf } from "../../spec/graph/index.ts";
import type { EnvironmentEntry, UnaryName } from "../../spec/operators/index.ts";
import { moved, nodeBeyond } from "../../spec/promises/index.ts";
import { isSameShape, type NodeId, nodeId, present, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { drawElements, drawTemper, happens, oneOf, type Temper } from "../random/index.ts";
import { type Estimate, estimateElements, estimateNode } from "./estimate.ts";
import type { CaseProfile } from "./profile.ts";

/** Each case has habits of its own, so that structures come dense in some and sparse in others. */
interface Habits {
  /** Nodes mostly read the end of the longest chain, one input above all others, or any id. */
  readonly locality: "spine" | "hub" | "any";
  /** Ids that nothing reads yet are read first, so that little of the graph is dead. */
  readonly isTidy: boolean;
  /** Where `locality` is "hub", this input is the favourite. */
  readonly hub: NodeId;
  /** No node may read this input. */
  readonly idle: NodeId | undefined;
  /** Operands may leave the domain of an operator. */
  readonly isDaring: boolean;
}

/** A draft is a growing graph with its point. `shapes` and `estimates` have one entry for each id. */
export interface Draft {
  readonly profile: CaseProfile;
  readonly random: Random;
  readonly habits: Habits;
  /** All shapes of the case are made of these few extents, so that shapes meet. */
  readonly extents: readonly [number, ...number[]];
  readonly inputs: readonly Input[];
  readonly points: readonly FlatTensor[];
  readonly environment: EnvironmentEntry[];
  readonly entries: Map<string, FlatTensor>;
  readonly nodes: Node[];
  readonly shapes: Shape[];
  readonly estimates: Estimate[];
  /** Each node expands to so many primitives. */
  readonly primitives: number[];
  /** Each entry counts the nodes that read the id. */
  readonly readers: number[];
  /** Each id of this chain is read by the next. */
  readonly spine: NodeId[];
  /** Every number drawn for the point so far is kept, since some are copied. */
  readonly drawn: number[];
}

/** A proposal is a node that may be appended, with the new entry of Δ that it reads, if any. */
export interface Proposal<N> {
  readonly node: N;
  readonly entry?: NewEntry;
}

/** Proposes nodes of each operator, `undefined` where no operand fits; unary functions share a proposal. */
export type Proposals<Name extends OperatorName> = {
  readonly [K in Name]: (draft: Draft) => Proposal<NodeOf<K extends UnaryName ? UnaryName : K>> | undefined;
};

/** This is an entry of Δ with its value. */
export interface NewEntry {
  readonly declaration: EnvironmentEntry;
  readonly value: FlatTensor;
}

/** No value in a case exceeds this, unless the case is daring. */
const MAXIMUM_MAGNITUDE = 2 ** 20;

/** Counts the nodes that may still be appended. */
export function room(draft: Draft): number {
  return draft.profile.nodes[1] - draft.nodes.length;
}

/** Returns the shape of the value at `id`. */
export function shapeAt(draft: Draft, id: NodeId): Shape {
  return draft.shapes[id] ?? [];
}

function pickAny({ random, habits, spine, readers }: Draft): number {
  if (habits.locality === "spine" && happens(random, 7, 8)) return spine.at(-1) ?? 0;
  if (habits.locality === "hub" && happens(random, 1, 3)) return habits.hub;
  const last = readers.length - 1;
  let id = random.nextInt(0, last);
  for (let redraws = habits.isTidy ? 3 : 0; redraws > 0 && (readers[id] ?? 0) > 0; redraws--) {
    id = random.nextInt(0, last);
  }
  return id;
}

/** Picks an id to read, by the habits of the case. */
export function pick(draft: Draft): NodeId {
  const id = pickAny(draft);
  return nodeId(id === draft.habits.idle ? (id + 1) % draft.shapes.length : id);
}

/** Picks an id that `accepts`, near the one that habit would choose; `undefined` if there is none. */
export function pickWhere(draft: Draft, accepts: (id: NodeId) => boolean): NodeId | undefined {
  const count = draft.shapes.length;
  const first = pickAny(draft);
  for (let offset = 0; offset < count; offset++) {
    const id = nodeId((first - offset + count) % count);
    if (id !== draft.habits.idle && accepts(id)) return id;
  }
  return undefined;
}

/** Picks an id of the same shape as `id`: another one in most cases, else `id`. */
export function pickLike(draft: Draft, id: NodeId): NodeId {
  if (happens(draft.random, 1, 8)) return id;
  const shape = shapeAt(draft, id);
  return pickWhere(draft, (other) => other !== id && isSameShape(shapeAt(draft, other), shape)) ?? id;
}

/** Picks an id with at least one axis. */
export function withAxes(draft: Draft): NodeId | undefined {
  return pickWhere(draft, (id) => shapeAt(draft, id).length > 0);
}

/** Draws a new real entry of Δ. */
export function newConstant(draft: Draft, shape: Shape, temper: Temper = drawTemper(draft.random)): NewEntry {
  const data = drawElements(draft.random, sizeOf(shape), temper, draft.drawn);
  return {
    declaration: { name: `c${draft.environment.length}`, shape, kind: "real" },
    value: { shape, data },
  };
}

/** Draws an index entry of Δ: `length` positions below `extent`, one of them twice in every second entry. */
export function newIndices(draft: Draft, extent: number, length: number): NewEntry {
  return newRows(draft, [length], [extent]);
}

/**
 * Draws an index entry of Δ: each row has a position below each of `limits`. In every second entry the last
 * row repeats the first.
 */
export function newRows(draft: Draft, shape: Shape, limits: readonly number[]): NewEntry {
  const data = new Float64Array(sizeOf(shape));
  for (let i = 0; i < data.length; i++) {
    data[i] = draft.random.nextInt(0, (limits[i % limits.length] ?? 1) - 1);
  }
  if (data.length > limits.length && happens(draft.random, 1, 2)) {
    data.copyWithin(data.length - limits.length, 0, limits.length);
  }
  return {
    declaration: { name: `i${draft.environment.length}`, shape, kind: "index" },
    value: { shape, data },
  };
}

/**
 * Tells whether a value with this estimate may join the graph. A composite passes every third time all the
 * same, since its estimate cannot see that the expansion avoids dividing by 0 or the logarithm of 0.
 */
function isWelcome(draft: Draft, op: OperatorName, { least, greatest, degree }: Estimate): boolean {
  if (degree > draft.profile.maximumDegree) return false;
  const isModerate = least >= -MAXIMUM_MAGNITUDE && greatest <= MAXIMUM_MAGNITUDE;
  if (isModerate) return true;
  return draft.habits.isDaring
    ? happens(draft.random, 1, 2)
    : isCompositeName(op) && happens(draft.random, 1, 3);
}

/** Estimates the entry of Δ that `node` reads, if `node` is a constant. */
function entryEstimate(draft: Draft, { node, entry }: Proposal<Node>): Estimate | undefined {
  if (node.op !== "constant") return undefined;
  const value = entry?.value ?? draft.entries.get(node.attributes.name);
  return value === undefined ? undefined : estimateElements(value.data, value.shape);
}

/** Adds an accepted node to the draft and returns its id. */
function admit(
  draft: Draft,
  { node, entry }: Proposal<Node>,
  outline: NodeOutline,
  estimate: Estimate,
): NodeId {
  const id = nodeId(draft.shapes.length);
  if (entry !== undefined) draft.entries.set(entry.declaration.name, entry.value);
  draft.nodes.push(node);
  draft.shapes.push(outline.shape);
  draft.estimates.push(estimate);
  draft.primitives.push(outline.expansion?.nodes.length ?? 1);
  draft.readers.push(0);
  const tip = draft.spine.at(-1);
  for (const parent of node.parents) {
    draft.readers[parent] = (draft.readers[parent] ?? 0) + 1;
    if (parent === tip) draft.spine.push(id);
  }
  return id;
}

function fits({ maximumElements, maximumRank }: CaseProfile, shape: Shape): boolean {
  return sizeOf(shape) <= maximumElements && shape.length <= maximumRank;
}

/** Tells whether an engine promises a node whose value has this shape. */
function isPromised(draft: Draft, node: Node, shape: Shape): boolean {
  const { promised } = draft.profile;
  if (promised === undefined) return true;
  const operands = node.parents.map((id) => shapeAt(draft, id));
  return nodeBeyond(promised, node, operands, shape, draft) === undefined;
}

/** Returns a proposal whose attributes are moved into an engine's limits, if it has some. */
function withinLimits<P extends Proposal<Node>>(draft: Draft, proposal: P): P {
  const { promised } = draft.profile;
  if (promised === undefined) return proposal;
  const { node } = proposal;
  const operands = node.parents.map((id) => shapeAt(draft, id));
  return { ...proposal, node: moved(promised, node, operands, (values) => oneOf(draft.random, values)) };
}

/**
 * Appends a node and its entry of Δ; returns its id. If the shape rule or {@link isWelcome} refuses it, it
 * has too many elements or axes, or an engine's limits leave it out, the draft stays as it was and the
 * result is `undefined`.
 */
export function append(draft: Draft, proposed: Proposal<Node>): NodeId | undefined {
  const proposal = withinLimits(draft, proposed);
  const { node, entry } = proposal;
  if (entry !== undefined) draft.environment.push(entry.declaration);
  const outline = outlineOfNode(node, draft.shapes, draft.environment);
  if (
    outline.ok &&
    fits(draft.profile, outline.value.shape) &&
    isPromised(draft, node, outline.value.shape)
  ) {
    const operands = node.parents.map((id) => present(draft.estimates[id], "estimate of a parent"));
    const estimate = estimateNode(node, operands, outline.value, entryEstimate(draft, proposal));
    if (isWelcome(draft, node.op, estimate)) return admit(draft, proposal, outline.value, estimate);
  }
  if (entry !== undefined) draft.environment.pop();
  return undefined;
}

function drawHabits(profile: CaseProfile, random: Random, inputCount: number): Habits {
  return {
    locality: profile.isChain ? "spine" : oneOf(random, ["spine", "hub", "any", "any"]),
    isTidy: happens(random, 3, 4),
    hub: nodeId(random.nextInt(0, inputCount - 1)),
    idle: inputCount > 1 && happens(random, 1, 8) ? nodeId(inputCount - 1) : undefined,
    isDaring: happens(random, 1, 10),
  };
}

/** Draws numbers for inputs of these shapes; every eighth input repeats an earlier one of its shape. */
function drawPoints(random: Random, shapes: readonly Shape[], drawn: number[]): readonly FlatTensor[] {
  const points: FlatTensor[] = [];
  for (const shape of shapes) {
    const twin = points.find((point) => isSameShape(point.shape, shape));
    const isTwin = twin !== undefined && happens(random, 1, 8);
    const data = isTwin ? twin.data : drawElements(random, sizeOf(shape), drawTemper(random), drawn);
    points.push({ shape, data });
  }
  return points;
}

/** Starts a graph of the given inputs, with numbers for them and no nodes. */
export function emptyDraft(
  profile: CaseProfile,
  random: Random,
  extents: readonly [number, ...number[]],
  shapes: readonly Shape[],
): Draft {
  const drawn: number[] = [];
  const points = drawPoints(random, shapes, drawn);
  return {
    profile,
    random,
    habits: drawHabits(profile, random, shapes.length),
    extents,
    inputs: shapes.map((shape, i) => ({ name: `x${i}`, shape })),
    points,
    environment: [],
    entries: new Map(),
    nodes: [],
    shapes: [...shapes],
    estimates: points.map(({ shape, data }) => estimateElements(data, shape)),
    primitives: [],
    readers: shapes.map(() => 0),
    spine: [nodeId(0)],
    drawn,
  };
}
