import type { Value } from "../../../spec/builder/index.ts";
import { at, type Shape } from "../../../spec/shapes/index.ts";
import { axesOf, type Fusion, folded, type Hand, ofRank, transposed, width } from "./hand.ts";

/** Divides exponentials of the distances from the greatest by their sum along an axis. */
function softmaxByHand({ vary }: Hand, x: Value, axis: number): Value {
  const along = { axes: [axis], keepdims: true };
  const y = x.subtract(x.max(along)).exp();
  return y.divide(y.sum({ ...along, axes: [vary(axis, x.shape.length - 1 - axis)] }));
}

/** Scales rows to mean 0 and variance 1. */
function normalizedByHand({ vary, one }: Hand, x: Value, axis: number): Value {
  const along = { axes: [axis], keepdims: true };
  const y = x.subtract(x.mean({ ...along, axes: [vary(axis, 0)] }));
  const isVariance = one(true, false);
  const spread = isVariance ? x.var({ ...along, correction: vary(0, 0.5) }) : y.square().mean(along);
  return y.divide(spread.add(vary(0.125, 1)).sqrt());
}

/** Softmaxes, norms and attention: as one operator, by hand, and with something before or behind. */
const norms: ReadonlyMap<string, Fusion> = ofRank(2, {
  "softmax of a scaled operand": ({ vary }, x) => {
    const axis = x.shape.length - 1;
    return x.multiply(vary(0.5, -1, 0)).softmax({ axis: vary(axis, 0) });
  },
  "softmax of a quotient": ({ vary }, x) =>
    x.divide(vary(2, -2)).softmax({ axis: vary(x.shape.length - 1, 0) }),
  "softmax of a sum": ({ vary, other }, x) =>
    x.add(other(vary([width(x)], x.shape))).softmax({ axis: vary(x.shape.length - 1, 0) }),
  "softmax by hand": (hand, x) => softmaxByHand(hand, x, hand.axis(x)),
  "softmax, logarithm": ({ vary }, x) =>
    x
      .softmax({ axis: vary(x.shape.length - 1, 0) })
      .multiply(vary(1, 0.5))
      .log(),
  "logarithm of a sum of exponentials": ({ vary, axis }, x) => {
    const along = { axes: [axis(x)], keepdims: true };
    const greatest = x.max(along);
    return x
      .subtract(greatest)
      .exp()
      .sum({ ...along, axes: vary(along.axes, axesOf(x)) })
      .log()
      .add(greatest);
  },
  "masked softmax": ({ make, vary }, x) => {
    const mask = make.full({ shape: x.shape, value: 1 }).tril({ offset: vary(0, -1, 1) });
    return make.where(mask, x, vary(-64, 0)).softmax({ axis: x.shape.length - 1 });
  },
  "attention by hand": (hand, x) => {
    const { other, vary } = hand;
    const [keys, values] = [other(x.shape), other(x.shape)];
    const scores = x.matmul(transposed(keys)).multiply(vary(0.5, 1, -1));
    const masked = scores.add(other(vary(scores.shape, [width(scores)])));
    return masked.softmax({ axis: masked.shape.length - vary(1, 2) }).matmul(values);
  },
  "attention, scaled before": ({ vary, other }, x) => {
    const keys = other(x.shape).divide(vary(2, 4));
    const scores = x.divide(vary(2, 4)).matmul(transposed(keys));
    return scores.softmax({ axis: scores.shape.length - vary(1, 2) }).matmul(other(x.shape));
  },
  "attention in heads": ({ make, vary, one, other }) => {
    const [n, heads, d] = [one(2, 3), one(1, 2), one(1, 2)];
    const head = (): Value =>
      other([n, heads * d])
        .reshape({ shape: [n, heads, d] })
        .permute_dims({ axes: vary([1, 0, 2], [1, 0, 2]) });
    const y = make.scaled_dot_product_attention(head(), head(), head(), { causal: vary(false, true) });
    return y.permute_dims({ axes: [1, 0, 2] }).reshape({ shape: [n, heads * d] });
  },
  "norm by hand": (hand, x) => {
    const y = normalizedByHand(hand, x, x.shape.length - 1);
    return y.multiply(hand.other([width(x)])).add(hand.other([width(x)]));
  },
  "norm of a sum": ({ vary, other }, x) =>
    x.add(other(x.shape)).layer_norm(other([width(x)]), other([width(x)]), {
      axes: [x.shape.length - 1],
      epsilon: vary(0.125, 1),
    }),
  "norm after norm": ({ make, vary, other }, x) => {
    const norm = (y: Value): Value =>
      y.layer_norm(other([width(x)]), make.full({ shape: [width(x)], value: vary(0, 1) }), {
        axes: [x.shape.length - 1],
        epsilon: 0.125,
      });
    return norm(norm(x));
  },
  "mean and variance": ({ vary, axis }, x) => {
    const along = { axes: [axis(x)], keepdims: true };
    return x.var({ ...along, correction: vary(0, 0.5) }).add(x.mean(along).square());
  },
  "variance and norm": ({ vary, axis }, x) => {
    const [here, there] = [axis(x), axis(x)];
    const y = x.add(vary(0.5, 0));
    return y
      .var({ axes: [here], keepdims: true, correction: 0 })
      .add(y.norm({ axes: [vary(here, there)], keepdims: true }));
  },
  "root mean square": ({ again }, x) => {
    const squares = x
      .square()
      .mean({ axes: [x.shape.length - 1], keepdims: true })
      .add(0.125);
    return again(x).divide(squares.sqrt());
  },
  "labels by hand": ({ make, vary, indices }, x) => {
    const y = x.reshape({ shape: folded(x) });
    const [rows = 1, classes = 1] = y.shape;
    const hot = make.one_hot({ indices: indices([rows], [classes]), classes });
    const scores = y.log_softmax({ axis: vary(1, 0) }).multiply(hot);
    return scores.sum({ axes: [0, 1], keepdims: false }).divide(vary(-rows, -1));
  },
  "squared error by hand": ({ vary, other }, x) =>
    x
      .subtract(other(x.shape))
      .square()
      .mean({ axes: vary(axesOf(x), [0]), keepdims: false }),
  "a mask of dropout": ({ make, vary, one, key }, x) => {
    const rate = one(0.5, 0.25);
    const mask = make.bernoulli_mask({ shape: x.shape, key: key(), rate: vary(rate, 0, 1) });
    return x.multiply(mask).divide(vary(1 - rate, 1));
  },
  "one key for two masks": ({ make, vary, key }, x) => {
    const [first, second] = [key(), key()];
    const mask = (name: string): Value => make.bernoulli_mask({ shape: x.shape, key: name, rate: 0.5 });
    return x.multiply(mask(first)).add(x.multiply(mask(vary(first, second))));
  },
  "dropout of nothing": ({ vary, key }, x) => x.dropout({ key: key(), rate: vary(0, 0.5) }).multiply(x),
});

