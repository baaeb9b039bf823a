import type { Scope, Value } from "../construction/value.ts";
import type { AttributeSchema } from "../operators/index.ts";
import { formatShape, isSameShape, type Shape, type ShapeFault } from "../shapes/index.ts";
import type { Composite } from "./composite.ts";

const paper = "https://arxiv.org/abs/1706.03762";

/** If attention is causal, position i sees only the positions up to i. */
export interface AttentionAttributes {
  readonly causal: boolean;
}

/** Tells whether `shape` broadcasts to `wide` itself. */
function fitsInto(shape: Shape, wide: Shape): boolean {
  const lead = wide.length - shape.length;
  return lead >= 0 && shape.every((extent, axis) => extent === 1 || extent === wide[axis + lead]);
}

function refuseAttention(operands: readonly Shape[]): ShapeFault | undefined {
  const [q = [], k = [], v = [], mask] = operands;
  const batch = q.slice(0, -2);
  const isFitting =
    Math.min(q.length, k.length, v.length) >= 2 &&
    [k, v].every((shape) => isSameShape(shape.slice(0, -2), batch)) &&
    q.at(-1) === k.at(-1) &&
    k.at(-2) === v.at(-2);
  if (!isFitting) {
    return {
      code: "shape/mismatch",
      message: `queries ${formatShape(q)}, keys ${formatShape(k)} and values ${formatShape(v)} do not fit.`,
      hint: "they are [...batch, L, d], [...batch, S, d] and [...batch, S, e]",
    };
  }
  if (q.at(-1) === 0 || k.at(-2) === 0) {
    return {
      code: "shape/empty",
      message: "there is nothing to attend to, or by.",
      hint: "d and S are at least 1",
    };
  }
  const scores = [...batch, q.at(-2) ?? 0, k.at(-2) ?? 0];
  if (mask === undefined || fitsInto(mask, scores)) return undefined;
  return {
    code: "shape/broadcast",
    message: `a mask ${formatShape(mask)} does not broadcast to the scores ${formatShape(scores)}.`,
    hint: "the mask is added to the scores: [...batch, L, S], or with extents of 1, or without leading axes",
  };
}

/** The last two axes exchanged. */
export function transposed(x: Value): Value {
  const axes = x.shape.map((_, axis) => axis);
  return x.permute_dims({ axes: [...axes.slice(0, -2), axes.length - 1, axes.length - 2] });
}

/**
 * Softmax over the last axis of what each row may see. What is hidden is taken for the row's first score,
 * which is always seen, where the greatest is sought, and its exponent for 0: so whatever stands there, even
 * an infinity, does nothing to values or cotangents, and the weights are exactly 0.
 */
function causalWeights(scope: Scope, scores: Value): Value {
  const square = { shape: scores.shape.slice(-2) };
  const hidden = scope.iota({ ...square, axis: 0 }).less(scope.iota({ ...square, axis: 1 }));
  const fixed = scores.stop_gradient();
  const first = fixed.slice({
    starts: scores.shape.map(() => 0),
    stops: scores.shape.with(-1, 1),
    steps: scores.shape.map(() => 1),
  });
  const last = scores.shape.length - 1;
  const greatest = hidden.where(first, fixed).max({ axes: [last], keepdims: true });
  const powers = hidden.where(0, hidden.where(0, scores.subtract(greatest)).exp());
  return powers.divide(powers.sum({ axes: [last], keepdims: true }));
}

export const scaledDotProductAttention: Composite<AttentionAttributes> = {
  arity: [3, 4],
  attributes: { causal: { type: "boolean" } },
  smoothness: "smooth",
  summary:
    "softmax(q kᵀ / √d + mask) v for q [...batch, L, d], k [...batch, S, d], v [...batch, S, e]; the mask may be left out; causal: i sees j ≤ i alone",
  domain: "everywhere",
  convention:
    "the mask is an operand like the others; no cotangent passes where causality gives the weight 0",
  source:
    "https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.scaled_dot_product_attention.html",
  refuse: (_attributes, operands) => refuseAttention(operands),
  expand(scope, { causal }, q: Value, k: Value, v: Value, ...[mask]: readonly Value[]) {
    const root = scope.full({ shape: [], value: q.shape.at(-1) ?? 1 }).sqrt();
    const products = q.matmul(transposed(k)).divide(root);
    const scores = mask === undefined ? products : products.add(mask);
    const axis = scores.shape.length - 1;
    return (causal ? causalWeights(scope, scores) : scores.softmax({ axis })).matmul(v);
  },
  example: {
    attributes: { causal: true },
    operands: [
      [2, 2],
      [3, 2],
      [3, 2],
      [2, 3],
    ],
  },
};

