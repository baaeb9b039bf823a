import type { Builder, Composite, CompositeRows, NoAttributes, Value } from "../../spec/index.ts";
import { composites } from "../../spec/index.ts";
import type { NetworkName } from "../generate/network_composites.ts";
import { maskOf } from "./mask.test.kit.ts";
import { wrongRows } from "./wrong_networks.test.kit.ts";

/** What cotangents a composite pulls back at a point, by hand or from the literature, and a fault that would pull back others. */
export interface Claim {
  readonly op: NetworkName;
  readonly title: string;
  /** Inputs first; the last value is seeded with `cotangent`. */
  readonly write: (builder: Builder) => unknown;
  readonly inputs: readonly (readonly number[])[];
  readonly environment?: Readonly<Record<string, readonly number[]>>;
  readonly cotangent: readonly number[];
  /** By input. */
  readonly expected: readonly (readonly number[])[];
  readonly wrong: Partial<CompositeRows>;
}

const { exp, log } = Math;
const sigmoid = (x: number): number => 1 / (1 + exp(-x));
const three = [0, 1, 2];
const whole = exp(0) + exp(1) + exp(2);
const p = three.map((x) => exp(x) / whole);

/** The derivative through the denominator forgotten. */
const leakySoftmax: CompositeRows["softmax"] = {
  ...composites.softmax,
  expand: (_scope, { axis }, x: Value) =>
    x.exp().divide(
      x
        .exp()
        .sum({ axes: [axis], keepdims: true })
        .stop_gradient(),
    ),
};
const leakyLogSoftmax: CompositeRows["log_softmax"] = {
  ...composites.log_softmax,
  expand: (_scope, { axis }, x: Value) =>
    x.subtract(x.logsumexp({ axes: [axis], keepdims: true }).stop_gradient()),
};

/** The last of equal elements wins. */
const lastMaxPool: CompositeRows["max_pool"] = {
  ...composites.max_pool,
  expand(scope, attributes, x: Value) {
    const { window, strides, padding } = attributes;
    const axes = window.map((_, axis) => axis + 2);
    const sides = padding.map(([low, high]) => [high, low] as const);
    return composites.max_pool
      .expand(scope, { window, strides, padding: sides }, x.flip({ axes }))
      .flip({ axes });
  },
};

/** Mean and variance as if they did not depend on x. */
function detachedNorm(x: Value, axes: readonly number[], epsilon: number): Value {
  const fixed = x.stop_gradient();
  const variance = fixed.var({ axes, keepdims: true, correction: 0 });
  return x.subtract(fixed.mean({ axes, keepdims: true })).divide(variance.add(epsilon).sqrt());
}

const detachedLayerNorm: CompositeRows["layer_norm"] = {
  ...composites.layer_norm,
  expand: (_scope, { axes, epsilon }, x: Value) => detachedNorm(x, axes, epsilon),
};
const detachedBatchNorm: CompositeRows["batch_norm_train"] = {
  ...composites.batch_norm_train,
  expand: (_scope, { axis, epsilon }, x: Value) =>
    detachedNorm(
      x,
      x.shape.map((_, other) => other).filter((other) => other !== axis),
      epsilon,
    ),
};
const detachedStatistics: CompositeRows["batch_norm_eval"] = {
  ...composites.batch_norm_eval,
  expand: (scope, attributes, x: Value, scale: Value, offset: Value, mean: Value, variance: Value) =>
    composites.batch_norm_eval.expand(
      scope,
      attributes,
      x,
      scale,
      offset,
      mean.stop_gradient(),
      variance.stop_gradient(),
    ),
};
const detachedGroupNorm: CompositeRows["group_norm"] = {
  ...composites.group_norm,
  expand(_scope, { groups, epsilon }, x: Value) {
    const [batch = 0, channels = 0, ...rest] = x.shape;
    const grouped = x.reshape({ shape: [batch, groups, channels / groups, ...rest] });
    return detachedNorm(grouped, grouped.shape.map((_, axis) => axis).slice(2), epsilon).reshape({
      shape: x.shape,
    });
  },
};

