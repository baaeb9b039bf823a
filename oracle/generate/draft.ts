import type { Random } from "fast-check";
import { isCompositeName, outlineOfNode } from "../../spec/composites/index.ts";
import type { Input, Node, NodeOf } from "../../spec/graph/index.ts";
import type { EnvironmentEntry, OperatorName, UnaryName } from "../../spec/operators/index.ts";
import { isSameShape, type NodeId, nodeId, present, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { type Estimate, estimateElements, estimateNode } from "./estimate.ts";
import type { CaseProfile } from "./profile.ts";
import { drawElements, drawTemper, happens, oneOf, type Temper } from "./values.ts";

/** How one case likes to choose; cases differ in their habits, so that structures come dense and sparse. */
interface Habits {
  /** Which ids are read: the end of the longest chain, one input above all others, or any. */
  readonly locality: "spine" | "hub" | "any";
  /** Whether ids that nothing reads yet are read first, so that little of the graph is dead. */
  readonly isTidy: boolean;
  /** The favourite of `hub`, an input. */
  readonly hub: NodeId;
  /** An input that nothing may read. */
  readonly idle: NodeId | undefined;
  /** Whether operands may leave an operator's domain. */
  readonly isDaring: boolean;
}

/** A graph while it grows, with its point. `shapes` and `estimates` have one entry for each id. */
export interface Draft {
  readonly profile: CaseProfile;
  readonly random: Random;
  readonly habits: Habits;
  /** The extents that this case's shapes are made of; few, so that shapes meet. */
  readonly extents: readonly [number, ...number[]];
  readonly inputs: readonly Input[];
  readonly points: readonly FlatTensor[];
  readonly environment: EnvironmentEntry[];
  readonly entries: Map<string, FlatTensor>;
  readonly nodes: Node[];
  readonly shapes: Shape[];
  readonly estimates: Estimate[];
  /** By id, how many nodes read it. */
  readonly readers: number[];
  /** A chain: each of its ids is read by the next. */
  readonly spine: NodeId[];
  /** Every number drawn for the point so far, to copy some. */
  readonly drawn: number[];
}

/** A node that may be appended, with the entry of Δ it needs if there is none yet. */
export interface Proposal<N> {
  readonly node: N;
  readonly entry?: NewEntry;
}

/** How operators are proposed; `undefined` where the graph has no operand for it. Functions of one operand are proposed alike. */
export type Proposals<Name extends OperatorName> = {
  readonly [K in Name]: (draft: Draft) => Proposal<NodeOf<K extends UnaryName ? UnaryName : K>> | undefined;
};

/** An entry of Δ with its value. */
export interface NewEntry {
  readonly declaration: EnvironmentEntry;
  readonly value: FlatTensor;
}

/** No value in a case exceeds this, unless the case is daring. */
const MAXIMUM_MAGNITUDE = 2 ** 20;

/** How many nodes may still come. */
export function room(draft: Draft): number {
  return draft.profile.nodes[1] - draft.nodes.length;
}

/** The shape of the value at `id`. */
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

/** An id to read, by the case's habits. */
export function pick(draft: Draft): NodeId {
  const id = pickAny(draft);
  return nodeId(id === draft.habits.idle ? (id + 1) % draft.shapes.length : id);
}

/** An id to read that `accepts`, near the one that habit would choose; `undefined` if there is none. */
export function pickWhere(draft: Draft, accepts: (id: NodeId) => boolean): NodeId | undefined {
  const count = draft.shapes.length;
  const first = pickAny(draft);
  for (let offset = 0; offset < count; offset++) {
    const id = nodeId((first - offset + count) % count);
    if (id !== draft.habits.idle && accepts(id)) return id;
  }
  return undefined;
}

/** An id of the same shape as `id`: another one in most cases, itself in the others. */
export function pickLike(draft: Draft, id: NodeId): NodeId {
  if (happens(draft.random, 1, 8)) return id;
  const shape = shapeAt(draft, id);
  return pickWhere(draft, (other) => other !== id && isSameShape(shapeAt(draft, other), shape)) ?? id;
}

/** An id to read with at least one axis. */
export function withAxes(draft: Draft): NodeId | undefined {
  return pickWhere(draft, (id) => shapeAt(draft, id).length > 0);
}

/** A new real entry of Δ. */
export function newConstant(draft: Draft, shape: Shape, temper: Temper = drawTemper(draft.random)): NewEntry {
  const data = drawElements(draft.random, sizeOf(shape), temper, draft.drawn);
  return {
    declaration: { name: `c${draft.environment.length}`, shape, kind: "real" },
    value: { shape, data },
  };
}

/** A new index entry of Δ, of rank 1: `length` positions below `extent`, every second time one of them twice. */
export function newIndices(draft: Draft, extent: number, length: number): NewEntry {
  return newRows(draft, [length], [extent]);
}

/**
 * A new index entry of Δ: rows of as many positions as there are limits, each below its own; every second time the
 * last row is the first again.
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
 * Whether a value so estimated may stand in the graph. A composite has the benefit of the doubt every third time: its
 * estimate sees a division by a count or a logarithm of a choice that may be 0, where the expansion takes care that it is not.
 */
function isWelcome(draft: Draft, op: OperatorName, { least, greatest, degree }: Estimate): boolean {
  if (degree > draft.profile.maximumDegree) return false;
  const isModerate = least >= -MAXIMUM_MAGNITUDE && greatest <= MAXIMUM_MAGNITUDE;
  if (isModerate) return true;
  return draft.habits.isDaring
    ? happens(draft.random, 1, 2)
    : isCompositeName(op) && happens(draft.random, 1, 3);
}

/** The estimate of the constant that `node` reads, if it is one. */
function entryEstimate(draft: Draft, { node, entry }: Proposal<Node>): Estimate | undefined {
  if (node.op !== "constant") return undefined;
  const value = entry?.value ?? draft.entries.get(node.attributes.name);
  return value === undefined ? undefined : estimateElements(value.data, value.shape);
}

/** Takes an accepted node into the draft; its id. */
function admit(draft: Draft, { node, entry }: Proposal<Node>, shape: Shape, estimate: Estimate): NodeId {
  const id = nodeId(draft.shapes.length);
  if (entry !== undefined) draft.entries.set(entry.declaration.name, entry.value);
  draft.nodes.push(node);
  draft.shapes.push(shape);
  draft.estimates.push(estimate);
  draft.readers.push(0);
  const tip = draft.spine.at(-1);
  for (const parent of node.parents) {
    draft.readers[parent] = (draft.readers[parent] ?? 0) + 1;
    if (parent === tip) draft.spine.push(id);
  }
  return id;
}

/**
 * Appends a proposed node and its entry of Δ; the new id. Refused, with the draft unchanged, is what the shape rule
 * refuses, what has too many elements, and what {@link isWelcome} does not let in.
 */
export function append(draft: Draft, proposal: Proposal<Node>): NodeId | undefined {
  const { node, entry } = proposal;
  if (entry !== undefined) draft.environment.push(entry.declaration);
  const outline = outlineOfNode(node, draft.shapes, draft.environment);
  if (outline.ok && sizeOf(outline.value.shape) <= draft.profile.maximumElements) {
    const operands = node.parents.map((id) => present(draft.estimates[id], "estimate of a parent"));
    const estimate = estimateNode(node, operands, outline.value, entryEstimate(draft, proposal));
    if (isWelcome(draft, node.op, estimate)) return admit(draft, proposal, outline.value.shape, estimate);
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

/** Numbers for inputs of these shapes; every eighth input is equal to an earlier one of its shape. */
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

/** A graph of the given inputs and no nodes yet, with numbers for the inputs. */
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
    readers: shapes.map(() => 0),
    spine: [nodeId(0)],
    drawn,
  };
}
