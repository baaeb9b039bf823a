import { type AttributesOf, type OperatorName, operatorNames } from "../../../../spec/composites/index.ts";
import type { NodeOf } from "../../../../spec/graph/index.ts";
import { type SliceAttributes, sliceAxis } from "../../../../spec/operators/index.ts";
import { type Shape, sizeOf } from "../../../../spec/shapes/index.ts";
import { elementTypes } from "../wire/model.ts";
import { domain, type FunctionName } from "./functions.ts";
import { type Given, placesAlong, type Writer } from "./nodes.ts";

/** What a rule knows of the node that it writes. */
export interface Written<K extends OperatorName> {
  readonly w: Writer;
  readonly attributes: AttributesOf[K];
  /** The names of the operands' values. */
  readonly x: readonly string[];
  /** The operands' shapes. */
  readonly shapes: readonly Shape[];
  /** The shape of the result. */
  readonly shape: Shape;
  /** Returns the name of an entry of Δ: numbers, or indices. */
  entry(name: string): string;
  /** Marks a function of the model as used. */
  uses(name: FunctionName): void;
}

/** A rule returns the name of the result, or nothing for a node that is to be expanded instead. */
type Rule<K extends OperatorName> = (node: Written<K>) => string | undefined;

type Rules = { readonly [K in OperatorName]?: Rule<K> };

/** The operator of ONNX that is the same. */
const named =
  (op: string, given: Given = {}) =>
  ({ w, x }: { readonly w: Writer; readonly x: readonly string[] }): string =>
    w.node(op, x, given);

const compared =
  (op: string) =>
  ({ w, x }: { readonly w: Writer; readonly x: readonly string[] }): string =>
    w.counted(w.node(op, x));

const logical =
  (op: string) =>
  ({ w, x }: { readonly w: Writer; readonly x: readonly string[] }): string =>
    w.counted(
      w.node(
        op,
        x.map((one) => w.truth(one)),
      ),
    );

const ownFunction =
  (op: FunctionName) =>
  ({ w, x, uses }: Written<OperatorName>): string => {
    uses(op);
    return w.node(op, x, {}, domain);
  };

/** Attributes of ONNX are float32. */
function isShort(x: number): boolean {
  return Math.fround(x) === x;
}

interface Over {
  readonly axes: readonly number[];
  readonly keepdims: boolean;
}

/** Reductions over no axes are of each element alone. */
const reduced =
  (op: string, single: string = "Identity") =>
  ({
    w,
    x,
    attributes: { axes, keepdims },
  }: {
    readonly w: Writer;
    readonly x: readonly string[];
    readonly attributes: Over;
  }): string => {
    const [first = ""] = x;
    if (axes.length === 0) return w.node(single, [first]);
    return w.node(op, [first, w.integers(axes)], { ints: { keepdims: keepdims ? 1 : 0 } });
  };

/** Zeros between the elements of an axis: an axis of 1 behind it is padded, and joined with it. */
function spread(w: Writer, x: string, shape: Shape, axis: number, gap: number): string {
  const extent = shape[axis] ?? 0;
  if (gap === 0 || extent < 2) return x;
  const wide = [...shape.slice(0, axis + 1), 1, ...shape.slice(axis + 1)];
  const pads = [...wide.map(() => 0), ...wide.map((_, other) => (other === axis + 1 ? gap : 0))];
  const padded = w.node("Pad", [w.reshaped(x, wide), w.integers(pads)]);
  const joined = [...shape.slice(0, axis), extent * (gap + 1), ...shape.slice(axis + 1)];
  const cut = [w.integers([0]), w.integers([(extent - 1) * (gap + 1) + 1]), w.integers([axis])];
  return w.node("Slice", [w.reshaped(padded, joined), ...cut]);
}