/** Returns the attributes of a convolution along `count` axes that nothing is special about. */
function plain(count: number) {
  const ones = Array.from({ length: count }, () => 1);
  return { strides: ones, padding: ones.map(() => [0, 0] as const), dilations: ones, groups: 1 };
}

/** Makes an image with one spatial axis, or two, and kernels for it. */
function image({ other, one }: Hand, window?: number) {
  const channels = one(1, 2, 2, 4);
  const spatial = one([3], [4], [2, 3]);
  const x = other([one(1, 2), channels, ...spatial]);
  return {
    x,
    w: other([one(1, 2), channels, ...spatial.map(() => window ?? one(1, 2))]),
    ...plain(spatial.length),
  };
}

/** Returns the shape of one number for each channel, which broadcasts along the other axes of an image. */
function channelShape({ shape }: Value): Shape {
  return [at(shape, 1), ...shape.slice(2).map(() => 1)];
}

/** Convolutions and what is folded into them. */
const convolutions: ReadonlyMap<string, Fusion> = ofRank(0, {
  "convolution scaled by channel": (hand) => {
    const { x, w, ...attributes } = image(hand);
    const y = x.conv(w, attributes);
    return y.multiply(hand.other(hand.vary(channelShape(y), y.shape)));
  },
  "convolution plus a channel": (hand) => {
    const { x, w, ...attributes } = image(hand);
    const y = x.conv(w, attributes);
    return y.add(hand.other(channelShape(y))).relu();
  },
  "scaled kernels": (hand) => {
    const { x, w, ...attributes } = image(hand);
    return x.conv(w.multiply(hand.other([at(w.shape, 0), ...w.shape.slice(1).map(() => 1)])), attributes);
  },
  "convolution, norm": (hand) => {
    const { x, w, ...attributes } = image(hand);
    const y = x.conv(w, attributes);
    const channel = (): Value => hand.other([at(y.shape, 1)]);
    const variance = hand.positive(channel());
    return y.batch_norm_eval(channel(), channel(), channel(), variance, {
      axis: hand.vary(1, 0),
      epsilon: 0.125,
    });
  },
  "norm, convolution": (hand) => {
    const { x, w, ...attributes } = image(hand);
    const channel = (): Value => hand.other([at(x.shape, 1)]);
    const y = x.batch_norm_train(channel(), channel(), { axis: 1, epsilon: hand.vary(0.125, 1) });
    return y.conv(w, attributes);
  },
  "padded, then convolution": (hand) => {
    const { x, w, ...attributes } = image(hand);
    const none = x.shape.map(() => 0);
    const spatial = x.shape.map((_, axis) => (axis < 2 ? 0 : 1));
    const y = x.pad({ low: spatial, high: hand.vary(spatial, none), interior: hand.vary(none, spatial) });
    return y.conv(w, attributes);
  },
  "convolution of single points": (hand) => {
    const { x, w, ...attributes } = image(hand, 1);
    return x.conv(w, {
      ...attributes,
      strides: hand.vary(
        attributes.strides,
        attributes.strides.map(() => 2),
      ),
    });
  },
  "convolution that fills its window": (hand) => {
    const { x, ...attributes } = image(hand);
    const w = hand.other([hand.one(1, 2), ...x.shape.slice(1)]);
    return x.conv(w, {
      strides: attributes.strides,
      padding: attributes.padding,
      dilations: attributes.dilations,
      groups: 1,
    });
  },
  "convolution of joined channels": (hand) => {
    const { x, w: _, ...attributes } = image(hand);
    const joined = hand.make.concat(x, hand.other(x.shape), { axis: 1 });
    const w = hand.other([2, at(joined.shape, 1), ...x.shape.slice(2).map(() => 1)]);
    return joined.conv(w, attributes);
  },
  "convolution in groups, channels joined": (hand) => {
    const { x, w: _, ...attributes } = image(hand);
    const joined = hand.make.concat(x, hand.other(x.shape), { axis: 1 });
    const w = hand.other([hand.one(2, 4), at(x.shape, 1), ...x.shape.slice(2).map(() => hand.one(1, 2))]);
    return joined.conv(w, { ...attributes, groups: 2 });
  },
  "all of a convolution summed": (hand) => {
    const { x, w, ...attributes } = image(hand);
    const y = x.conv(w, attributes);
    return y.sum({ axes: hand.vary(axesOf(y), [1]), keepdims: false });
  },
  "pooled and rectified": (hand) => {
    const { x, strides, padding } = image(hand);
    const window = strides.map(() => hand.vary(2, 1));
    const windows = { window, strides, padding };
    const isMean = hand.one(true, false);
    return (isMean ? x.avg_pool({ ...windows, count_include_pad: true }) : x.max_pool(windows)).relu();
  },
});

/** Patterns of layers, by the kinds of rules that rewrite them. */
export const layers: ReadonlyMap<string, ReadonlyMap<string, Fusion>> = new Map([
  ["softmax, norms, attention", norms],
  ["convolution", convolutions],
]);
