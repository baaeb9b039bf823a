import type { OperatorName } from "../../spec/composites/index.ts";
import { shapeOfNode } from "../../spec/expansion/index.ts";
import type { Node } from "../../spec/graph/index.ts";
import { isSameShape, type NodeId, nodeId, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { happens, oneOf } from "../random/index.ts";
import { append, type Draft, type Proposal, pickWhere, room, shapeAt } from "./draft.ts";
import { proposals } from "./operators.ts";
import { isReadable, isWithin, readsOf } from "./ranks.ts";
import { placeAt } from "./walk.ts";

/** Each of the two nodes is proposed at most this often. */
const TRIES = 6;

/** A pair is an operator and one that reads its result. */
type Pair = readonly [read: OperatorName, reader: OperatorName];

function drawOperator({ profile, random }: Draft): OperatorName {
  return profile.operators[random.nextInt(0, profile.operators.length - 1)] ?? "add";
}

/** Copies the draft with habits by which nearly every proposal reads `id`. */
export function facing(draft: Draft, id: NodeId): Draft {
  return { ...draft, habits: { ...draft.habits, locality: "spine", idle: undefined }, spine: [id] };
}

/**
 * Broadcasts a value along new leading axes up to this rank, so that operators of images and batches find
 * some. Returns `undefined` where there is no room for it and two nodes more.
 */
export function appendRaised(draft: Draft, rank: number): NodeId | undefined {
  const x = pickWhere(draft, (id) => shapeAt(draft, id).length < rank);
  if (x === undefined || room(draft) < 3 || !draft.profile.operators.includes("broadcast_to"))
    return undefined;
  let shape: Shape = shapeAt(draft, x);
  while (shape.length < rank) {
    const extent = oneOf(draft.random, draft.extents);
    shape = [extent * sizeOf(shape) > draft.profile.maximumElements ? 1 : extent, ...shape];
  }
  return append(draft, { node: { op: "broadcast_to", attributes: { shape }, parents: [x] } });
}

/** Returns the rank of what is proposed, `undefined` where the shape rule refuses it. */
function rankOf(draft: Draft, { node, entry }: Proposal<Node>): number | undefined {
  const environment = entry === undefined ? draft.environment : [...draft.environment, entry.declaration];
  const shape = shapeOfNode(node, draft.shapes, environment);
  return shape.ok ? shape.value.length : undefined;
}

/** Appends a node of `read` that `reader` may read. Every third try raises the rank of its operand first. */
function appendRead(draft: Draft, read: OperatorName, reader: OperatorName): NodeId | undefined {
  const [least] = readsOf(reader);
  const [fewest, most] = readsOf(read);
  const highest = Math.min(draft.profile.maximumRank, most);
  const lowest = Math.min(Math.max(least, fewest), highest);
  for (let attempt = 1; attempt <= TRIES && room(draft) >= 2; attempt++) {
    const rank = draft.random.nextInt(lowest, highest);
    const raised = attempt % 3 === 0 ? appendRaised(draft, rank) : undefined;
    const proposal = proposals[read](raised === undefined ? draft : facing(draft, raised));
    if (proposal === undefined || room(draft) < 2) continue;
    const given = rankOf(draft, proposal);
    const id = given !== undefined && isWithin(readsOf(reader), given) ? append(draft, proposal) : undefined;
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Puts `id` in place of an operand, one of its shape if there is one, unless it is read already. */
function reading(draft: Draft, proposal: Proposal<Node>, id: NodeId): Proposal<Node> | undefined {
  const { parents } = proposal.node;
  if (parents.includes(id)) return proposal;
  const alike = parents.findIndex((parent) => isSameShape(shapeAt(draft, parent), shapeAt(draft, id)));
  // The indices of a new entry fit only the shapes they were drawn for.
  if (alike < 0 && proposal.entry !== undefined) return undefined;
  const place = alike < 0 ? draft.random.nextInt(0, parents.length - 1) : alike;
  return { ...proposal, node: { ...proposal.node, parents: parents.with(place, id) } };
}

/** Appends a node of the operator that reads `id`; returns `undefined` where none was found that fits. */
export function appendReader(draft: Draft, op: OperatorName, id: NodeId): NodeId | undefined {
  if (!draft.profile.operators.includes(op)) return undefined;
  for (let attempt = 0; attempt < TRIES && room(draft) > 0; attempt++) {
    const proposal = proposals[op](facing(draft, id));
    const changed = proposal && room(draft) > 0 ? reading(draft, proposal, id) : undefined;
    const appended = changed && append(draft, changed);
    if (appended !== undefined) return appended;
  }
  return undefined;
}

/** Appends a reader, of any operator that may, to a node that nothing reads yet. */
function extendPair(draft: Draft): boolean {
  const first = draft.inputs.length;
  const x = pickWhere(draft, (id) => id >= first && draft.readers[id] === 0);
  const read = x === undefined ? undefined : draft.nodes[x - first]?.op;
  if (x === undefined || read === undefined) return false;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const reader = drawOperator(draft);
    const fits = isReadable(read, reader) && isWithin(readsOf(reader), shapeAt(draft, x).length);
    if (fits) return appendReader(draft, reader, x) !== undefined;
  }
  return false;
}

/** So many turns of the walk have one operator that is read; mostly one node of it serves all the readers. */
const READERS = 4;

/** Returns pair number `turn` of an even walk through all pairs of operators, if it can be read. */
function pairAt({ profile: { operators } }: Draft, turn: number): Pair | undefined {
  const blocks = Math.ceil(operators.length / READERS);
  const place = placeAt(Math.floor(turn / READERS), operators.length * blocks);
  const read = operators[Math.floor(place / blocks)];
  const reader = operators[(place % blocks) + blocks * (turn % READERS)];
  const isPair = read !== undefined && reader !== undefined && isReadable(read, reader);
  return isPair ? [read, reader] : undefined;
}

/** Appends the pair: the first node is one of the graph, or a new one. */
function newPair(draft: Draft, turn: number): boolean {
  const pair = pairAt(draft, turn);
  if (pair === undefined || room(draft) < 2) return false;
  const [read, reader] = pair;
  const first = draft.inputs.length;
  const known = draft.nodes.findIndex(
    ({ op }, place) => op === read && isWithin(readsOf(reader), shapeAt(draft, nodeId(first + place)).length),
  );
  const id = known < 0 ? appendRead(draft, read, reader) : nodeId(first + known);
  return id !== undefined && appendReader(draft, reader, id) !== undefined;
}

/** Each case has this many turns of the walk, and the next case goes on from there. */
const PAIRS = 20;

/**
 * Plants two operators, one of which reads the other, in case number `index`; returns whether it appended
 * them. Every sixth time the first is a node that nobody reads, and the reader is any. Else it is the pair
 * whose turn it is: so cases that follow each other plant pairs that none of them had, though none knows of
 * another.
 */
export function pairPlanter(index: number): (draft: Draft) => boolean {
  let planted = 0;
  return (draft) => {
    if (happens(draft.random, 1, 6) && extendPair(draft)) return true;
    planted += 1;
    return newPair(draft, PAIRS * index + (planted % PAIRS));
  };
}