/** Where a step goes back, ONNX takes a start before the first element for the first: all are in range. */
function sliced(w: Writer, x: string, shape: Shape, { starts, stops, steps }: SliceAttributes): string {
  if (starts.length === 0) return w.node("Identity", [x]);
  const kept = shape.map((extent, axis) => {
    const step = steps[axis] ?? 1;
    const { first, count } = sliceAxis(extent, starts[axis] ?? 0, stops[axis] ?? 0, step);
    if (count === 0) return { first: 0, end: 0, step: 1 };
    const end = first + count * step;
    // A negative end counts from the last element, unless it is beyond the first.
    return { first, end: end < 0 ? -extent - 1 : end, step };
  });
  const columns = [kept.map(({ first }) => first), kept.map(({ end }) => end), kept.map((_, axis) => axis)];
  const all = [...columns, kept.map(({ step }) => step)];
  return w.node("Slice", [x, ...all.map((list) => w.integers(list))]);
}

type Padding = readonly (readonly [number, number])[];

function padsOf(padding: Padding): number[] {
  return [...padding.map(([low]) => low), ...padding.map(([, high]) => high)];
}

/** By Cramer's rule: each column of A gives way to the right-hand side. */
function solved({ w, x, shapes: [a = [], b = []] }: Written<"solve">): string {
  const [left = "", right = ""] = x;
  const [order = 0, columns = 0] = [a.at(-1), b.at(-1)];
  const batch = a.slice(0, -2);
  if (order === 0 || sizeOf(b) === 0) return w.full(b, 0);
  const many = [...batch, columns, order, order];
  const matrices = w.node("Expand", [w.reshaped(left, [...batch, 1, order, order]), w.integers(many)]);
  const axes = b.map((_, axis) => axis);
  const turned = w.node("Transpose", [right], {
    ints: { perm: [...axes.slice(0, -2), b.length - 1, b.length - 2] },
  });
  const sides = w.reshaped(turned, [...batch, columns, order, 1]);
  const last = many.length - 1;
  const part = (from: number, to: number): string =>
    w.node("Slice", [matrices, w.integers([from]), w.integers([to]), w.integers([last])]);
  const dets = Array.from({ length: order }, (_, column) => {
    const parts = [
      ...(column > 0 ? [part(0, column)] : []),
      sides,
      ...(column + 1 < order ? [part(column + 1, order)] : []),
    ];
    const replaced = parts.length === 1 ? sides : w.node("Concat", parts, { ints: { axis: last } });
    return w.reshaped(w.node("Det", [replaced]), [...batch, 1, columns]);
  });
  const all = w.node("Concat", dets, { ints: { axis: batch.length } });
  return w.node("Div", [all, w.reshaped(w.node("Det", [left]), [...batch, 1, 1])]);
}

