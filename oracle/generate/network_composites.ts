import type { NodeOf } from "../../spec/graph/index.ts";
import type { NodeId, Shape } from "../../spec/shapes/index.ts";
import { happens, oneOf } from "../random/index.ts";
import {
  type Draft,
  newRows,
  type Proposal,
  type Proposals,
  pick,
  pickLike,
  pickWhere,
  shapeAt,
  withAxes,
} from "./draft.ts";
import { operandOf, operandsOf } from "./operands.ts";
import { drawAxis } from "./reductive.ts";
import { proposeAvgPool, proposeConv, proposeConvTranspose, proposeMaxPool } from "./window_composites.ts";

/** Most are large enough that a variance of 0 is no singular point. */
function drawEpsilon({ random }: Draft): number {
  return oneOf(random, [0.125, 0.5, 1, 2 ** -17, 2 ** -17, 0]);
}

function alongAxis<K extends "softmax" | "log_softmax">(
  op: K,
): (
  draft: Draft,
) => { node: { op: K; attributes: { axis: number }; parents: readonly NodeId[] } } | undefined {
  return (draft) => {
    const drawn = drawAxis(draft);
    if (drawn === undefined) return undefined;
    return { node: { op, attributes: { axis: drawn.axis }, parents: [drawn.x] } };
  };
}

function proposeLayerNorm(draft: Draft): Proposal<NodeOf<"layer_norm">> | undefined {
  const x = withAxes(draft);
  if (x === undefined) return undefined;
  const shape = shapeAt(draft, x);
  const first = happens(draft.random, 3, 4) ? draft.random.nextInt(0, shape.length - 1) : 0;
  const axes = shape.map((_, axis) => axis).slice(first);
  const others = operandsOf(draft, [shape.slice(first), shape.slice(first)]);
  if (others === undefined) return undefined;
  const order = happens(draft.random, 1, 4) ? axes.toReversed() : axes;
  return {
    node: {
      op: "layer_norm",
      attributes: { axes: order, epsilon: drawEpsilon(draft) },
      parents: [x, ...others],
    },
  };
}

/** Picks an operand with an axis of channels, and `count` operands of one element for each channel. */
function drawChannels(draft: Draft, x: NodeId, axis: number, count: number): readonly NodeId[] | undefined {
  const channels = [shapeAt(draft, x)[axis] ?? 1];
  return operandsOf(
    draft,
    Array.from({ length: count }, () => channels),
  );
}

function proposeBatchNormTrain(draft: Draft): Proposal<NodeOf<"batch_norm_train">> | undefined {
  const drawn = drawAxis(draft);
  const others = drawn && drawChannels(draft, drawn.x, drawn.axis, 2);
  if (drawn === undefined || others === undefined) return undefined;
  const attributes = { axis: drawn.axis, epsilon: drawEpsilon(draft) };
  return { node: { op: "batch_norm_train", attributes, parents: [drawn.x, ...others] } };
}

/** Prefers a variance that is known not to be negative. */
function proposeBatchNormEval(draft: Draft): Proposal<NodeOf<"batch_norm_eval">> | undefined {
  const drawn = drawAxis(draft);
  const others = drawn && drawChannels(draft, drawn.x, drawn.axis, 3);
  if (drawn === undefined || others === undefined) return undefined;
  const [scale] = others;
  const isVariance = (id: NodeId): boolean => {
    const [extent, ...rest] = shapeAt(draft, id);
    const isVector = rest.length === 0 && extent === shapeAt(draft, drawn.x)[drawn.axis];
    return isVector && (draft.estimates[id]?.least ?? -1) >= 0;
  };
  const variance = pickWhere(draft, isVariance) ?? scale;
  if (variance === undefined) return undefined;
  const attributes = { axis: drawn.axis, epsilon: oneOf(draft.random, [0.125, 1, 4]) };
  return { node: { op: "batch_norm_eval", attributes, parents: [drawn.x, ...others, variance] } };
}

function proposeGroupNorm(draft: Draft): Proposal<NodeOf<"group_norm">> | undefined {
  const x = pickWhere(draft, (id) => shapeAt(draft, id).length >= 2);
  const others = x === undefined ? undefined : drawChannels(draft, x, 1, 2);
  if (x === undefined || others === undefined) return undefined;
  const [, channels = 1] = shapeAt(draft, x);
  const divisors = [1, 2, 3, 4].filter((count) => channels % count === 0);
  const groups = divisors[draft.random.nextInt(0, divisors.length - 1)] ?? 1;
  const attributes = { groups, epsilon: drawEpsilon(draft) };
  return { node: { op: "group_norm", attributes, parents: [x, ...others] } };
}

