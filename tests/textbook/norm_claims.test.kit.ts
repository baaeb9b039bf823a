import { type CompositeRows, composites, type Value } from "../../spec/index.ts";
import type { Claim } from "./claim.test.kit.ts";
import { maskOf } from "./mask.test.kit.ts";

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

/** The value is that of dropout, the cotangent passes as if nothing were dropped. */
const straightDropout: CompositeRows["dropout"] = {
  ...composites.dropout,
  expand: (scope, attributes, x: Value) =>
    x.add(composites.dropout.expand(scope, attributes, x).subtract(x).stop_gradient()),
};

/** Elements 0, 0, 8, 8 have the mean 4 and the deviation 4, so they are normalised to −1, −1, 1, 1. */
const split = [0, 0, 8, 8];
const upstream = [1, 2, 3, 5];
/** (c − mean c − x̂ · mean(c x̂)) / 4: at right angles to 1 and to x̂. */
const projected = [-1 / 8, 1 / 8, -1 / 4, 1 / 4];

const ones = (count: number): number[] => new Array<number>(count).fill(1);
const zeros = (count: number): number[] => new Array<number>(count).fill(0);

const dropoutKey = [7, 11];
/** Dropout keeps these of eight elements with this key at rate ½: some, but not all. */
export const kept: readonly number[] = [
  ...maskOf({ shape: [2], data: Float64Array.from(dropoutKey) }, 0.5, [8]).data,
];

/** These claims are about normalisations, embeddings and dropout. */
export const normClaims: readonly Claim[] = [
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
];
