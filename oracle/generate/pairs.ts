import { shapeOfNode } from "../../spec/composites/index.ts";
import type { Node } from "../../spec/graph/index.ts";
import type { OperatorName } from "../../spec/operators/index.ts";
import { isSameShape, type NodeId, nodeId, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { append, type Draft, type Proposal, pickWhere, room, shapeAt } from "./draft.ts";
import { proposals } from "./operators.ts";
import { isReadable, isWithin, readsOf } from "./ranks.ts";
import { happens, oneOf } from "./values.ts";

/** How often each of the two nodes is proposed anew. */
const TRIES = 6;

/** An operator, and one that reads its results. */
type Pair = readonly [read: OperatorName, reader: OperatorName];

function drawOperator({ profile, random }: Draft): OperatorName {
  return profile.operators[random.nextInt(0, profile.operators.length - 1)] ?? "add";
}

/** The draft as it is drawn from where nearly everything reads `id`. */
export function facing(draft: Draft, id: NodeId): Draft {
  return { ...draft, habits: { ...draft.habits, locality: "spine", idle: undefined }, spine: [id] };
}

/**
 * A value stretched along new axes in front up to this rank, so that operators of images and batches find some;
 * `undefined` where there is no room for it and two more.
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

/** The rank of what is proposed; `undefined` where the shape rule refuses it. */
function rankOf(draft: Draft, { node, entry }: Proposal<Node>): number | undefined {
  const environment = entry === undefined ? draft.environment : [...draft.environment, entry.declaration];
  const shape = shapeOfNode(node, draft.shapes, environment);
  return shape.ok ? shape.value.length : undefined;
}

/** Appends a node of one operator whose result another may read. Every third try its operand is raised first. */
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

/** The proposal with `id` in place of an operand, one of its shape if there is one, unless it reads `id` already. */
function reading(draft: Draft, proposal: Proposal<Node>, id: NodeId): Proposal<Node> | undefined {
  const { parents } = proposal.node;
  if (parents.includes(id)) return proposal;
  const alike = parents.findIndex((parent) => isSameShape(shapeAt(draft, parent), shapeAt(draft, id)));
  // New indices were drawn for the shapes there were.
  if (alike < 0 && proposal.entry !== undefined) return undefined;
  const place = alike < 0 ? draft.random.nextInt(0, parents.length - 1) : alike;
  return { ...proposal, node: { ...proposal.node, parents: parents.with(place, id) } };
}

/** Appends a node of the operator that reads `id`; `undefined` where none was found that fits. */
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

/** A node that nothing reads yet, read by any operator that may. */
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

/** The golden ratio's fraction: its multiples fill the interval from 0 to 1 evenly, every n-th of them as well. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Pair number `turn` of an even walk through all pairs of the profile's operators that can read each other. */
function pairAt({ profile: { operators } }: Draft, turn: number): Pair | undefined {
  const place = Math.floor(((turn * GOLDEN) % 1) * operators.length ** 2);
  const read = operators[Math.floor(place / operators.length)];
  const reader = operators[place % operators.length];
  const isPair = read !== undefined && reader !== undefined && isReadable(read, reader);
  return isPair ? [read, reader] : undefined;
}

/** An operator and one that reads it: the first is a node that the graph has, or a new one. */
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

/** How many pairs of the walk are for one case; the walk goes on with them in the next. */
const PAIRS = 4;

/**
 * Plants two operators of the profile, one of which reads the other, in case number `index`; says whether it came to
 * that. Every fourth time the
 * first is what the graph has and nobody reads, and any operator reads it. Else it is the pair whose turn it is:
 * so cases that follow each other plant pairs that none of them had, though none knows of another.
 */
export function pairPlanter(index: number): (draft: Draft) => boolean {
  let planted = 0;
  return (draft) => {
    if (happens(draft.random, 1, 4) && extendPair(draft)) return true;
    planted += 1;
    return newPair(draft, PAIRS * index + (planted % PAIRS));
  };
}
