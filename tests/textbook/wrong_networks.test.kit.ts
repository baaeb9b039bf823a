import type { NetworkName } from "../../oracle/generate/network_composites.ts";
import { type Composite, type CompositeAttributes, composites, type Value } from "../../spec/index.ts";

const {
  conv,
  conv_transpose,
  max_pool,
  avg_pool,
  softmax,
  log_softmax,
  layer_norm,
  batch_norm_train,
  batch_norm_eval,
  group_norm,
  embedding,
  dropout,
  scaled_dot_product_attention,
  multi_head_attention,
  elman_cell,
  lstm_cell,
  gru_cell,
  transformer_block,
  mse,
  huber,
  cross_entropy,
  nll,
  bce_with_logits,
  kl_div,
} = composites;

/** `x` with the order along its last axis reversed. */
function backwards(x: Value): Value {
  return x.flip({ axes: [x.shape.length - 1] });
}

function allAxes(x: Value): number[] {
  return x.shape.map((_, axis) => axis);
}

/** One fault for each composite, of the kind that people make. */
export const wrongRows: { readonly [K in NetworkName]: Composite<CompositeAttributes[K]> } = {
  /** The kernel is turned round: a convolution in the mathematicians' sense. */
  conv: {
    ...conv,
    expand: (scope, attributes, x: Value, w: Value) => conv.expand(scope, attributes, x, backwards(w)),
  },
  conv_transpose: {
    ...conv_transpose,
    expand: (scope, attributes, x: Value, w: Value) =>
      conv_transpose.expand(scope, attributes, x, backwards(w)),
  },
  /** Padding is 0, and greater than what is negative. */
  max_pool: {
    ...max_pool,
    expand(scope, attributes, x: Value) {
      const { padding } = attributes;
      const wide = x.pad({
        low: [0, 0, ...padding.map(([low]) => low)],
        high: [0, 0, ...padding.map(([, high]) => high)],
        interior: x.shape.map(() => 0),
      });
      return max_pool.expand(scope, { ...attributes, padding: padding.map(() => [0, 0]) }, wide);
    },
  },
  avg_pool: {
    ...avg_pool,
    expand: (scope, attributes, x: Value) =>
      avg_pool.expand(scope, { ...attributes, count_include_pad: !attributes.count_include_pad }, x),
  },
  softmax: { ...softmax, expand: (scope, _attributes, x: Value) => softmax.expand(scope, { axis: 0 }, x) },
  /** The elements are normalised over everything. */
  log_softmax: {
    ...log_softmax,
    expand: (_scope, _attributes, x: Value) => x.subtract(x.logsumexp({ axes: allAxes(x), keepdims: false })),
  },
  /** Epsilon stands outside of the root. */
  layer_norm: {
    ...layer_norm,
    expand: (scope, attributes, ...operands) =>
      layer_norm.expand(scope, { ...attributes, epsilon: attributes.epsilon ** 2 }, ...operands),
  },
  /** The variance is the unbiased one. */
  batch_norm_train: {
    ...batch_norm_train,
    expand(scope, { axis, epsilon }, x: Value, scale: Value, offset: Value) {
      const axes = allAxes(x).filter((other) => other !== axis);
      const mean = x.mean({ axes, keepdims: false });
      const variance = x.var({ axes, keepdims: false, correction: 1 });
      return scope.batch_norm_eval(x, scale, offset, mean, variance, { axis, epsilon });
    },
  },
  batch_norm_eval: {
    ...batch_norm_eval,
    expand: (scope, attributes, x: Value, scale: Value, offset: Value, mean: Value, variance: Value) =>
      batch_norm_eval.expand(scope, attributes, x, offset, scale, mean, variance),
  },
  group_norm: {
    ...group_norm,
    expand: (scope, attributes, ...operands) =>
      group_norm.expand(scope, { ...attributes, groups: 1 }, ...operands),
  },
  embedding: {
    ...embedding,
    expand: (_scope, attributes, x: Value) => backwards(x).take({ axis: 0, ...attributes }),
  },
  /** The dropped share is not made up for. */
  dropout: {
    ...dropout,
    expand: (scope, { key, rate }, x: Value) =>
      x.multiply(scope.bernoulli_mask({ shape: x.shape, key, rate })),
  },
  /** The products are divided by d instead of its root. */
  scaled_dot_product_attention: {
    ...scaled_dot_product_attention,
    expand: (scope, attributes, q: Value, ...others) =>
      scaled_dot_product_attention.expand(
        scope,
        attributes,
        q.divide(Math.sqrt(q.shape.at(-1) ?? 1)),
        ...others,
      ),
  },
  multi_head_attention: {
    ...multi_head_attention,
    expand: (scope, attributes, ...operands) =>
      multi_head_attention.expand(scope, { ...attributes, causal: !attributes.causal }, ...operands),
  },
  elman_cell: {
    ...elman_cell,
    expand: (scope, attributes, x: Value, h: Value, wIn: Value, wHidden: Value, b: Value) =>
      elman_cell.expand(scope, attributes, x, h, wIn, wHidden.permute_dims({ axes: [1, 0] }), b),
  },
  /** The gates have Keras's order backwards: o, g, f, i. */
  lstm_cell: {
    ...lstm_cell,
    expand(scope, attributes, x: Value, h: Value, c: Value, ...weights) {
      const [wIn = x, wHidden = x, b = x] = weights.map((w) => w.flip({ axes: [0] }));
      return lstm_cell.expand(scope, attributes, x, h, c, wIn, wHidden, b);
    },
  },
  /** The reset gate comes before the matrix product, as in the first paper. */
  gru_cell: {
    ...gru_cell,
    expand: (scope, attributes, x: Value, h: Value, wIn: Value, wHidden: Value, bIn: Value, bHidden: Value) =>
      gru_cell.expand(scope, attributes, x, h, wIn, wHidden, bIn.add(bHidden), bHidden.multiply(0)),
  },
  /** The residual connection around the attention is missing. */
  transformer_block: {
    ...transformer_block,
    expand: (scope, attributes, x: Value, ...others) =>
      transformer_block.expand(scope, attributes, x, ...others).subtract(x),
  },
  /** The loss is the sum. */
  mse: {
    ...mse,
    expand: (_scope, _attributes, x: Value, y: Value) =>
      x
        .subtract(y)
        .square()
        .sum({ axes: allAxes(x), keepdims: false }),
  },
  /** The loss is the smooth L1 loss, which is Huber's divided by δ. */
  huber: {
    ...huber,
    expand: (scope, { delta }, x: Value, y: Value) => huber.expand(scope, { delta }, x, y).divide(delta),
  },
  cross_entropy: {
    ...cross_entropy,
    expand: (_scope, { labels }, x: Value) => x.softmax({ axis: 1 }).nll({ labels }),
  },
  nll: { ...nll, expand: (scope, attributes, x: Value) => nll.expand(scope, attributes, x).negative() },
  bce_with_logits: {
    ...bce_with_logits,
    expand: (scope, attributes, x: Value, y: Value) =>
      bce_with_logits.expand(scope, attributes, x.negative(), y),
  },
  kl_div: {
    ...kl_div,
    expand: (scope, attributes, x: Value, y: Value) => kl_div.expand(scope, attributes, x.exp(), y),
  },
};
