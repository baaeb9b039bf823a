import type { AttributesOf, OperatorName } from "../../spec/composites/index.ts";
import { idCount, type NodeOf } from "../../spec/graph/index.ts";
import { at, isSameShape, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";

/** A node's attributes are classified beside the shapes and entries that it reads. */
interface Scene {
  readonly operands: readonly Shape[];
  /** Looks up the entry of Δ that an attribute names. */
  readonly entry: (name: string) => FlatTensor;
}

/** A row has one class for each feature. */
type Row = readonly string[];

/** Says into which classes an operator's attributes, and the shapes they are about, fall. */
interface Corners<K extends OperatorName> {
  /** Each feature lists all its classes; no class belongs to two features. */
  readonly features: readonly (readonly string[])[];
  /** Returns a row for each place where attributes meet: for the node, or for each of its axes. */
  rows(node: NodeOf<K>, scene: Scene): readonly Row[];
  /** No well-typed node has both classes of such a pair. */
  readonly impossible?: readonly (readonly [string, string])[];
}

/** These operators have attributes, or operands' shapes, of more than one kind. */
export type CorneredName =
  | Exclude<
      { [K in OperatorName]: keyof AttributesOf[K] extends never ? never : K }[OperatorName],
      "constant"
    >
  | "matmul"
  | "solve"
  | "det"
  | "inv";

/** Returns the first label whose claim is true, or `otherwise`. */
function classOf(claims: Readonly<Record<string, boolean>>, otherwise: string): string {
  return Object.entries(claims).find(([, holds]) => holds)?.[0] ?? otherwise;
}

/** Returns the class of a count; the last class is for this many and more. */
function amountClass(classes: readonly string[], count: number): string {
  return at(classes, Math.min(count, classes.length - 1));
}

/** Classifies nodes whose attributes meet once, in one row. */
function lone<K extends OperatorName>(
  features: Corners<K>["features"],
  row: (node: NodeOf<K>, scene: Scene) => Row,
  impossible: Corners<K>["impossible"] = [],
): Corners<K> {
  return { features, rows: (node, scene) => [row(node, scene)], impossible };
}

const first = ({ operands }: Scene): Shape => at(operands, 0);

const axisClasses = ["the only axis", "the first axis", "an inner axis", "the last axis"] as const;

function axisClass(axis: number, rank: number): string {
  const claims = {
    "the only axis": rank === 1,
    "the first axis": axis === 0,
    "the last axis": axis === rank - 1,
  };
  return classOf(claims, "an inner axis");
}

/** These operators have an attribute `axis`, an axis of their first operand. */
type AlongAxis =
  | "cumulative_sum"
  | "cumulative_prod"
  | "softmax"
  | "log_softmax"
  | "vecdot"
  | "batch_norm_train"
  | "batch_norm_eval";

const alongAxis: Corners<AlongAxis> = lone([axisClasses], ({ attributes }, scene) => [
  axisClass(attributes.axis, first(scene).length),
]);

const axesClasses = ["no axis", "one axis", "some axes", "all axes"] as const;

function axesClass({ length }: readonly number[], scene: Scene): string {
  const claims = {
    "no axis": length === 0,
    "all axes": length === first(scene).length,
    "one axis": length === 1,
  };
  return classOf(claims, "some axes");
}

const stay = ["the axes stay", "the axes go"] as const;
const stays = (keepdims: boolean): string => (keepdims ? "the axes stay" : "the axes go");

type Reduction = "sum" | "mean" | "prod" | "max" | "min" | "logsumexp" | "norm";

const reduction: Corners<Reduction> = lone([axesClasses, stay], ({ attributes }, scene) => [
  axesClass(attributes.axes, scene),
  stays(attributes.keepdims),
]);

const indexClasses = ["no index", "one index", "an index twice", "different indices"] as const;

/** Classifies a list of indices, or of rows of `depth` indices each. */
function indexClass({ data }: FlatTensor, depth = 1): string {
  const rows = Array.from({ length: data.length / depth }, (_, i) =>
    data.subarray(i * depth, (i + 1) * depth).join(),
  );
  const isTwice = new Set(rows).size < rows.length;
  const claims = { "no index": rows.length === 0, "one index": rows.length === 1, "an index twice": isTwice };
  return classOf(claims, "different indices");
}

const rowsOfIndices: Corners<"gather" | "scatter_add"> = lone(
  [["into some axes", "into all axes"], indexClasses],
  ({ attributes }, scene) => {
    const rows = scene.entry(attributes.indices);
    const depth = at(rows.shape, rows.shape.length - 1);
    return [depth === first(scene).length ? "into all axes" : "into some axes", indexClass(rows, depth)];
  },
);

const operandClasses = ["1 operand", "2 operands", "3 or 4 operands", "5 operands and more"] as const;

function operandClass({ operands }: Scene): string {
  return at(operandClasses, operands.length >= 5 ? 3 : operands.length >= 3 ? 2 : operands.length - 1);
}

const batchClasses = ["one matrix", "a batch"] as const;
const batchClass = ({ length }: Shape): string => (length > 2 ? "a batch" : "one matrix");

const orderClasses = ["order 0 or 1", "order 2", "order 3 and more"] as const;
const orderClass = (shape: Shape): string =>
  amountClass(orderClasses, Math.max(at(shape, shape.length - 1) - 1, 0));

const columnClasses = ["no column or one", "several columns"] as const;
const columnClass = (shape: Shape): string =>
  at(shape, shape.length - 1) > 1 ? "several columns" : "no column or one";

const halves = ["upper", "lower"] as const;
const half = (upper: boolean): string => (upper ? "upper" : "lower");

const square: Corners<"det" | "inv"> = lone([orderClasses, batchClasses], (_node, scene) => [
  orderClass(first(scene)),
  batchClass(first(scene)),
]);

const formClasses = ["tall", "square", "wide"] as const;

function formClass(shape: Shape): string {
  const [rows, columns] = [at(shape, shape.length - 2), at(shape, shape.length - 1)];
  return at(formClasses, 1 + Math.sign(columns - rows));
}

const diagonalClasses = ["below the diagonal", "on the diagonal", "above the diagonal"] as const;

const onDiagonal: Corners<"diagonal" | "tril" | "triu" | "trace"> = lone(
  [diagonalClasses, formClasses, batchClasses],
  ({ attributes: { offset } }, scene) => [
    at(diagonalClasses, 1 + Math.sign(offset)),
    formClass(first(scene)),
    batchClass(first(scene)),
  ],
);

const labels: Corners<"nll" | "cross_entropy"> = lone(
  [indexClasses.slice(1)],
  ({ attributes }, { entry }) => [indexClass(entry(attributes.labels))],
);

const causalClasses = ["causal", "not causal"] as const;
const causalClass = (isCausal: boolean): string => (isCausal ? "causal" : "not causal");

const headed: Corners<"multi_head_attention" | "transformer_block"> = lone(
  [["one head", "several heads"], causalClasses],
  ({ attributes: { heads, causal } }) => [heads === 1 ? "one head" : "several heads", causalClass(causal)],
);

const rateClasses = ["rate 0", "rate 1", "a rate between"] as const;

function rateClass(rate: number): string {
  return rate === 0 || rate === 1 ? `rate ${rate}` : "a rate between";
}

const rankClasses = ["scalar", "tensor"] as const;
const rankClass = ({ length }: Shape): string => (length === 0 ? "scalar" : "tensor");

const elementClasses = ["no element", "one element", "several elements"] as const;
const signClasses = ["zero", "positive", "negative"] as const;
const stretchClasses = ["none stretched", "one stretched", "several stretched"] as const;
const axisCountClasses = ["fewer axes", "as many axes", "more axes"] as const;
const orderOfAxesClasses = ["fewer than 2 axes", "2 axes", "3 axes", "4 axes and more"] as const;
const fewIndexClasses = ["no index", "one index", "several indices"] as const;
const matrixBatchClasses = ["no batch", "one batch axis", "several batch axes"] as const;
const sectionClasses = ["1 section", "2 sections", "more sections"] as const;
const repetitionClasses = ["fewer than axes", "as many as axes", "more than axes"] as const;
const classCountClasses = ["no class", "one class", "several classes"] as const;

const spatialClasses = ["along 1 axis", "along 2 axes", "along 3 axes"] as const;
const strideClasses = ["stride 1", "stride 2"] as const;
const paddingClasses = [
  ["nothing before", "1 before"],
  ["nothing behind", "1 behind", "2 behind"],
] as const;
const windowClasses = ["window of 1", "window of 2", "window of 3 or more"] as const;
const groupClasses = ["one group", "several groups"] as const;
const dilationClasses = ["dilation 1", "dilation 2"] as const;

/** Classifies the windows along one axis by stride, padding and the window's extent. */
function along(stride: number, [low, high]: readonly [number, number], window: number): Row {
  return [
    `stride ${stride}`,
    low === 0 ? "nothing before" : `${low} before`,
    high === 0 ? "nothing behind" : `${high} behind`,
    amountClass(windowClasses, window - 1),
  ];
}

/** Every axis of windows is classified by these features. */
const windowFeatures = [spatialClasses, strideClasses, ...paddingClasses, windowClasses];

function spatialClass(count: number): string {
  return at(spatialClasses, count - 1);
}

function convolutionRows(
  { attributes }: NodeOf<"conv" | "conv_transpose">,
  { operands }: Scene,
): readonly Row[] {
  const { strides, padding, dilations, groups } = attributes;
  return strides.map((stride, axis) => [
    spatialClass(strides.length),
    ...along(stride, at(padding, axis), at(at(operands, 1), axis + 2)),
    `dilation ${at(dilations, axis)}`,
    groups === 1 ? "one group" : "several groups",
  ]);
}

function poolRows({ attributes }: NodeOf<"max_pool" | "avg_pool">): readonly Row[] {
  const { strides, padding, window } = attributes;
  return strides.map((stride, axis) => [
    spatialClass(strides.length),
    ...along(stride, at(padding, axis), at(window, axis)),
  ]);
}

/** No pool has these pairs, since it is padded by less than its window. */
const paddedTooFar = [
  ["window of 1", "1 before"],
  ["window of 1", "1 behind"],
  ["window of 1", "2 behind"],
  ["window of 2", "2 behind"],
] as const;

/** Classifies the attributes of each operator, or its matrices where it has no attributes. */
export const corners: { readonly [K in CorneredName]: Corners<K> } = {
  full: lone([signClasses, rankClasses], ({ attributes: { value, shape } }) => [
    classOf({ zero: value === 0, positive: value > 0 }, "negative"),
    rankClass(shape),
  ]),
  iota: lone([axisClasses], ({ attributes: { axis, shape } }) => [axisClass(axis, shape.length)]),
  bernoulli_mask: lone([rateClasses, rankClasses], ({ attributes: { rate, shape } }) => [
    rateClass(rate),
    rankClass(shape),
  ]),
  sum: reduction,
  broadcast_to: lone([["no new axis", "new axes"], stretchClasses], ({ attributes: { shape } }, scene) => {
    const x = first(scene);
    const added = shape.length - x.length;
    const stretched = x.filter((extent, axis) => extent !== shape[axis + added]).length;
    return [added > 0 ? "new axes" : "no new axis", amountClass(stretchClasses, stretched)];
  }),
  reshape: lone([axisCountClasses, elementClasses], ({ attributes: { shape } }, scene) => [
    at(axisCountClasses, 1 + Math.sign(shape.length - first(scene).length)),
    amountClass(elementClasses, sizeOf(shape)),
  ]),
  permute_dims: lone(
    [["identity", "reverse", "cycle", "another order"], orderOfAxesClasses],
    ({ attributes: { axes } }) => {
      const { length } = axes;
      const isAll = (place: (axis: number) => number): boolean => axes.every((axis, i) => axis === place(i));
      const claims = {
        identity: isAll((i) => i),
        reverse: isAll((i) => length - 1 - i),
        cycle: isAll((i) => (i + at(axes, 0)) % length),
      };
      return [classOf(claims, "another order"), amountClass(orderOfAxesClasses, Math.max(length - 1, 0))];
    },
    [
      ["reverse", "fewer than 2 axes"],
      ["cycle", "fewer than 2 axes"],
      ["another order", "fewer than 2 axes"],
      ["cycle", "2 axes"],
      ["another order", "2 axes"],
    ],
  ),
  concat: lone(
    [axisClasses, operandClasses, ["of one shape", "of different extents"]],
    ({ attributes: { axis } }, scene) => {
      const isAlike = scene.operands.every((shape) => isSameShape(shape, first(scene)));
      const likeness = isAlike ? "of one shape" : "of different extents";
      return [axisClass(axis, first(scene).length), operandClass(scene), likeness];
    },
    [["1 operand", "of different extents"]],
  ),
  take: lone([axisClasses, indexClasses], ({ attributes: { axis, indices } }, scene) => [
    axisClass(axis, first(scene).length),
    indexClass(scene.entry(indices)),
  ]),
  slice: {
    features: [
      ["start from the end", "start inside", "start beyond"],
      ["stop from the end", "stop inside", "stop beyond"],
      ["step 1", "step > 1", "step −1", "step < −1"],
    ],
    rows: ({ attributes: { starts, stops, steps } }, scene) =>
      first(scene).map((extent, axis) => {
        const place = (index: number): string =>
          classOf({ "from the end": index < 0, inside: index < extent }, "beyond");
        const step = at(steps, axis);
        return [
          `start ${place(at(starts, axis))}`,
          `stop ${place(at(stops, axis))}`,
          classOf({ "step 1": step === 1, "step > 1": step > 1, "step −1": step === -1 }, "step < −1"),
        ];
      }),
  },
  pad: {
    features: [
      ["nothing before", "some before"],
      ["nothing behind", "some behind"],
      ["nothing between", "some between"],
      elementClasses,
    ],
    rows: ({ attributes: { low, high, interior } }, scene) =>
      first(scene).map((extent, axis) => [
        at(low, axis) > 0 ? "some before" : "nothing before",
        at(high, axis) > 0 ? "some behind" : "nothing behind",
        at(interior, axis) > 0 ? "some between" : "nothing between",
        amountClass(elementClasses, extent),
      ]),
  },
  take_along_axis: lone([axisClasses, fewIndexClasses], ({ attributes: { axis, indices } }, scene) => [
    axisClass(axis, first(scene).length),
    amountClass(fewIndexClasses, at(scene.entry(indices).shape, axis)),
  ]),
  gather: rowsOfIndices,
  scatter_add: rowsOfIndices,
  cumulative_sum: alongAxis,
  matmul: lone(
    [
      matrixBatchClasses,
      ["left is square", "left is not square"],
      ["right is square", "right is not square"],
    ],
    (_node, { operands: [x = [], y = []] }) => [
      amountClass(matrixBatchClasses, x.length - 2),
      formClass(x) === "square" ? "left is square" : "left is not square",
      formClass(y) === "square" ? "right is square" : "right is not square",
    ],
  ),
  solve: lone([orderClasses, batchClasses, columnClasses], (_node, { operands: [a = [], b = []] }) => [
    orderClass(a),
    batchClass(a),
    columnClass(b),
  ]),
  det: square,
  leaky_relu: lone(
    [["slope above 1", "slope above 0", "slope 0", "slope below 0"]],
    ({ attributes: { slope } }) => [
      classOf(
        { "slope above 1": slope > 1, "slope above 0": slope > 0, "slope 0": slope === 0 },
        "slope below 0",
      ),
    ],
  ),
  elu: lone([["alpha 1", "alpha 0", "alpha below 0", "another alpha"]], ({ attributes: { alpha } }) => [
    classOf({ "alpha 1": alpha === 1, "alpha 0": alpha === 0, "alpha below 0": alpha < 0 }, "another alpha"),
  ]),
  gelu: lone([["none", "tanh"]], ({ attributes: { approximate } }) => [approximate]),
  conv: {
    features: [...windowFeatures, dilationClasses, groupClasses],
    rows: convolutionRows,
  },
  conv_transpose: {
    features: [...windowFeatures, dilationClasses, groupClasses, ["nothing added", "one added"]],
    rows: (node, scene) =>
      convolutionRows(node, scene).map((row, axis) => [
        ...row,
        at(node.attributes.output_padding, axis) > 0 ? "one added" : "nothing added",
      ]),
  },
  max_pool: { features: windowFeatures, rows: poolRows, impossible: paddedTooFar },
  avg_pool: {
    features: [...windowFeatures, ["padding counts", "padding does not count"]],
    rows: (node) =>
      poolRows(node).map((row) => [
        ...row,
        node.attributes.count_include_pad ? "padding counts" : "padding does not count",
      ]),
    impossible: paddedTooFar,
  },
  softmax: alongAxis,
  log_softmax: alongAxis,
  layer_norm: lone([axesClasses.slice(1)], ({ attributes }, scene) => [axesClass(attributes.axes, scene)]),
  batch_norm_train: alongAxis,
  batch_norm_eval: alongAxis,
  group_norm: lone(
    [groupClasses, ["one channel each", "several channels each"]],
    ({ attributes: { groups } }, scene) => [
      groups === 1 ? "one group" : "several groups",
      at(first(scene), 1) > groups ? "several channels each" : "one channel each",
    ],
  ),
  embedding: lone([indexClasses.slice(1)], ({ attributes }, { entry }) => [
    indexClass(entry(attributes.indices)),
  ]),
  dropout: lone([rateClasses], ({ attributes: { rate } }) => [rateClass(rate)]),
  scaled_dot_product_attention: lone(
    [
      causalClasses,
      ["no mask", "one mask for all", "a mask for each"],
      ["no batch", "batches"],
      ["as many keys as queries", "other keys"],
    ],
    ({ attributes: { causal } }, { operands: [queries = [], keys = [], , mask] }) => {
      const count = at(queries, queries.length - 2);
      const claims = { "no mask": mask === undefined, "a mask for each": mask?.at(-2) === count };
      return [
        causalClass(causal),
        classOf(claims, "one mask for all"),
        queries.length > 2 ? "batches" : "no batch",
        count === keys.at(-2) ? "as many keys as queries" : "other keys",
      ];
    },
  ),
  multi_head_attention: headed,
  lstm_cell: lone([["hidden", "cell"]], ({ attributes: { output } }) => [output]),
  transformer_block: headed,
  huber: lone([["delta below 1", "delta 1", "delta above 1"]], ({ attributes: { delta } }) => [
    at(["delta below 1", "delta 1", "delta above 1"], 1 + Math.sign(delta - 1)),
  ]),
  cross_entropy: labels,
  nll: labels,
  mean: reduction,
  prod: reduction,
  max: reduction,
  min: reduction,
  var: lone(
    [axesClasses, stay, ["correction 0", "correction 1", "another correction"]],
    ({ attributes: { axes, keepdims, correction } }, scene) => [
      axesClass(axes, scene),
      stays(keepdims),
      correction === 0 || correction === 1 ? `correction ${correction}` : "another correction",
    ],
  ),
  logsumexp: reduction,
  norm: reduction,
  cumulative_prod: alongAxis,
  argmax: lone([axisClasses, stay], ({ attributes: { axis, keepdims } }, scene) => [
    axisClass(axis, first(scene).length),
    stays(keepdims),
  ]),
  stack: lone([axisClasses, operandClasses], ({ attributes: { axis } }, scene) => [
    axisClass(axis, first(scene).length + 1),
    operandClass(scene),
  ]),
  split: lone(
    [axisClasses, sectionClasses, ["the first part", "an inner part", "the last part"]],
    ({ attributes: { axis, sections, part } }, scene) => [
      axisClass(axis, first(scene).length),
      amountClass(sectionClasses, sections - 1),
      classOf({ "the first part": part === 0, "the last part": part === sections - 1 }, "an inner part"),
    ],
    [
      ["1 section", "an inner part"],
      ["1 section", "the last part"],
      ["2 sections", "an inner part"],
    ],
  ),
  flip: lone([axesClasses], ({ attributes: { axes } }, scene) => [axesClass(axes, scene)]),
  roll: lone(
    [axisClasses, ["backwards", "not at all", "forwards", "around"]],
    ({ attributes: { shift, axis } }, scene) => {
      const x = first(scene);
      const claims = {
        "not at all": shift === 0,
        around: Math.abs(shift) > at(x, axis),
        forwards: shift > 0,
      };
      return [axisClass(axis, x.length), classOf(claims, "backwards")];
    },
  ),
  tile: lone(
    [repetitionClasses, ["nothing", "once", "several times"]],
    ({ attributes: { repetitions } }, scene) => {
      const isSeveral = repetitions.some((count) => count > 1);
      return [
        at(repetitionClasses, 1 + Math.sign(repetitions.length - first(scene).length)),
        classOf({ nothing: repetitions.includes(0), "several times": isSeveral }, "once"),
      ];
    },
  ),
  one_hot: lone(
    [indexClasses, classCountClasses],
    ({ attributes: { indices, classes } }, { entry }) => [
      indexClass(entry(indices)),
      amountClass(classCountClasses, classes),
    ],
    [
      ["one index", "no class"],
      ["an index twice", "no class"],
      ["different indices", "no class"],
      ["different indices", "one class"],
    ],
  ),
  diagonal: onDiagonal,
  tril: onDiagonal,
  triu: onDiagonal,
  sort: lone([axisClasses, ["descending", "ascending"]], ({ attributes: { axis, descending } }, scene) => [
    axisClass(axis, first(scene).length),
    descending ? "descending" : "ascending",
  ]),
  top_k: lone([axisClasses, ["none", "one", "some", "all"]], ({ attributes: { axis, k } }, scene) => {
    const x = first(scene);
    return [
      axisClass(axis, x.length),
      classOf({ none: k === 0, all: k === at(x, axis), one: k === 1 }, "some"),
    ];
  }),
  vecdot: alongAxis,
  einsum: lone(
    [
      operandClasses.slice(0, 3),
      ["a diagonal", "no diagonal"],
      ["summed", "not summed"],
      ["a scalar", "a tensor"],
    ],
    ({ attributes: { equation } }, scene) => {
      const [left = "", result = ""] = equation.split("->");
      const operands = left.split(",");
      const isDiagonal = operands.some((names) => new Set(names).size < names.length);
      const isSummed = operands.some((names) => [...names].some((name) => !result.includes(name)));
      return [
        operandClass(scene),
        isDiagonal ? "a diagonal" : "no diagonal",
        isSummed ? "summed" : "not summed",
        result === "" ? "a scalar" : "a tensor",
      ];
    },
  ),
  trace: onDiagonal,
  inv: square,
  cholesky: lone([halves, orderClasses, batchClasses], ({ attributes: { upper } }, scene) => [
    half(upper),
    orderClass(first(scene)),
    batchClass(first(scene)),
  ]),
  differentiate: lone(
    [
      ["vjp", "jvp"],
      ["of its last value", "of another"],
    ],
    ({ attributes: { mode, of, graph } }) => [
      mode,
      of === idCount(graph) - 1 ? "of its last value" : "of another",
    ],
  ),
  triangular_solve: lone(
    [halves, orderClasses, batchClasses, columnClasses],
    ({ attributes: { upper } }, { operands: [a = [], b = []] }) => [
      half(upper),
      orderClass(a),
      batchClass(a),
      columnClass(b),
    ],
  ),
};