function proposeEmbedding(draft: Draft): Proposal<NodeOf<"embedding">> | undefined {
  const x = pickWhere(draft, (id) => shapeAt(draft, id).length === 2 && shapeAt(draft, id)[0] !== 0);
  if (x === undefined) return undefined;
  const entry = newRows(draft, [draft.random.nextInt(1, 4)], [shapeAt(draft, x)[0] ?? 1]);
  return { node: { op: "embedding", attributes: { indices: entry.declaration.name }, parents: [x] }, entry };
}

function proposeDropout(draft: Draft): Proposal<NodeOf<"dropout">> {
  const entry = newRows(draft, [2], [2 ** 32, 2 ** 32]);
  const attributes = { key: entry.declaration.name, rate: oneOf(draft.random, [0.5, 0.25, 0.1, 0.75, 0, 1]) };
  return { node: { op: "dropout", attributes, parents: [pick(draft)] }, entry };
}

/** Takes the shape of a matrix of the graph half of the time, else a small one. */
function drawMatrix(draft: Draft): readonly [number, number] {
  const { random } = draft;
  const known = pickWhere(draft, (id) => shapeAt(draft, id).length === 2 && !shapeAt(draft, id).includes(0));
  const [rows = 1, columns = 1] = known === undefined ? [] : shapeAt(draft, known);
  const isKnown = known !== undefined && happens(random, 1, 2);
  return isKnown ? [rows, columns] : [random.nextInt(1, 3), random.nextInt(1, 3)];
}

/** Keys and values are the queries half of the time; two of three have a mask, of one row or one for each. */
function proposeAttention(draft: Draft): Proposal<NodeOf<"scaled_dot_product_attention">> | undefined {
  const { random } = draft;
  const [length, depth] = drawMatrix(draft);
  const batch: Shape = draft.profile.maximumRank > 2 && happens(random, 1, 3) ? [random.nextInt(1, 2)] : [];
  const keys = happens(random, 1, 2) ? length : random.nextInt(1, 3);
  const values = happens(random, 1, 2) ? depth : random.nextInt(1, 3);
  const mask: readonly Shape[] = happens(random, 2, 3) ? [[happens(random, 1, 2) ? length : 1, keys]] : [];
  const matrices = [
    [...batch, length, depth],
    [...batch, keys, depth],
    [...batch, keys, values],
  ];
  const parents = operandsOf(draft, [...matrices, ...mask]);
  if (parents === undefined) return undefined;
  const attributes = { causal: happens(random, 1, 2) };
  return { node: { op: "scaled_dot_product_attention", attributes, parents } };
}

function proposeMultiHead(draft: Draft): Proposal<NodeOf<"multi_head_attention">> | undefined {
  const { random } = draft;
  const [length, width] = drawMatrix(draft);
  const isSelf = happens(random, 1, 2);
  const [keys, depth] = isSelf ? [length, width] : [random.nextInt(1, 3), random.nextInt(1, 2)];
  const heads = random.nextInt(1, 2);
  const [inner, values] = [heads * random.nextInt(1, 2), heads * random.nextInt(1, 2)];
  const shapes = [
    [length, width],
    [keys, depth],
    [width, inner],
    [depth, inner],
    [depth, values],
    [values, random.nextInt(1, 2)],
  ];
  const parents = operandsOf(draft, shapes);
  if (parents === undefined) return undefined;
  return {
    node: { op: "multi_head_attention", attributes: { heads, causal: happens(random, 1, 2) }, parents },
  };
}

/** The block is as wide inside as outside, so that few different operands are needed. */
function proposeTransformer(draft: Draft): Proposal<NodeOf<"transformer_block">> | undefined {
  const { random } = draft;
  const [length, width] = [random.nextInt(1, 2), 2];
  const [vector, matrix] = [[width], [width, width]];
  const attention = [[length, width], vector, vector, matrix, matrix, matrix, matrix];
  const parents = operandsOf(draft, [...attention, vector, vector, matrix, vector, matrix, vector]);
  if (parents === undefined) return undefined;
  const attributes = {
    heads: random.nextInt(1, 2),
    causal: happens(random, 1, 2),
    epsilon: drawEpsilon(draft),
  };
  return { node: { op: "transformer_block", attributes, parents } };
}

/** Picks the operands of a recurrent cell of this many gates, states and biases. */
function drawCell(
  draft: Draft,
  gates: number,
  states: number,
  biases: number,
): readonly NodeId[] | undefined {
  const { random } = draft;
  const [batch, inputs] = drawMatrix(draft);
  const hidden = random.nextInt(1, gates > 1 ? 1 : 2);
  return operandsOf(draft, [
    [batch, inputs],
    ...Array.from({ length: states }, () => [batch, hidden]),
    [gates * hidden, inputs],
    [gates * hidden, hidden],
    ...Array.from({ length: biases }, () => [gates * hidden]),
  ]);
}