/** relu and |x| each choose their own derivative at 0. */
const kinkedBce: Composite<NoAttributes> = {
  ...composites.bce_with_logits,
  expand: (_scope, _attributes, x: Value, y: Value) =>
    x
      .relu()
      .subtract(x.multiply(y))
      .add(x.abs().negative().exp().log1p())
      .mean({ axes: [0], keepdims: false }),
};
/** ln 0 times 0, of which the value is left out and the derivative is not. */
export const unguardedKl: Composite<NoAttributes> = {
  ...composites.kl_div,
  expand: (_scope, _attributes, x: Value, y: Value) =>
    y
      .equal(0)
      .where(0, y.multiply(y.log().subtract(x)))
      .mean({ axes: [0], keepdims: false }),
};
/** The value is that of dropout, the cotangent passes as if nothing were dropped. */
const straightDropout: CompositeRows["dropout"] = {
  ...composites.dropout,
  expand: (scope, attributes, x: Value) =>
    x.add(composites.dropout.expand(scope, attributes, x).subtract(x).stop_gradient()),
};

/** The exponent is not guarded: where the weight is 0 it overflows, and 0 · ∞ comes back. */
const unguardedAttention: CompositeRows["scaled_dot_product_attention"] = {
  ...composites.scaled_dot_product_attention,
  expand(scope, _attributes, q: Value, k: Value, v: Value) {
    const scores = q.matmul(k.permute_dims({ axes: [1, 0] })).divide(Math.sqrt(q.shape[1] ?? 1));
    const { shape } = scores;
    const hidden = scope.iota({ shape, axis: 0 }).less(scope.iota({ shape, axis: 1 }));
    const powers = hidden.where(0, scores.exp());
    return powers.divide(powers.sum({ axes: [1], keepdims: true })).matmul(v);
  },
};

/** Elements 0, 0, 8, 8 have the mean 4 and the deviation 4, so they are normalised to −1, −1, 1, 1. */
const split = [0, 0, 8, 8];
const upstream = [1, 2, 3, 5];
/** (c − mean c − x̂ · mean(c x̂)) / 4: at right angles to 1 and to x̂. */
const projected = [-1 / 8, 1 / 8, -1 / 4, 1 / 4];
const ones = (count: number): number[] => new Array<number>(count).fill(1);
const zeros = (count: number): number[] => new Array<number>(count).fill(0);

const dropoutKey = [7, 11];
/** Which of eight elements dropout keeps with this key at rate ½: some, but not all. */
export const kept: readonly number[] = [
  ...maskOf({ shape: [2], data: Float64Array.from(dropoutKey) }, 0.5, [8]).data,
];

