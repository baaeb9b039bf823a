import type { Builder, Value } from "../../spec/builder/index.ts";
import { formatShape, isSameShape, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import type { TorchLeanNode } from "../../spec/wire/index.ts";
import { uniform } from "./random.ts";
import { plainKinds } from "./write.ts";

/** A meaning is given this of a node. */
export interface Meanings {
  readonly node: TorchLeanNode;
  readonly builder: Builder;
  readonly operands: readonly Value[];
  /** Random numbers are those of the node's counter. */
  readonly counter: number;
  refuse(what: string, message: string, hint: string): never;
  /** Returns the constant of a name, which it declares if nothing has, with its numbers if there are any. */
  constant(name: string, shape: Shape, numbers: unknown): Value;
  numbers(numbers: unknown, shape: Shape): Float64Array;
}

/** A meaning writes the value of a node. */
type Meaning = (layer: Meanings) => Value;

/** What is needed and missing is refused. */
function needed<T>(layer: Meanings, value: T | undefined, what: string): T {
  if (value !== undefined) return value;
  return layer.refuse("attribute", `a ${layer.node.kind} without ${what} means nothing.`, `give it ${what}`);
}

/** Returns the operands, of which there are so many. */
function operandsOf(layer: Meanings, count: number): readonly Value[] {
  const { operands } = layer;
  if (operands.length === count) return operands;
  return layer.refuse("parents", `it has ${operands.length} parents.`, `give it ${count}`);
}

function only(layer: Meanings): Value {
  const [x] = operandsOf(layer, 1);
  return needed(layer, x, "a parent");
}

function both(layer: Meanings): readonly [Value, Value] {
  const [x, y] = operandsOf(layer, 2);
  return [needed(layer, x, "a parent"), needed(layer, y, "a second parent")];
}

/** A layer's weights are named after it. */
function weights(layer: Meanings, part: string, shape: Shape, numbers: unknown): Value {
  const { id, name = `${layer.node.kind}_${id}` } = layer.node;
  return layer.constant(`${name}_${part}`, shape, numbers);
}

/** Reads an operator of ours that has no attributes. */
function plain(op: (typeof plainKinds)[keyof typeof plainKinds]): Meaning {
  return ({ operands: [first, ...others], builder, refuse }) => {
    if (first === undefined) return refuse("parents", "it has no parents.", "give it some");
    const apply: (...all: readonly Value[]) => Value = builder[op];
    return apply(first, ...others);
  };
}

function reshaping(op: "broadcast_to" | "reshape"): Meaning {
  return (layer) => {
    const { from_shape, to_shape, in_shape, out_shape } = layer.node;
    const [before, after] = op === "reshape" ? [in_shape, out_shape] : [from_shape, to_shape];
    const what = "the shapes before and after";
    return moved(layer, op, needed(layer, before, what), needed(layer, after, what));
  };
}

function moved(layer: Meanings, op: "broadcast_to" | "reshape", from: Shape, shape: Shape): Value {
  const x = only(layer);
  if (isSameShape(from, x.shape)) return x[op]({ shape });
  const message = `it says that its operand has shape ${formatShape(from)}, which has ${formatShape(x.shape)}.`;
  return layer.refuse("attribute", message, "name the operand's own shape");
}

function reduction(op: "sum" | "mean"): Meaning {
  return (layer) => {
    const { axes, keepdim } = layer.node;
    const x = only(layer);
    const what = "axes and keepdim";
    return x[op]({ axes: needed(layer, axes, what), keepdims: needed(layer, keepdim, what) });
  };
}

/** Matrices, stacks of them that broadcast, and vectors, as PyTorch multiplies them. */
const matmul: Meaning = (layer) => {
  const [x, y] = both(layer);
  if (x.shape.length < 1 || y.shape.length < 1)
    return layer.refuse("shape", "a number is no matrix.", "reshape it to one");
  const left = x.shape.length === 1 ? x.reshape({ shape: [1, ...x.shape] }) : x;
  const right = y.shape.length === 1 ? y.reshape({ shape: [...y.shape, 1] }) : y;
  const [own, other] = [left.shape.slice(0, -2), right.shape.slice(0, -2)];
  const rank = Math.max(own.length, other.length);
  const lead = Array.from({ length: rank }, (_, axis) => {
    const [a = 1, b = 1] = [own[axis - rank + own.length], other[axis - rank + other.length]];
    return a === 1 ? b : a;
  });
  const stacked = (z: Value): Value => {
    const shape = [...lead, ...z.shape.slice(-2)];
    return isSameShape(z.shape, shape) ? z : z.broadcast_to({ shape });
  };
  const product = stacked(left).matmul(stacked(right));
  if (left === x && right === y) return product;
  const rows = left === x ? [product.shape.at(-2) ?? 0] : [];
  const columns = right === y ? [product.shape.at(-1) ?? 0] : [];
  return product.reshape({ shape: [...lead, ...rows, ...columns] });
};

/** x Wᵀ + b over the last axis. */
const linear: Meaning = (layer) => {
  const x = only(layer);
  const { out_dim, in_dim, weight, bias } = layer.node;
  const [rows, columns] = [needed(layer, out_dim, "out_dim"), needed(layer, in_dim, "in_dim")];
  const w = weights(layer, "weight", [rows, columns], weight);
  const flat = x.reshape({ shape: [sizeOf(x.shape.slice(0, -1)), x.shape.at(-1) ?? 0] });
  const product = flat.matmul(w.permute_dims({ axes: [1, 0] }));
  const shifted = product.add(weights(layer, "bias", [rows], bias));
  return shifted.reshape({ shape: [...x.shape.slice(0, -1), rows] });
};

/** All axes before the spatial ones, or before the channels, count as a batch. */
function batched(x: Value, lead: number, rest: Shape): Value {
  return x.reshape({ shape: [sizeOf(x.shape.slice(0, lead)), ...rest] });
}

const conv: Meaning = (layer) => {
  const x = only(layer);
  const { node } = layer;
  const { kernel, stride, padding, dilation, padding_after, groups = 1, weight, bias } = node;
  const [axis, channels] = [
    needed(layer, node.channel_axis, "channel_axis"),
    needed(layer, node.in_channels, "in_channels"),
  ];
  const outputs = needed(layer, node.out_channels, "out_channels");
  const window = needed(layer, kernel, "kernel");
  const before = needed(layer, padding, "padding");
  const after = padding_after ?? before;
  if (groups !== 1)
    return layer.refuse("attribute", "its channels are in groups.", "export one conv a group");
  const w = weights(layer, "weight", [outputs, channels, ...window], weight);
  const flat = batched(x, axis, x.shape.slice(axis));
  const made = flat.conv(w, {
    strides: needed(layer, stride, "stride"),
    padding: before.map((low, place): readonly [number, number] => [low, after[place] ?? low]),
    dilations: needed(layer, dilation, "dilation"),
    groups,
  });
  const offsets = weights(layer, "bias", [outputs], bias).reshape({
    shape: [outputs, ...window.map(() => 1)],
  });
  return made.add(offsets).reshape({ shape: [...x.shape.slice(0, axis), ...made.shape.slice(1)] });
};

/** Padding is never the maximum, and counts as zeros in an average. */
function pool(kind: "max_pool" | "avg_pool"): Meaning {
  return (layer) => {
    const x = only(layer);
    const { kernel, stride, padding } = layer.node;
    const window = needed(layer, kernel, "kernel");
    const lead = x.shape.length - window.length;
    const spatial = x.shape.slice(Math.max(0, lead));
    const windows = {
      window,
      strides: needed(layer, stride, "stride"),
      padding: needed(layer, padding, "padding").map((side): readonly [number, number] => [side, side]),
    };
    const flat = batched(x, lead, [1, ...spatial]);
    const made =
      kind === "max_pool" ? flat.max_pool(windows) : flat.avg_pool({ ...windows, count_include_pad: true });
    return made.reshape({ shape: [...x.shape.slice(0, lead), ...made.shape.slice(2)] });
  };
}

/** TorchLean's own, where a file has no numbers for it. */
const EPSILON = 1e-5;

const layernorm: Meaning = (layer) => {
  const x = only(layer);
  const { gamma, beta, eps: epsilon = EPSILON } = layer.node;
  const axis = needed(layer, layer.node.axis, "axis");
  const shape = x.shape.slice(axis);
  const axes = shape.map((_, place) => axis + place);
  const scale =
    gamma === undefined ? layer.builder.full({ shape, value: 1 }) : weights(layer, "gamma", shape, gamma);
  const offset =
    beta === undefined ? layer.builder.full({ shape, value: 0 }) : weights(layer, "beta", shape, beta);
  return x.layer_norm(scale, offset, { axes, epsilon });
};

const batchNorm: Meaning = (layer) => {
  const x = only(layer);
  const { gamma, beta, mean, var: variance, eps: epsilon = EPSILON } = layer.node;
  const shape = [needed(layer, layer.node.channels, "channels")];
  const axis = needed(layer, layer.node.channel_axis, "channel_axis");
  // TorchLean takes a variance below 0 for 0.
  if (variance !== undefined && layer.numbers(variance, shape).some((number) => number < 0))
    return layer.refuse("attribute", "a variance is negative.", "give variances from 0 on");
  const part = (name: string, numbers: unknown): Value => weights(layer, name, shape, numbers);
  return x.batch_norm_eval(
    part("gamma", gamma),
    part("beta", beta),
    part("mean", mean),
    part("var", variance),
    {
      axis,
      epsilon,
    },
  );
};

/** The numbers that a node's seed and counter fix, as a constant. */
function drawn(layer: Meanings): Value {
  const { node, counter } = layer;
  const { id, name = `${node.kind}_${id}`, shape } = node;
  const numbers = uniform(needed(layer, node.seed, "a seed"), counter, shape);
  return layer.constant(name, shape, [...numbers]);
}

/** An element is kept where its number is below the probability; no derivative goes through the choice. */
const bernoulliMask: Meaning = (layer) => {
  const probability = only(layer);
  const { shape } = layer.node;
  if (probability.shape.length !== 0)
    return layer.refuse("shape", "the probability is no number.", "give it the shape []");
  const kept = drawn(layer).less(probability.stop_gradient().broadcast_to({ shape }));
  const all = (value: number): Value => layer.builder.full({ shape, value });
  return kept.where(all(1), all(0));
};

const plainMeanings: Readonly<Record<string, Meaning>> = Object.fromEntries(
  Object.entries(plainKinds).map(([kind, op]) => [kind, plain(op)]),
);

/** What each kind of TorchLean's means; the input is none of them. */
export const meanings: Readonly<Record<string, Meaning>> = {
  ...plainMeanings,
  const: (layer) => {
    const { id, name = `constant_${id}`, shape, value_shape = shape, values } = layer.node;
    return layer.constant(name, value_shape, values);
  },
  permute: (layer) => only(layer).permute_dims({ axes: needed(layer, layer.node.perm, "perm") }),
  transpose: (layer) => {
    const x = only(layer);
    const what = "axis1 and axis2";
    const [first, second] = [needed(layer, layer.node.axis1, what), needed(layer, layer.node.axis2, what)];
    const swapped = (axis: number): number => (axis === first ? second : axis === second ? first : axis);
    return x.permute_dims({ axes: x.shape.map((_, axis) => swapped(axis)) });
  },
  broadcast_to: reshaping("broadcast_to"),
  reshape: reshaping("reshape"),
  flatten: (layer) => {
    const shape = needed(layer, layer.node.value_shape, "the shapes before and after");
    return moved(layer, "reshape", shape, [sizeOf(shape)]);
  },
  reduce_sum: reduction("sum"),
  reduce_mean: reduction("mean"),
  sum: (layer) => {
    const x = only(layer);
    return x.sum({ axes: x.shape.map((_, axis) => axis), keepdims: false });
  },
  concat: (layer) => {
    const [first, ...others] = layer.operands;
    const axis = needed(layer, layer.node.axis, "axis");
    return needed(layer, first, "parents").concat(...others, { axis });
  },
  rand_uniform: (layer) => {
    operandsOf(layer, 0);
    return drawn(layer);
  },
  bernoulli_mask: bernoulliMask,
  softmax: (layer) => only(layer).softmax({ axis: needed(layer, layer.node.axis, "axis") }),
  matmul,
  linear,
  conv,
  max_pool: pool("max_pool"),
  avg_pool: pool("avg_pool"),
  layernorm,
  batch_norm_eval: batchNorm,
  safe_log: (layer) => {
    const [x, epsilon] = both(layer);
    return x.softplus().add(epsilon).log();
  },
};

/** These kinds are TorchLean's too, and no graph can say what they mean. */
export const refusals: Readonly<Record<string, string>> = {
  hard_masked_softmax: "the format has no place for its mask",
  multihead_attention: "it gives a tuple; decompose it into linear, matmul and softmax",
  tuple_getitem: "it takes a part of a tuple; decompose what gives it",
};