/** The projections are divided into so many heads. */
export interface MultiHeadAttentionAttributes extends AttentionAttributes {
  readonly heads: number;
}

export const headsSchema: AttributeSchema = { type: "integer", minimum: 1, maximum: 2 ** 27 };

/** `x w` over the last axis, as one matrix product, so that the sum for w's cotangent is one too. */
export function projected(x: Value, w: Value): Value {
  const [from = 0, to = 0] = w.shape;
  const batch = x.shape.slice(0, -1);
  const rows = batch.reduce((count, extent) => count * extent, 1);
  return x
    .reshape({ shape: [rows, from] })
    .matmul(w)
    .reshape({ shape: [...batch, to] });
}

/** Returns `[...batch, L, heads · d]` as `[...batch, heads, L, d]`. */
function divided(x: Value, heads: number): Value {
  const batch = x.shape.slice(0, -1);
  const split = x.reshape({ shape: [...batch, heads, (x.shape.at(-1) ?? 0) / heads] });
  return exchangedHeads(split);
}

/** The second and third axis from the end exchanged. */
function exchangedHeads(x: Value): Value {
  const axes = x.shape.map((_, axis) => axis);
  const last = axes.length - 1;
  return x.permute_dims({ axes: [...axes.slice(0, -3), last - 1, last - 2, last] });
}

/** Returns a fault if the operands of multi-head attention do not fit. */
export function refuseHeads(heads: number, operands: readonly Shape[]): ShapeFault | undefined {
  const [query = [], source = [], wq = [], wk = [], wv = [], wo = []] = operands;
  const isFitting =
    query.length >= 2 &&
    isSameShape(source.slice(0, -2), query.slice(0, -2)) &&
    [wq, wk, wv, wo].every(({ length }) => length === 2) &&
    query.at(-1) === wq[0] &&
    source.at(-1) === wk[0] &&
    source.at(-1) === wv[0] &&
    wq[1] === wk[1] &&
    wv[1] === wo[0];
  if (!isFitting) {
    return {
      code: "shape/mismatch",
      message: `${[query, source, wq, wk, wv, wo].map(formatShape).join(", ")} do not fit.`,
      hint: "x_q [...batch, L, E], x_kv [...batch, S, F], wq [E, h·d], wk [F, h·d], wv [F, h·e], wo [h·e, O]",
    };
  }
  if ((wq[1] ?? 0) % heads !== 0 || (wv[1] ?? 0) % heads !== 0) {
    return {
      code: "shape/heads",
      message: `${wq[1]} and ${wv[1]} columns do not divide into ${heads} heads.`,
      hint: "the number of heads divides the columns of wq and of wv",
    };
  }
  return refuseAttention([
    [query.at(-2) ?? 0, wq[1] ?? 0],
    [source.at(-2) ?? 0, wq[1] ?? 0],
    [source.at(-2) ?? 0, wv[1] ?? 0],
  ]);
}

export const multiHeadAttention: Composite<MultiHeadAttentionAttributes> = {
  arity: 6,
  attributes: { heads: headsSchema, causal: { type: "boolean" } },
  smoothness: "smooth",
  summary:
    "scaled_dot_product_attention of x_q wq, x_kv wk, x_kv wv, divided by columns into heads, whose results side by side are multiplied by wo: operands x_q, x_kv, wq, wk, wv, wo",
  domain: "everywhere; no bias",
  convention: "no cotangent passes where causality gives the weight 0",
  source: paper,
  refuse: ({ heads }, operands) => refuseHeads(heads, operands),
  expand(scope, { heads, causal }, query: Value, source: Value, wq: Value, wk: Value, wv: Value, wo: Value) {
    const q = divided(projected(query, wq), heads);
    const [k, v] = [divided(projected(source, wk), heads), divided(projected(source, wv), heads)];
    const seen = exchangedHeads(scope.scaled_dot_product_attention(q, k, v, { causal }));
    return projected(seen.reshape({ shape: [...query.shape.slice(0, -1), wv.shape[1] ?? 0] }), wo);
  },
  example: {
    attributes: { heads: 2, causal: false },
    operands: [
      [2, 2],
      [3, 2],
      [2, 4],
      [2, 4],
      [2, 2],
      [2, 2],
    ],
  },
};
