import type { OperatorName } from "../../spec/composites/index.ts";
import type { Node } from "../../spec/graph/index.ts";
import { isSameShape, type NodeId, nodeId, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { happens, oneOf } from "../random/index.ts";
import { blockAt } from "./blocks.ts";
import { append, type Draft, type Proposal, pickWhere, room, shapeAt } from "./draft.ts";
import { proposals } from "./operators.ts";
import type { CaseProfile } from "./profile.ts";
import { isReadable, isWithin, readsOf } from "./ranks.ts";

/** A node is proposed at most this often. */
const TRIES = 6;

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

/** Returns the operator that computes an id; `undefined` for an input. */
function operatorAt({ inputs, nodes }: Draft, id: NodeId): OperatorName | undefined {
  return nodes[id - inputs.length]?.op;
}

/** Pairs of a case are planted among the operators of a block; those that it has are not sought again. */
interface Plan {
  readonly block: readonly [OperatorName, ...OperatorName[]];
  readonly planted: Set<string>;
  /** Nodes of an operator expand to so many primitives together. */
  readonly spent: Map<OperatorName, number>;
}

/** Tells whether two operators are of the block, and the case has no such pair. */
function isNew({ block, planted }: Plan, read: OperatorName | undefined, reader: OperatorName): boolean {
  // An operator that reads itself is in many blocks.
  if (read === undefined || read === reader || !block.includes(read)) return false;
  return !planted.has(`${read} ${reader}`);
}

/** Appends a planned node, and notes what it reads and what it costs. */
function appendNoting(draft: Draft, { planted, spent }: Plan, proposal: Proposal<Node>): boolean {
  if (append(draft, proposal) === undefined) return false;
  const { op, parents } = proposal.node;
  for (const parent of parents) planted.add(`${operatorAt(draft, parent)} ${op}`);
  spent.set(op, (spent.get(op) ?? 0) + (draft.primitives.at(-1) ?? 1));
  return true;
}

/** Replaces operands beside `kept` by values of the same shapes that make new pairs, where there are some. */
function denser(draft: Draft, plan: Plan, proposal: Proposal<Node>, kept: NodeId): Proposal<Node> {
  const { op, parents } = proposal.node;
  const read = new Set([operatorAt(draft, kept)]);
  const place = parents.indexOf(kept);
  const chosen = parents.map((parent, i) => {
    if (i === place) return parent;
    const isBetter = (id: NodeId): boolean => {
      const other = operatorAt(draft, id);
      return (
        !read.has(other) && isNew(plan, other, op) && isSameShape(shapeAt(draft, id), shapeAt(draft, parent))
      );
    };
    const better = isBetter(parent) ? parent : (pickWhere(draft, isBetter) ?? parent);
    read.add(operatorAt(draft, better));
    return better;
  });
  return { ...proposal, node: { ...proposal.node, parents: chosen } };
}

/** Appends a node of `reader` that reads `id`, and what makes more pairs if it may. */
function appendPlanned(draft: Draft, plan: Plan, reader: OperatorName, id: NodeId): boolean {
  const proposal = proposals[reader](facing(draft, id));
  const changed = proposal && room(draft) > 0 ? reading(draft, proposal, id) : undefined;
  if (changed === undefined) return false;
  const isAlone = changed.node.parents.length === 1;
  return (
    (!isAlone && appendNoting(draft, plan, denser(draft, plan, changed, id))) ||
    appendNoting(draft, plan, changed)
  );
}

/** An operator whose nodes of a case expand to more primitives is planted no more: others are cheaper. */
const MAXIMUM_SPENT = 5;

/** So many pairs are drawn before one is found that may be planted. */
const DRAWS = 60;

/** Appends a node that reads another, such that their operators are a pair that the case has not. */
function extend(draft: Draft, plan: Plan): boolean {
  const { random, inputs, shapes } = draft;
  let tries = 0;
  for (let draws = 0; draws < DRAWS && tries < TRIES && room(draft) > 0; draws++) {
    const id = nodeId(random.nextInt(inputs.length, shapes.length - 1));
    const read = operatorAt(draft, id);
    const reader = oneOf(random, plan.block);
    const isCheap = (plan.spent.get(reader) ?? 0) <= MAXIMUM_SPENT;
    if (read === undefined || !isCheap || !isNew(plan, read, reader)) continue;
    if (!isReadable(read, reader) || !isWithin(readsOf(reader), shapeAt(draft, id).length)) continue;
    tries += 1;
    if (appendPlanned(draft, plan, reader, id)) return true;
  }
  return false;
}

/** Lists those operators of the block that the case has not yet and that ask for the most axes. */
function missing({ block, spent }: Plan): readonly OperatorName[] {
  const left = block.filter((op) => !spent.has(op));
  const most = Math.max(...left.map((op) => readsOf(op)[0]));
  return left.filter((op) => readsOf(op)[0] === most);
}

/**
 * Appends a node of the block, whatever it reads: half of the time one that the case has not yet and that
 * asks for many axes, since others read its value too. Every third try raises the rank of the operand first.
 */
function begin(draft: Draft, plan: Plan): boolean {
  const { random, profile } = draft;
  const [first = plan.block[0], ...others] = happens(random, 1, 2) ? missing(plan) : plan.block;
  for (let attempt = 1; attempt <= TRIES && room(draft) > 0; attempt++) {
    const op = oneOf(random, [first, ...others]);
    const [least, most] = readsOf(op).map((rank) => Math.min(rank, profile.maximumRank));
    const raised = attempt % 3 === 0 ? appendRaised(draft, random.nextInt(least ?? 0, most ?? 0)) : undefined;
    const proposal = proposals[op](raised === undefined ? draft : facing(draft, raised));
    if (proposal !== undefined && room(draft) > 0 && appendNoting(draft, plan, proposal)) return true;
  }
  return false;
}

/**
 * Plants in case number `index` a node whose operator, with those of what it reads, makes pairs that the
 * case has not; returns whether it appended one. Cases know nothing of each other, yet share out the pairs,
 * since those of a case are of its {@link blockAt block}.
 */
export function pairPlanter({ operators }: CaseProfile, index: number): (draft: Draft) => boolean {
  const [first, ...others] = blockAt(operators, index);
  if (first === undefined) return () => false;
  const plan: Plan = { block: [first, ...others], planted: new Set(), spent: new Map() };
  return (draft) => (draft.nodes.length > 0 && extend(draft, plan)) || begin(draft, plan);
}
