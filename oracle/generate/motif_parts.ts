import type { Node } from "../../spec/graph/index.ts";
import { isSameShape, type NodeId, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { oneOf } from "../random/index.ts";
import { append, type Draft, type Proposal, pickWhere, room, shapeAt } from "./draft.ts";
import { proposeMask } from "./nullary.ts";
import { operandOf } from "./operands.ts";
import { appendRaised, facing } from "./pairs.ts";

/** A part appends nodes that read `x`; it returns the last one's id, or `undefined` where they do not fit. */
export type Part = (draft: Draft, x: NodeId) => NodeId | undefined;

/** Appends a node if the profile has the operator and there is room. */
function place(draft: Draft, proposal: Proposal<Node>): NodeId | undefined {
  const isPossible = room(draft) > 0 && draft.profile.operators.includes(proposal.node.op);
  return isPossible ? append(draft, proposal) : undefined;
}

/** Appends a node on these operands, if all of them are there. */
function put(
  draft: Draft,
  operands: readonly (NodeId | undefined)[],
  nodeOf: (parents: readonly NodeId[]) => Node,
): NodeId | undefined {
  const parents = operands.filter((id) => id !== undefined);
  return parents.length < operands.length ? undefined : place(draft, { node: nodeOf(parents) });
}

/** Appends a tensor filled with one number. */
function fill(draft: Draft, shape: Shape, value: number): NodeId | undefined {
  return place(draft, { node: { op: "full", attributes: { shape, value }, parents: [] } });
}

/** The motifs apply these operators without attributes to operands of their own. */
type PlainName =
  | "add"
  | "subtract"
  | "multiply"
  | "logaddexp"
  | "matmul"
  | "square"
  | "sqrt"
  | "reciprocal"
  | "negative";

/** Appends an operator without attributes. */
export function apply(
  draft: Draft,
  op: PlainName,
  ...operands: readonly (NodeId | undefined)[]
): NodeId | undefined {
  return put(draft, operands, (parents) => ({ op, attributes: {}, parents }));
}

function stretch(draft: Draft, x: NodeId | undefined, shape: Shape): NodeId | undefined {
  return put(draft, [x], (parents) => ({ op: "broadcast_to", attributes: { shape }, parents }));
}

function refold(draft: Draft, x: NodeId | undefined, shape: Shape): NodeId | undefined {
  return put(draft, [x], (parents) => ({ op: "reshape", attributes: { shape }, parents }));
}

function turn(draft: Draft, x: NodeId | undefined, axes: readonly number[]): NodeId | undefined {
  return put(draft, [x], (parents) => ({ op: "permute_dims", attributes: { axes }, parents }));
}

/** Picks a nonempty value of at least `rank` axes, or makes one by broadcasting. */
export function valueOfRank(draft: Draft, rank: number): NodeId | undefined {
  const isFitting = (id: NodeId): boolean =>
    shapeAt(draft, id).length >= rank && sizeOf(shapeAt(draft, id)) > 0;
  return pickWhere(draft, isFitting) ?? appendRaised(draft, rank);
}

/** Multiplies by weights that fit the last axis, to a width that is some extent of the case. */
export const project: Part = (draft, x) => {
  const shape = shapeAt(draft, x);
  const width = oneOf(draft.random, draft.extents);
  const weights = operandOf(draft, [...shape.slice(0, -2), shape.at(-1) ?? 1, width]);
  return apply(draft, "matmul", x, weights);
};

/** Adds a vector along the last axis to all rows. */
export const addBias: Part = (draft, x) => {
  const shape = shapeAt(draft, x);
  return apply(draft, "add", x, stretch(draft, operandOf(draft, shape.slice(-1)), shape));
};

/** Multiplies every row with every row of a value of the same shape: queries and keys. */
export const scoresOf: Part = (draft, x) => {
  const rank = shapeAt(draft, x).length;
  const axes = shapeAt(draft, x).map((_, axis) => (axis < rank - 2 ? axis : 2 * rank - 3 - axis));
  return apply(draft, "matmul", x, turn(draft, operandOf(draft, shapeAt(draft, x)), axes));
};

/** Multiplies all elements by one number, as attention does by 1/√d. */
export const scale: Part = (draft, x) =>
  apply(
    draft,
    "multiply",
    x,
    fill(draft, shapeAt(draft, x), oneOf(draft.random, [0.5, 0.25, 0.125, 0.0625])),
  );

/** Keeps scores up to the row's position and sets later ones to a number below most of them. */
export const maskLater: Part = (draft, x) => {
  const shape = shapeAt(draft, x);
  const below = put(draft, [fill(draft, shape, 1)], (parents) => ({
    op: "tril",
    attributes: { offset: 0 },
    parents,
  }));
  return put(draft, [below, x, fill(draft, shape, -4)], (parents) => ({
    op: "where",
    attributes: {},
    parents,
  }));
};

/** Makes the weights of a sum over the last axis by softmax. */
export const weigh: Part = (draft, x) => {
  const axis = shapeAt(draft, x).length - 1;
  return put(draft, [x], (parents) => ({ op: "softmax", attributes: { axis }, parents }));
};

/** Splits the last axis in two heads and joins them with the rows: what each head sees. */
export const divideHeads: Part = (draft, x) => {
  const shape = shapeAt(draft, x);
  const width = shape.at(-1) ?? 1;
  const rows = sizeOf(shape) / width;
  const heads = width % 2 === 0 ? 2 : 1;
  const apart = refold(draft, x, [rows, heads, width / heads]);
  return refold(draft, turn(draft, apart, [1, 0, 2]), [heads * rows, width / heads]);
};

/** Divides x by the root mean square along the last axis. */
export const normalizeRoot: Part = (draft, x) => {
  const shape = shapeAt(draft, x);
  const attributes = { axes: [shape.length - 1], keepdims: true };
  const mean = put(draft, [apply(draft, "square", x)], (parents) => ({ op: "mean", attributes, parents }));
  const sum = apply(draft, "add", mean, fill(draft, [...shape.slice(0, -1), 1], 0.125));
  const factor = apply(draft, "reciprocal", apply(draft, "sqrt", sum));
  return apply(draft, "multiply", x, stretch(draft, factor, shape));
};

/** Swaps the halves of the last axis and negates one: the quarter turn of rotary positions. */
export const turnHalves: Part = (draft, x) => {
  const shape = shapeAt(draft, x);
  const axis = shape.length - 1;
  const width = shape[axis] ?? 0;
  const cut = (from: number, to: number): NodeId | undefined => {
    const starts = shape.map((_, i) => (i === axis ? from : 0));
    const attributes = { starts, stops: shape.with(axis, to), steps: shape.map(() => 1) };
    return put(draft, [x], (parents) => ({ op: "slice", attributes, parents }));
  };
  const half = Math.floor(width / 2);
  const [first, second] = [cut(0, half), cut(half, width)];
  const halves = [apply(draft, "negative", second), first];
  return put(draft, halves, (parents) => ({ op: "concat", attributes: { axis }, parents }));
};

/** Networks write these equations with einsum; `rank` is the first operand's, `second` the other's shape. */
const equations: readonly {
  readonly equation: string;
  readonly rank: number;
  readonly second: (shape: Shape, width: number) => Shape;
}[] = [
  { equation: "ij,jk->ik", rank: 2, second: ([, j = 1], width) => [j, width] },
  { equation: "ij,kj->ik", rank: 2, second: ([, j = 1], width) => [width, j] },
  { equation: "ij,ik->jk", rank: 2, second: ([i = 1], width) => [i, width] },
  { equation: "ij,j->i", rank: 2, second: ([, j = 1]) => [j] },
  { equation: "ij,ij->i", rank: 2, second: (shape) => shape },
  { equation: "bij,bjk->bik", rank: 3, second: ([b = 1, , j = 1], width) => [b, j, width] },
  { equation: "bid,bjd->bij", rank: 3, second: ([b = 1, , d = 1], width) => [b, width, d] },
  { equation: "bij,jk->bik", rank: 3, second: ([, , j = 1], width) => [j, width] },
  { equation: "bqhd,bkhd->bhqk", rank: 4, second: ([b = 1, , h = 1, d = 1], width) => [b, width, h, d] },
  { equation: "bhqk,bkhd->bqhd", rank: 4, second: ([b = 1, h = 1, , k = 1], width) => [b, k, h, width] },
];

/** Contracts by one of the usual equations for a value of this rank. */
export const contract: Part = (draft, x) => {
  const shape = shapeAt(draft, x);
  const fitting = equations.filter(({ rank }) => rank === shape.length);
  const chosen = fitting[draft.random.nextInt(0, Math.max(fitting.length - 1, 0))];
  if (chosen === undefined) return undefined;
  const { equation, second } = chosen;
  const other = operandOf(draft, second(shape, oneOf(draft.random, draft.extents)));
  return put(draft, [x, other], (parents) => ({ op: "einsum", attributes: { equation }, parents }));
};

/** Multiplies x by a mask of random zeros. */
export const drop: Part = (draft, x) => {
  const mask = place(draft, proposeMask(facing(draft, x)));
  const isFitting = mask !== undefined && isSameShape(shapeAt(draft, mask), shapeAt(draft, x));
  return isFitting ? apply(draft, "multiply", x, mask) : undefined;
};