/** How each operator is written; what has no row is expanded first. */
export const rules: Rules = {
  constant: ({ attributes: { name }, entry }) => entry(name),
  full: ({ w, attributes: { shape, value } }) => w.full(shape, value),
  iota: ({ w, attributes: { shape, axis } }) => {
    const line = shape.map((extent, other) => (other === axis ? extent : 1));
    const places = w.initializer(w.type, line, placesAlong(line, axis), "iota");
    return w.node("Expand", [places, w.integers(shape)]);
  },
  stop_gradient: named("Identity"),
  negative: named("Neg"),
  exp: named("Exp"),
  log: named("Log"),
  sin: named("Sin"),
  cos: named("Cos"),
  tanh: named("Tanh"),
  sqrt: named("Sqrt"),
  relu: named("Relu"),
  floor: named("Floor"),
  expm1: ownFunction("expm1"),
  log1p: ownFunction("log1p"),
  log2: ownFunction("log2"),
  tan: named("Tan"),
  asin: named("Asin"),
  acos: named("Acos"),
  atan: named("Atan"),
  sinh: named("Sinh"),
  cosh: named("Cosh"),
  asinh: named("Asinh"),
  acosh: named("Acosh"),
  atanh: named("Atanh"),
  erf: named("Erf"),
  add: named("Add"),
  subtract: named("Sub"),
  multiply: named("Mul"),
  divide: named("Div"),
  maximum: named("Max"),
  less: compared("Less"),
  equal: compared("Equal"),
  pow: named("Pow"),
  atan2: ownFunction("atan2"),
  hypot: ownFunction("hypot"),
  where: ({ w, x: [condition = "", ...choices] }) => w.node("Where", [w.truth(condition), ...choices]),
  sum: reduced("ReduceSum"),
  broadcast_to: ({ w, x: [x = ""], shape }) => w.node("Expand", [x, w.integers(shape)]),
  reshape: ({ w, x: [x = ""], shape }) => w.reshaped(x, shape),
  permute_dims: ({ w, x, attributes: { axes } }) => w.node("Transpose", x, { ints: { perm: axes } }),
  concat: ({ w, x, attributes: { axis } }) => w.node("Concat", x, { ints: { axis } }),
  take: ({ w, x: [x = ""], attributes: { axis, indices }, entry }) =>
    w.node("Gather", [x, entry(indices)], { ints: { axis } }),
  slice: ({ w, x: [x = ""], shapes: [shape = []], attributes }) => sliced(w, x, shape, attributes),
  pad: ({ w, x: [x = ""], shapes: [shape = []], attributes: { low, high, interior } }) => {
    if (shape.length === 0) return w.node("Identity", [x]);
    const extents = [...shape];
    let wide = x;
    for (const [axis, gap] of interior.entries()) {
      wide = spread(w, wide, extents, axis, gap);
      const extent = extents[axis] ?? 0;
      extents[axis] = extent + Math.max(0, extent - 1) * gap;
    }
    return w.node("Pad", [wide, w.integers([...low, ...high])]);
  },
  take_along_axis: ({ w, x: [x = ""], attributes: { axis, indices }, entry }) =>
    w.node("GatherElements", [x, entry(indices)], { ints: { axis } }),
  gather: ({ w, x: [x = ""], attributes: { indices }, entry }) => w.node("GatherND", [x, entry(indices)]),
  scatter_add: ({ w, x: [x = "", updates = ""], attributes: { indices }, entry }) =>
    w.node("ScatterND", [x, entry(indices), updates], { texts: { reduction: "add" } }),
  cumulative_sum: ({ w, x: [x = ""], attributes: { axis } }) => w.node("CumSum", [x, w.integer(axis)]),
  matmul: named("MatMul"),
  solve: solved,
  det: named("Det"),
  abs: named("Abs"),
  sign: named("Sign"),
  square: ({ w, x: [x = ""] }) => w.node("Mul", [x, x]),
  reciprocal: named("Reciprocal"),
  ceil: named("Ceil"),
  round: named("Round"),
  identity: named("Identity"),
  minimum: named("Min"),
  less_equal: compared("LessOrEqual"),
  greater: compared("Greater"),
  greater_equal: compared("GreaterOrEqual"),
  logical_not: logical("Not"),
  logical_and: logical("And"),
  logical_or: logical("Or"),
  logical_xor: logical("Xor"),
  sigmoid: named("Sigmoid"),
  softplus: named("Softplus"),
  silu: ({ w, x: [x = ""] }) => w.node("Mul", [x, w.node("Sigmoid", [x])]),
  leaky_relu: ({ w, x, attributes: { slope } }) =>
    isShort(slope) ? w.node("LeakyRelu", x, { floats: { alpha: slope } }) : undefined,
  elu: ({ w, x, attributes: { alpha } }) =>
    isShort(alpha) ? w.node("Elu", x, { floats: { alpha } }) : undefined,
  // ONNX's own definition has float32 constants, which are too short for doubles.
  gelu: ({ w, x, attributes: { approximate } }) =>
    w.type === elementTypes.float ? w.node("Gelu", x, { texts: { approximate } }) : undefined,
  conv: ({ w, x, attributes: { strides, padding, dilations, groups } }) =>
    w.node("Conv", x, { ints: { strides, pads: padsOf(padding), dilations, group: groups } }),
  conv_transpose: ({ w, x, attributes: { strides, padding, dilations, groups, output_padding } }) => {
    // ONNX lets what a stride leaves over be added, and no more.
    if (output_padding.some((extent, axis) => extent >= (strides[axis] ?? 1))) return undefined;
    return w.node("ConvTranspose", x, {
      ints: { strides, pads: padsOf(padding), dilations, group: groups, output_padding },
    });
  },
  max_pool: ({ w, x, shape, attributes: { window, strides, padding } }) =>
    sizeOf(shape) === 0
      ? w.full(shape, 0)
      : w.node("MaxPool", x, { ints: { kernel_shape: window, strides, pads: padsOf(padding) } }),
  avg_pool: ({ w, x, shape, attributes: { window, strides, padding, count_include_pad } }) => {
    if (sizeOf(shape) === 0) return w.full(shape, 0);
    const pads = padsOf(padding);
    const ints = { kernel_shape: window, strides, pads, count_include_pad: count_include_pad ? 1 : 0 };
    return w.node("AveragePool", x, { ints });
  },
  softmax: ({ w, x, attributes: { axis } }) => w.node("Softmax", x, { ints: { axis } }),
  log_softmax: ({ w, x, attributes: { axis } }) => w.node("LogSoftmax", x, { ints: { axis } }),
  layer_norm: ({ w, x, shapes: [shape = []], attributes: { axes, epsilon } }) => {
    const [first = 0] = axes.toSorted((a, b) => a - b);
    const isTrailing = axes.length > 0 && axes.length === shape.length - first;
    if (!isTrailing || !isShort(epsilon)) return undefined;
    return w.node("LayerNormalization", x, { ints: { axis: first }, floats: { epsilon } });
  },
  batch_norm_eval: ({ w, x, attributes: { axis, epsilon } }) =>
    axis === 1 && isShort(epsilon) ? w.node("BatchNormalization", x, { floats: { epsilon } }) : undefined,
  group_norm: ({ w, x, attributes: { groups, epsilon } }) =>
    isShort(epsilon)
      ? w.node("GroupNormalization", x, {
          ints: { num_groups: groups, stash_type: w.type },
          floats: { epsilon },
        })
      : undefined,
  mean: reduced("ReduceMean"),
  prod: reduced("ReduceProd"),
  max: reduced("ReduceMax"),
  min: reduced("ReduceMin"),
  logsumexp: reduced("ReduceLogSumExp"),
  norm: reduced("ReduceL2", "Abs"),
  argmax: ({ w, x, attributes: { axis, keepdims } }) =>
    w.counted(w.node("ArgMax", x, { ints: { axis, keepdims: keepdims ? 1 : 0 } })),
  tile: ({ w, x: [x = ""], shapes: [own = []], attributes: { repetitions } }) =>
    repetitions.length === own.length && own.length > 0
      ? w.node("Tile", [x, w.integers(repetitions)])
      : undefined,
  tril: ({ w, x: [x = ""], attributes: { offset } }) =>
    w.node("Trilu", [x, w.integer(offset)], { ints: { upper: 0 } }),
  triu: ({ w, x: [x = ""], attributes: { offset } }) =>
    w.node("Trilu", [x, w.integer(offset)], { ints: { upper: 1 } }),
  sort: ({ w, x: [x = ""], shapes: [shape = []], attributes: { axis, descending } }) => {
    const size = w.integers([shape[axis] ?? 0]);
    const [values = ""] = w.several("TopK", [x, size], 2, { ints: { axis, largest: descending ? 1 : 0 } });
    return values;
  },
  top_k: ({ w, x: [x = ""], attributes: { axis, k } }) => {
    const [values = ""] = w.several("TopK", [x, w.integers([k])], 2, { ints: { axis } });
    return values;
  },
  einsum: ({ w, x, attributes: { equation } }) => w.node("Einsum", x, { texts: { equation } }),
};

/** ONNX has none of these: they are written by functions of adjudge's own, or by determinants. */
const ours: readonly string[] = ["expm1", "log1p", "log2", "atan2", "hypot", "solve"];

/** Lists the operators whose values are those of operators of ONNX. */
export const writtenOperators: readonly OperatorName[] = operatorNames.filter(
  (op) => rules[op] !== undefined && !ours.includes(op),
);

/** Applies the rule of a node's operator, if there is one. */
export function written<K extends OperatorName>(node: NodeOf<K>, given: Written<K>): string | undefined {
  const rule: Rule<K> | undefined = rules[node.op];
  return rule?.(given);
}
