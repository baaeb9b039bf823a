import type { Scope, Value } from "../../../spec/builder/index.ts";
import type { CompositeAttributes } from "../../../spec/composites/index.ts";
import { present } from "../../../spec/shapes/index.ts";
import type { WholeAlgorithm } from "./algorithm.ts";
import { relative } from "./backward_errors.ts";
import { transposed } from "./matrix_formulas.ts";

type Attention = WholeAlgorithm<CompositeAttributes["scaled_dot_product_attention"]>;

/** Attention is written with these. */
interface Written {
  readonly q: Value;
  readonly k: Value;
  readonly v: Value;
  readonly mask: Value | undefined;
  readonly root: Value;
  /** They are softmax of the scores that are seen. */
  readonly weights: Value;
}

function written(scope: Scope, causal: boolean, operands: readonly Value[]): Written {
  const [q, k, v, mask] = operands;
  if (q === undefined || k === undefined || v === undefined) throw new Error("three operands");
  const root = scope.full({ shape: [], value: q.shape.at(-1) ?? 1 }).sqrt();
  const products = q.matmul(transposed(k)).divide(root);
  const scores = mask === undefined ? products : products.add(mask);
  return { q, k, v, mask, root, weights: weightsOf(scope, scores, causal) };
}

/** Returns softmax of the scores that are seen. What is not seen is far below, and has the weight 0. */
function weightsOf(scope: Scope, scores: Value, causal: boolean): Value {
  const axis = scores.shape.length - 1;
  if (!causal) return scores.softmax({ axis });
  const square = { shape: scores.shape.slice(-2) };
  const hidden = scope.iota({ ...square, axis: 0 }).less(scope.iota({ ...square, axis: 1 }));
  const [starts, steps] = [scores.shape.map(() => 0), scores.shape.map(() => 1)];
  const first = scores.slice({ starts, stops: scores.shape.with(-1, 1), steps });
  const greatest = hidden.where(first, scores).max({ axes: [axis], keepdims: true });
  const seen = hidden.where(greatest.subtract(BEYOND), scores);
  return hidden.where(0, seen.softmax({ axis }));
}

/** In no format is e to the power of minus this a number but 0. */
const BEYOND = 1e4;

/** Returns w (x − Σ w x), the derivative of the weights along x, or back from it. */
function pulled(weights: Value, x: Value): Value {
  const axes = [x.shape.length - 1];
  return weights.multiply(x.subtract(weights.multiply(x).sum({ axes, keepdims: true })));
}

/** Sums `y` to the shape of what was broadcast to its own. */
function summedTo(y: Value, { shape }: Value): Value {
  const lead = y.shape.length - shape.length;
  const axes = y.shape.flatMap((extent, axis) => (extent === (shape[axis - lead] ?? 1) ? [] : [axis]));
  return y.sum({ axes, keepdims: true }).reshape({ shape });
}

/**
 * The softmax of attention is any, where it is causal too: its sweep has exp(x − l), where l is kept from
 * the way forward (FlashAttention, https://arxiv.org/abs/2307.08691, algorithm 2). It scales the queries,
 * or both factors of the scores, before these are multiplied: six roundings of each query.
 */
export const attentionFormulas: Attention = {
  backwardErrors: () => [relative(6), undefined, undefined, undefined],
  value(scope, { causal }, operands) {
    const { weights, v } = written(scope, causal, operands);
    return weights.matmul(v);
  },
  tangent(scope, { causal }, { operands }, tangents) {
    const { q, k, v, root, weights } = written(scope, causal, operands);
    const [qDot, kDot, vDot] = tangents.map((tangent) => present(tangent, "a tangent"));
    if (qDot === undefined || kDot === undefined || vDot === undefined) throw new Error("three tangents");
    const products = qDot
      .matmul(transposed(k))
      .add(q.matmul(transposed(kDot)))
      .divide(root);
    const [, , , maskDot] = tangents;
    const scoresDot = maskDot === undefined ? products : products.add(maskDot);
    return pulled(weights, scoresDot).matmul(v).add(weights.matmul(vDot));
  },
  cotangents(scope, { causal }, { operands }, c) {
    const { q, k, v, mask, root, weights } = written(scope, causal, operands);
    const bar = pulled(weights, c.matmul(transposed(v)));
    const scaled = bar.divide(root);
    return [
      scaled.matmul(k),
      transposed(scaled).matmul(q),
      transposed(weights).matmul(c),
      ...(mask === undefined ? [] : [summedTo(bar, mask)]),
    ];
  },
};
