import type { OperatorName } from "../../spec/composites/index.ts";
import type { NodeOf } from "../../spec/graph/index.ts";
import {
  forUnary,
  MARGIN,
  type PrimitiveName,
  type UnaryName,
  unaryFunctions,
} from "../../spec/operators/index.ts";
import { type NodeId, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { happens } from "../random/index.ts";
import { compositeProposals } from "./composites.ts";
import {
  type Draft,
  newConstant,
  newIndices,
  type Proposal,
  type Proposals,
  pick,
  pickLike,
  pickWhere,
  shapeAt,
  withAxes,
} from "./draft.ts";
import { proposeFull, proposeIota, proposeMask } from "./nullary.ts";
import { operandOf } from "./operands.ts";
import { drawAxes } from "./reductive.ts";
import { refolded, stretched, turnedAxes } from "./shapes.ts";
import {
  proposeCumulativeSum,
  proposeGather,
  proposePad,
  proposeScatterAdd,
  proposeSlice,
  proposeTakeAlongAxis,
} from "./structural.ts";
import { proposeDet, proposeSolve } from "./systems.ts";

const one = (draft: Draft): readonly NodeId[] => [pick(draft)];

/** Picks two operands of one shape. */
function two(draft: Draft): readonly NodeId[] {
  const x = pick(draft);
  return [x, pickLike(draft, x)];
}

/** Picks an operand with all elements between `from` and `to`, unless there is none or the case is daring. */
function between(draft: Draft, from: number, to: number): NodeId {
  const isInside = (id: NodeId): boolean => {
    const x = draft.estimates[id];
    return x !== undefined && x.least >= from && x.greatest <= to;
  };
  return (draft.habits.isDaring ? undefined : pickWhere(draft, isInside)) ?? pick(draft);
}

/** These functions were drawn before functions had domains; to seek operands would change every seed. */
const unsought: ReadonlySet<UnaryName> = new Set<UnaryName>(["exp", "log", "sin", "cos", "tanh", "sqrt"]);

/** Proposes a function of an operand in its domain, if there is one. */
function proposeFunction(op: UnaryName): (draft: Draft) => Proposal<NodeOf<UnaryName>> {
  const [least, greatest] = unaryFunctions[op].drawnFrom;
  const operand = (draft: Draft): NodeId =>
    unsought.has(op) ? pick(draft) : between(draft, least, greatest);
  return (draft) => ({ node: { op, attributes: {}, parents: [operand(draft)] } });
}

/** Picks a positive base and any exponent, or the coordinates of a point of the right half plane. */
function positiveAndAny(draft: Draft): readonly [NodeId, NodeId] {
  const x = between(draft, MARGIN, 2 ** 10);
  return [x, pickLike(draft, x)];
}

/** Picks a base and an exponent; every fourth base is any, since 0 and negative bases have own slopes. */
function power(draft: Draft): readonly NodeId[] {
  return happens(draft.random, 1, 4) ? two(draft) : positiveAndAny(draft);
}

/** Picks the ordinate first; some points are any, most of which lie right of the cut or off the axis. */
function anglePair(draft: Draft): readonly NodeId[] {
  return happens(draft.random, 1, 2) ? two(draft) : positiveAndAny(draft).toReversed();
}

/** Reads an existing constant every second time, so that some are read twice, else a new one. */
function proposeConstant(draft: Draft): Proposal<NodeOf<"constant">> {
  const known = draft.environment.find(({ kind }) => kind === "real");
  if (known !== undefined && happens(draft.random, 1, 2)) {
    return { node: { op: "constant", attributes: { name: known.name }, parents: [] } };
  }
  const entry = newConstant(draft, shapeAt(draft, pick(draft)));
  return { node: { op: "constant", attributes: { name: entry.declaration.name }, parents: [] }, entry };
}

/** The condition is a value that may be 0, if there is one, since other values almost never are. */
function proposeWhere(draft: Draft): Proposal<NodeOf<"where">> {
  const touchesZero = (id: NodeId): boolean => {
    const x = draft.estimates[id];
    return x !== undefined && x.least <= 0 && x.greatest >= 0;
  };
  const condition = pickWhere(draft, touchesZero) ?? pick(draft);
  const parents = [condition, pickLike(draft, condition), pickLike(draft, condition)];
  return { node: { op: "where", attributes: {}, parents } };
}

function proposeSum(draft: Draft): Proposal<NodeOf<"sum">> {
  const x = pick(draft);
  return { node: { op: "sum", attributes: drawAxes(draft, shapeAt(draft, x).length), parents: [x] } };
}

/**
 * Half of the time it takes a value with an extent of 1, if there is one. Half of the time it takes a shape
 * of the graph, so that the result finds partners.
 */
function proposeBroadcast(draft: Draft): Proposal<NodeOf<"broadcast_to">> {
  const isNarrow = (id: NodeId): boolean => shapeAt(draft, id).includes(1);
  const narrow = happens(draft.random, 1, 2) ? pickWhere(draft, isNarrow) : undefined;
  const x = narrow ?? pick(draft);
  const shape = happens(draft.random, 1, 2)
    ? shapeAt(draft, pick(draft))
    : stretched(draft.random, shapeAt(draft, x), draft.extents, draft.profile.maximumRank);
  return { node: { op: "broadcast_to", attributes: { shape }, parents: [x] } };
}

function proposeReshape(draft: Draft): Proposal<NodeOf<"reshape">> {
  const x = pick(draft);
  const shape = shapeAt(draft, x);
  const other = shapeAt(draft, pick(draft));
  const target =
    happens(draft.random, 1, 2) && sizeOf(other) === sizeOf(shape)
      ? other
      : refolded(draft.random, shape, draft.profile.maximumRank);
  return { node: { op: "reshape", attributes: { shape: target }, parents: [x] } };
}

function proposePermutation(draft: Draft): Proposal<NodeOf<"permute_dims">> {
  const least = draft.random.nextInt(0, Math.max(draft.profile.maximumRank, 3));
  const x = pickWhere(draft, (id) => shapeAt(draft, id).length >= least) ?? pick(draft);
  const axes = turnedAxes(draft.random, shapeAt(draft, x).length);
  return { node: { op: "permute_dims", attributes: { axes }, parents: [x] } };
}

/** The operands differ at most along the axis; in half of the cases there are `maximumOperands`. */
function proposeConcat(draft: Draft): Proposal<NodeOf<"concat">> | undefined {
  const first = withAxes(draft);
  if (first === undefined) return undefined;
  const shape = shapeAt(draft, first);
  const axis = draft.random.nextInt(0, shape.length - 1);
  const fits = (id: NodeId): boolean => {
    const other = shapeAt(draft, id);
    return other.length === shape.length && other.every((extent, i) => i === axis || extent === shape[i]);
  };
  const parents = [first];
  const { maximumOperands } = draft.profile;
  const count = draft.random.nextInt(1, 2 * maximumOperands);
  while (parents.length < Math.min(count, maximumOperands)) parents.push(pickWhere(draft, fits) ?? first);
  return { node: { op: "concat", attributes: { axis }, parents } };
}

function proposeTake(draft: Draft): Proposal<NodeOf<"take">> | undefined {
  const x = withAxes(draft);
  if (x === undefined) return undefined;
  const shape = shapeAt(draft, x);
  const axis = draft.random.nextInt(0, shape.length - 1);
  const extent = shape[axis] ?? 0;
  const isEmpty = extent === 0 || happens(draft.random, 1, 16);
  const entry = newIndices(draft, extent, isEmpty ? 0 : draft.random.nextInt(1, 4));
  return {
    node: { op: "take", attributes: { axis, indices: entry.declaration.name }, parents: [x] },
    entry,
  };
}

/** Tells whether the shapes are `[...batch, n, k]` and `[...batch, k, m]`. */
function multiplies(x: Shape, y: Shape): boolean {
  const isBatch = (extent: number, axis: number): boolean => axis >= x.length - 2 || extent === y[axis];
  return x.length >= 2 && x.length === y.length && y.at(-2) === x.at(-1) && x.every(isBatch);
}

/** Multiplies a value of at least `rank` axes by matrices made to fit, since those hardly ever meet such. */
function proposeMadeMatmul(draft: Draft, rank: number): Proposal<NodeOf<"matmul">> | undefined {
  const x = pickWhere(draft, (id) => shapeAt(draft, id).length >= rank);
  if (x === undefined) return undefined;
  const shape = shapeAt(draft, x);
  const y = operandOf(draft, [...shape.slice(0, -2), ...shape.slice(-1), draft.random.nextInt(1, 3)]);
  return y === undefined ? undefined : { node: { op: "matmul", attributes: {}, parents: [x, y] } };
}

function proposeMatmul(draft: Draft): Proposal<NodeOf<"matmul">> | undefined {
  if (draft.profile.maximumRank > 3 && happens(draft.random, 1, 2)) return proposeMadeMatmul(draft, 4);
  const partner = (x: NodeId): NodeId | undefined =>
    pickWhere(draft, (y) => multiplies(shapeAt(draft, x), shapeAt(draft, y)));
  const x = pickWhere(draft, (id) => shapeAt(draft, id).length >= 2 && partner(id) !== undefined);
  const y = x === undefined ? undefined : partner(x);
  if (x === undefined || y === undefined) return proposeMadeMatmul(draft, 2);
  return { node: { op: "matmul", attributes: {}, parents: [x, y] } };
}

/** Draws a node of each primitive, in the operator table's order. */
const primitiveProposals: Proposals<PrimitiveName> = {
  constant: proposeConstant,
  full: proposeFull,
  iota: proposeIota,
  bernoulli_mask: proposeMask,
  stop_gradient: (draft) => ({ node: { op: "stop_gradient", attributes: {}, parents: one(draft) } }),
  negative: (draft) => ({ node: { op: "negative", attributes: {}, parents: one(draft) } }),
  ...forUnary(proposeFunction),
  relu: (draft) => ({ node: { op: "relu", attributes: {}, parents: one(draft) } }),
  floor: (draft) => ({ node: { op: "floor", attributes: {}, parents: one(draft) } }),
  add: (draft) => ({ node: { op: "add", attributes: {}, parents: two(draft) } }),
  subtract: (draft) => ({ node: { op: "subtract", attributes: {}, parents: two(draft) } }),
  multiply: (draft) => ({ node: { op: "multiply", attributes: {}, parents: two(draft) } }),
  divide: (draft) => ({ node: { op: "divide", attributes: {}, parents: two(draft) } }),
  maximum: (draft) => ({ node: { op: "maximum", attributes: {}, parents: two(draft) } }),
  less: (draft) => ({ node: { op: "less", attributes: {}, parents: two(draft) } }),
  equal: (draft) => ({ node: { op: "equal", attributes: {}, parents: two(draft) } }),
  pow: (draft) => ({ node: { op: "pow", attributes: {}, parents: power(draft) } }),
  atan2: (draft) => ({ node: { op: "atan2", attributes: {}, parents: anglePair(draft) } }),
  hypot: (draft) => ({ node: { op: "hypot", attributes: {}, parents: two(draft) } }),
  where: proposeWhere,
  sum: proposeSum,
  broadcast_to: proposeBroadcast,
  reshape: proposeReshape,
  permute_dims: proposePermutation,
  concat: proposeConcat,
  take: proposeTake,
  slice: proposeSlice,
  pad: proposePad,
  take_along_axis: proposeTakeAlongAxis,
  gather: proposeGather,
  scatter_add: proposeScatterAdd,
  cumulative_sum: proposeCumulativeSum,
  matmul: proposeMatmul,
  solve: proposeSolve,
  det: proposeDet,
};

/** Draws a node of each operator. */
export const proposals: Proposals<OperatorName> = { ...primitiveProposals, ...compositeProposals };