/** At least one for each composite of networks. */
export const claims: readonly Claim[] = [
  {
    op: "softmax",
    title: "pulls c back to p (c − ⟨p, c⟩)",
    write: ({ input }) => input("x", [3]).softmax({ axis: 0 }),
    inputs: [three],
    cotangent: [1, -2, 4],
    expected: [
      p.map((pi, i) => pi * (([1, -2, 4][i] ?? 0) - ((p[0] ?? 0) - 2 * (p[1] ?? 0) + 4 * (p[2] ?? 0)))),
    ],
    wrong: { softmax: leakySoftmax },
  },
  {
    op: "softmax",
    title: "does not overflow at 1000",
    write: ({ input }) => input("x", [2]).softmax({ axis: 0 }),
    inputs: [[1000, 1000]],
    cotangent: [1, 0],
    expected: [[0.25, -0.25]],
    wrong: { softmax: leakySoftmax },
  },
  {
    op: "log_softmax",
    title: "pulls c back to c − p Σc",
    write: ({ input }) => input("x", [3]).log_softmax({ axis: 0 }),
    inputs: [three],
    cotangent: [1, -2, 4],
    expected: [p.map((pi, i) => ([1, -2, 4][i] ?? 0) - 3 * pi)],
    wrong: { log_softmax: leakyLogSoftmax },
  },
  {
    op: "cross_entropy",
    title: "pulls 1 back to (p − y)/N",
    write: ({ input, indices }) => input("x", [2, 3]).cross_entropy({ labels: indices("labels", [2]) }),
    inputs: [[...three, 0, 0, 0]],
    environment: { labels: [2, 0] },
    cotangent: [1],
    expected: [[(p[0] ?? 0) / 2, (p[1] ?? 0) / 2, ((p[2] ?? 0) - 1) / 2, (1 / 3 - 1) / 2, 1 / 6, 1 / 6]],
    wrong: { log_softmax: leakyLogSoftmax },
  },
  {
    op: "nll",
    title: "pulls 1 back to −1/N at each label",
    write: ({ input, indices }) => input("x", [2, 3]).nll({ labels: indices("labels", [2]) }),
    inputs: [[-1, -2, -3, -4, -5, -6]],
    environment: { labels: [2, 0] },
    cotangent: [8],
    expected: [[0, 0, -4, -4, 0, 0]],
    wrong: { nll: wrongRows.nll },
  },
  {
    op: "max_pool",
    title: "gives the cotangent to the first of equal elements",
    write: ({ input }) => input("x", [1, 1, 3]).max_pool({ window: [2], strides: [1], padding: [[0, 0]] }),
    inputs: [[5, 5, 5]],
    cotangent: [3, 7],
    expected: [[3, 7, 0]],
    wrong: { max_pool: lastMaxPool },
  },
  {
    op: "max_pool",
    title: "takes the elements of a window row by row",
    write: ({ input }) =>
      input("x", [1, 1, 2, 2]).max_pool({
        window: [2, 2],
        strides: [1, 1],
        padding: [
          [0, 0],
          [0, 0],
        ],
      }),
    inputs: [[1, 2, 2, 1]],
    cotangent: [3],
    expected: [[0, 3, 0, 0]],
    wrong: { max_pool: lastMaxPool },
  },
  {
    op: "max_pool",
    title: "gives padding nothing, even where all elements are negative",
    write: ({ input }) => input("x", [1, 1, 2]).max_pool({ window: [2], strides: [1], padding: [[1, 1]] }),
    inputs: [[-4, -4]],
    cotangent: [1, 10, 100],
    expected: [[11, 100]],
    wrong: { max_pool: wrongRows.max_pool },
  },
  {
    op: "avg_pool",
    title: "divides by the elements that are not padding",
    write: ({ input }) =>
      input("x", [1, 1, 3]).avg_pool({
        window: [2],
        strides: [1],
        padding: [[1, 0]],
        count_include_pad: false,
      }),
    inputs: [[1, 2, 3]],
    cotangent: [1, 10, 100],
    expected: [[6, 55, 50]],
    wrong: { avg_pool: wrongRows.avg_pool },
  },
  {
    op: "avg_pool",
    title: "divides by the window where padding counts",
    write: ({ input }) =>
      input("x", [1, 1, 3]).avg_pool({
        window: [2],
        strides: [1],
        padding: [[1, 0]],
        count_include_pad: true,
      }),
    inputs: [[1, 2, 3]],
    cotangent: [1, 10, 100],
    expected: [[5.5, 55, 50]],
    wrong: { avg_pool: wrongRows.avg_pool },
  },
  {
    op: "conv",
    title: "gives x and the kernel what meets them",
    write: ({ input }) =>
      input("x", [1, 1, 3]).conv(input("w", [1, 1, 2]), {
        strides: [2],
        padding: [[1, 0]],
        dilations: [1],
        groups: 1,
      }),
    inputs: [
      [1, 2, 3],
      [4, 5],
    ],
    // The windows are (0, x₀) and (x₁, x₂).
    cotangent: [1, 10],
    expected: [
      [5, 40, 50],
      [20, 31],
    ],
    wrong: { conv: wrongRows.conv },
  },
  {
    op: "conv_transpose",
    title: "gives x and the kernel what they were stamped on",
    write: ({ input }) =>
      input("x", [1, 1, 2]).conv_transpose(input("w", [1, 1, 2]), {
        strides: [2],
        padding: [[1, 0]],
        dilations: [1],
        groups: 1,
        output_padding: [0],
      }),
    inputs: [
      [2, 3],
      [4, 5],
    ],
    // The result is (5 x₀, 4 x₁, 5 x₁); what would stand before it is cut off.
    cotangent: [1, 10, 100],
    expected: [
      [5, 540],
      [30, 302],
    ],
    wrong: { conv_transpose: wrongRows.conv_transpose },
  },
  {
    op: "layer_norm",
    title: "pulls back what is at right angles to 1 and to the normalised x",
    write: ({ input }) =>
      input("x", [1, 4]).layer_norm(input("scale", [4]), input("offset", [4]), { axes: [1], epsilon: 0 }),
    inputs: [split, ones(4), zeros(4)],
    cotangent: upstream,
    expected: [projected, [-1, -2, 3, 5], upstream],
    wrong: { layer_norm: detachedLayerNorm },
  },
  {
    op: "batch_norm_train",
    title: "differentiates mean and variance",
    write: ({ input }) =>
      input("x", [4, 1]).batch_norm_train(input("scale", [1]), input("offset", [1]), { axis: 1, epsilon: 0 }),
    inputs: [split, [1], [0]],
    cotangent: upstream,
    expected: [projected, [5], [11]],
    wrong: { batch_norm_train: detachedBatchNorm },
  },
  {
    op: "batch_norm_eval",
    title: "is differentiated in mean and variance too",
    write: ({ input }) => {
      const [x, scale, offset] = [input("x", [1]), input("scale", [1]), input("offset", [1])];
      const [mean, variance] = [input("mean", [1]), input("variance", [1])];
      x.batch_norm_eval(scale, offset, mean, variance, { axis: 0, epsilon: 1 });
    },
    inputs: [[3], [2], [1], [1], [3]],
    cotangent: [4],
    expected: [[4], [4], [4], [-4], [-1]],
    wrong: { batch_norm_eval: detachedStatistics },
  },
  {
    op: "group_norm",
    title: "does for each group what layer_norm does",
    write: ({ input }) =>
      input("x", [1, 4, 2]).group_norm(input("scale", [4]), input("offset", [4]), { groups: 2, epsilon: 0 }),
    inputs: [[...split, ...split], ones(4), zeros(4)],
    cotangent: [...upstream, ...upstream.map((c) => 2 * c)],
    expected: [
      [...projected, ...projected.map((x) => 2 * x)],
      [-3, 8, -6, 16],
      [3, 8, 6, 16],
    ],
    wrong: { group_norm: detachedGroupNorm },
  },
  {
    op: "embedding",
    title: "adds up the cotangents of a row that is read twice",
    write: ({ input, indices }) => input("table", [3, 1]).embedding({ indices: indices("i", [3]) }),
    inputs: [[1, 2, 3]],
    environment: { i: [2, 0, 2] },
    cotangent: [1, 10, 100],
    expected: [[10, 0, 101]],
    wrong: {
      embedding: {
        ...composites.embedding,
        expand: (_scope, { indices }, x: Value) => x.stop_gradient().take({ axis: 0, indices }),
      },
    },
  },
  {
    op: "dropout",
    title: "lets the cotangents of kept elements through, by the share kept",
    write: ({ input, indices }) => input("x", [8]).dropout({ key: indices("key", [2]), rate: 0.5 }),
    inputs: [ones(8)],
    environment: { key: dropoutKey },
    cotangent: ones(8),
    expected: [kept.map((mask) => 2 * mask)],
    wrong: { dropout: straightDropout },
  },
  {
    op: "scaled_dot_product_attention",
    title: "gives the future nothing, however large its scores",
    write: ({ input }) =>
      input("q", [2, 1]).scaled_dot_product_attention(input("k", [2, 1]), input("v", [2, 1]), {
        causal: true,
      }),
    inputs: [
      [3, 0],
      [1, 1000],
      [5, 7],
    ],
    // The first row is 5; the second has the scores 0 and 0, so it is 6, and moves by (1000 − 1)/2 · (7 − 5)/2.
    cotangent: [1, 4],
    expected: [
      [0, 4 * 999 * 0.5],
      [0, 0],
      [1 + 2, 2],
    ],
    wrong: { scaled_dot_product_attention: unguardedAttention },
  },
  {
    op: "scaled_dot_product_attention",
    title: "differentiates a mask as it does scores",
    write: ({ input }) => {
      const [q, k, v, mask] = [
        input("q", [1, 4]),
        input("k", [2, 4]),
        input("v", [2, 1]),
        input("mask", [1, 2]),
      ];
      q.scaled_dot_product_attention(k, v, mask, { causal: false });
    },
    // Scores of (8, 0)/√4 and a mask of (−4, 0): both 0, so the weights are ½.
    inputs: [
      [1, 1, 1, 1],
      [2, 2, 2, 2, 0, 0, 0, 0],
      [6, 2],
      [-4, 0],
    ],
    cotangent: [3],
    expected: [
      [3, 3, 3, 3],
      [1.5, 1.5, 1.5, 1.5, -1.5, -1.5, -1.5, -1.5],
      [1.5, 1.5],
      [3, -3],
    ],
    wrong: { scaled_dot_product_attention: wrongRows.scaled_dot_product_attention },
  },
  {
    op: "multi_head_attention",
    title: "gives each head's projections the cotangents of its columns",
    write: ({ input }) => {
      const [x, source] = [input("x", [1, 1]), input("source", [1, 1])];
      const [wq, wk, wv, wo] = [
        input("wq", [1, 2]),
        input("wk", [1, 2]),
        input("wv", [1, 2]),
        input("wo", [2, 1]),
      ];
      x.multi_head_attention(source, wq, wk, wv, wo, { heads: 2, causal: false });
    },
    // One position attends to itself with the weight 1: source (wv · wo), with nothing for queries and keys.
    inputs: [[2], [3], [1, 1], [1, 1], [5, 7], [11, 13]],
    cotangent: [1],
    expected: [[0], [146], [0, 0], [0, 0], [33, 39], [15, 21]],
    wrong: {
      multi_head_attention: {
        ...composites.multi_head_attention,
        expand: (scope, attributes, x: Value, source: Value, ...weights) => {
          const [wq = x, wk = x, wv = x, wo = x] = weights;
          const turned = wv.flip({ axes: [1] });
          return composites.multi_head_attention.expand(scope, attributes, x, source, wq, wk, turned, wo);
        },
      },
    },
  },
  {
    op: "elman_cell",
    title: "pulls a cotangent through tanh at 0 as it is",
    write: ({ input }) =>
      input("x", [1, 1]).elman_cell(
        input("h", [1, 1]),
        input("wIn", [1, 1]),
        input("wHidden", [1, 1]),
        input("b", [1]),
      ),
    inputs: [[2], [1], [0.5], [-1], [0]],
    cotangent: [8],
    expected: [[4], [-8], [16], [8], [8]],
    wrong: {
      elman_cell: {
        ...composites.elman_cell,
        expand: (scope, attributes, x: Value, h: Value, ...weights) =>
          composites.elman_cell.expand(scope, attributes, x, h.stop_gradient(), ...weights),
      },
    },
  },
  {
    op: "lstm_cell",
    title: "has its gates in the order i, f, g, o",
    write: ({ input }) => {
      const [x, h, c] = [input("x", [1, 1]), input("h", [1, 1]), input("c", [1, 1])];
      x.lstm_cell(h, c, input("wIn", [4, 1]), input("wHidden", [4, 1]), input("b", [4]), { output: "cell" });
    },
    // All gates are ½ and nothing is written: the cell is c/2.
    inputs: [[3], [5], [2], zeros(4), zeros(4), zeros(4)],
    cotangent: [8],
    expected: [[0], [0], [4], [0, 12, 12, 0], [0, 20, 20, 0], [0, 4, 4, 0]],
    wrong: {
      lstm_cell: {
        ...composites.lstm_cell,
        expand: (scope, attributes, x: Value, h: Value, c: Value, ...weights) => {
          const [wIn = x, wHidden = x, b = x] = weights.map((w) => w.roll({ shift: 1, axis: 0 }));
          return composites.lstm_cell.expand(scope, attributes, x, h, c, wIn, wHidden, b);
        },
      },
    },
  },
  {
    op: "gru_cell",
    title: "has its gates in the order r, z, n, and resets after the product",
    write: ({ input }) => {
      const [x, h] = [input("x", [1, 1]), input("h", [1, 1])];
      const weights = [
        input("wIn", [3, 1]),
        input("wHidden", [3, 1]),
        input("bIn", [3]),
        input("bHidden", [3]),
      ];
      x.gru_cell(h, ...weights);
    },
    // Both gates are ½, n = tanh(−1 + ½ · 2) = 0, so the result is h/2.
    inputs: [[3], [2], zeros(3), zeros(3), [0, 0, -1], [0, 0, 2]],
    cotangent: [8],
    // r: 8 · ½ · 2 · ¼; z: 8 · (2 − 0) · ¼; n: 8 · ½, and half of it for what is reset.
    expected: [[0], [4], [6, 12, 12], [4, 8, 4], [2, 4, 4], [2, 4, 2]],
    wrong: { gru_cell: wrongRows.gru_cell },
  },
  {
    op: "transformer_block",
    title: "is the identity where what it adds is nothing",
    write: ({ input }) => {
      const x = input("x", [2, 1]);
      const shapes = [[1], [1], [1, 1], [1, 1], [1, 1], [1, 1], [1], [1], [1, 1], [1], [1, 1], [1]];
      const parameters = shapes.map((shape, i) => input(`p${i}`, shape));
      x.transformer_block(...parameters, { heads: 1, causal: true, epsilon: 1 });
    },
    // wo, w2 and b2 are 0. A row of one element is normalised to 0, so all of its gradients vanish.
    inputs: [[2, 5], [1], [3], [1], [1], [1], [0], [1], [0], [1], [0], [0], [0]],
    cotangent: [3, 7],
    expected: [[3, 7], [0], [0], [0], [0], [0], [30], [0], [0], [0], [0], [0], [10]],
    wrong: { transformer_block: wrongRows.transformer_block },
  },
  {
    op: "mse",
    title: "pulls 1 back to 2 (x − y)/n",
    write: ({ input }) => input("x", [2]).mse(input("y", [2])),
    inputs: [
      [3, 1],
      [1, 4],
    ],
    cotangent: [1],
    expected: [
      [2, -3],
      [-2, 3],
    ],
    wrong: { mse: wrongRows.mse },
  },
  {
    op: "huber",
    title: "has one slope where its branches meet, and δ beyond",
    write: ({ input }) => input("x", [4]).huber(input("y", [4]), { delta: 0.5 }),
    inputs: [[0.5, -0.5, 0.25, -3], zeros(4)],
    cotangent: [4],
    expected: [
      [0.5, -0.5, 0.25, -0.5],
      [-0.5, 0.5, -0.25, 0.5],
    ],
    wrong: { huber: wrongRows.huber },
  },
  {
    op: "bce_with_logits",
    title: "pulls 1 back to (σ(x) − y)/n, at 0 too",
    write: ({ input }) => input("x", [4]).bce_with_logits(input("y", [4])),
    inputs: [
      [0, 2, -3, 800],
      [1, 0, 0.5, 1],
    ],
    cotangent: [4],
    expected: [
      [-0.5, sigmoid(2), sigmoid(-3) - 0.5, 0],
      [0, -2, 3, -800],
    ],
    wrong: { bce_with_logits: kinkedBce },
  },
  {
    op: "kl_div",
    title: "pulls back nothing where y is 0",
    write: ({ input }) => input("x", [2]).kl_div(input("y", [2])),
    inputs: [
      [-1, -2],
      [0, 0.5],
    ],
    cotangent: [2],
    expected: [
      [0, -0.5],
      [0, log(0.5) + 1 + 2],
    ],
    wrong: { kl_div: unguardedKl },
  },
];