function proposeElman(draft: Draft): Proposal<NodeOf<"elman_cell">> | undefined {
  const parents = drawCell(draft, 1, 1, 1);
  return parents && { node: { op: "elman_cell", attributes: {}, parents } };
}

function proposeLstm(draft: Draft): Proposal<NodeOf<"lstm_cell">> | undefined {
  const parents = drawCell(draft, 4, 2, 1);
  const output = oneOf(draft.random, ["hidden", "cell"] as const);
  return parents && { node: { op: "lstm_cell", attributes: { output }, parents } };
}

function proposeGru(draft: Draft): Proposal<NodeOf<"gru_cell">> | undefined {
  const parents = drawCell(draft, 3, 1, 2);
  return parents && { node: { op: "gru_cell", attributes: {}, parents } };
}

/** Picks two operands of one shape, mostly different ones. */
function drawPair(draft: Draft): readonly NodeId[] {
  const x = pick(draft);
  return [x, pickLike(draft, x)];
}

/** Prefers a second operand that is known not to be negative. */
function proposeKlDiv(draft: Draft): Proposal<NodeOf<"kl_div">> | undefined {
  const y = pickWhere(draft, (id) => (draft.estimates[id]?.least ?? -1) >= 0) ?? pick(draft);
  const x = operandOf(draft, shapeAt(draft, y));
  return x === undefined ? undefined : { node: { op: "kl_div", attributes: {}, parents: [x, y] } };
}

function labelled<K extends "nll" | "cross_entropy">(
  op: K,
): (
  draft: Draft,
) => Proposal<{ op: K; attributes: { labels: string }; parents: readonly NodeId[] }> | undefined {
  return (draft) => {
    const x = operandOf(draft, drawMatrix(draft));
    if (x === undefined) return undefined;
    const [rows = 1, classes = 1] = shapeAt(draft, x);
    const entry = newRows(draft, [rows], [classes]);
    return { node: { op, attributes: { labels: entry.declaration.name }, parents: [x] }, entry };
  };
}

/** These composites are layers, cells and losses of networks. */
export type NetworkName =
  | "conv"
  | "conv_transpose"
  | "max_pool"
  | "avg_pool"
  | "softmax"
  | "log_softmax"
  | "layer_norm"
  | "batch_norm_train"
  | "batch_norm_eval"
  | "group_norm"
  | "embedding"
  | "dropout"
  | "scaled_dot_product_attention"
  | "multi_head_attention"
  | "elman_cell"
  | "lstm_cell"
  | "gru_cell"
  | "transformer_block"
  | "mse"
  | "huber"
  | "cross_entropy"
  | "nll"
  | "bce_with_logits"
  | "kl_div";

/** Draws a node of each of these composites, in the table's order. */
export const networkProposals: Proposals<NetworkName> = {
  conv: proposeConv,
  conv_transpose: proposeConvTranspose,
  max_pool: proposeMaxPool,
  avg_pool: proposeAvgPool,
  softmax: alongAxis("softmax"),
  log_softmax: alongAxis("log_softmax"),
  layer_norm: proposeLayerNorm,
  batch_norm_train: proposeBatchNormTrain,
  batch_norm_eval: proposeBatchNormEval,
  group_norm: proposeGroupNorm,
  embedding: proposeEmbedding,
  dropout: proposeDropout,
  scaled_dot_product_attention: proposeAttention,
  multi_head_attention: proposeMultiHead,
  elman_cell: proposeElman,
  lstm_cell: proposeLstm,
  gru_cell: proposeGru,
  transformer_block: proposeTransformer,
  mse: (draft) => ({ node: { op: "mse", attributes: {}, parents: drawPair(draft) } }),
  huber: (draft) => {
    const delta = oneOf(draft.random, [0.5, 1, 0.125, 2, 16]);
    return { node: { op: "huber", attributes: { delta }, parents: drawPair(draft) } };
  },
  cross_entropy: labelled("cross_entropy"),
  nll: labelled("nll"),
  bce_with_logits: (draft) => ({ node: { op: "bce_with_logits", attributes: {}, parents: drawPair(draft) } }),
  kl_div: proposeKlDiv,
};

/** Says whether a name is that of a composite of networks. */
export function isNetworkName(name: string): name is NetworkName {
  return Object.hasOwn(networkProposals, name);
}

/** Lists the composites of networks, in the table's order. */
export const networkNames: readonly NetworkName[] = Object.keys(networkProposals).filter(isNetworkName);
