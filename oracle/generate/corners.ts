import { idCount, type NodeOf } from "../../spec/graph/index.ts";
import type { AttributesOf, OperatorName } from "../../spec/operators/index.ts";
import { at, isSameShape, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";

/** What a node's attributes are read beside. */
interface Scene {
  readonly operands: readonly Shape[];
  /** The value of the entry of Δ that an attribute names. */
  readonly entry: (name: string) => FlatTensor;
}

/** One class for each feature. */
type Row = readonly string[];

/** Into which classes an operator's attributes fall, together with the shapes that they are about. */
interface Corners<K extends OperatorName> {
  /** The features, each with all the classes that it may have; no class is in two features. */
  readonly features: readonly (readonly string[])[];
  /** One row for each place where attributes meet: for the node, or for each axis of it. */
  rows(node: NodeOf<K>, scene: Scene): readonly Row[];
  /** Pairs of classes that no well-typed node has. */
  readonly impossible?: readonly (readonly [string, string])[];
}

/** Operators whose attributes, or whose operands' shapes, are more than one kind of thing. */
export type CorneredName =
  | Exclude<
      { [K in OperatorName]: keyof AttributesOf[K] extends never ? never : K }[OperatorName],
      "constant"
    >
  | "matmul"
  | "solve"
  | "det"
  | "inv";

/** The first label whose claim is true; the last one where none is. */
function classOf(cases: readonly (readonly [boolean, string])[], otherwise: string): string {
  return cases.find(([holds]) => holds)?.[1] ?? otherwise;
}

const first = ({ operands }: Scene): Shape => at(operands, 0);

const axisClasses = ["the only axis", "the first axis", "an inner axis", "the last axis"] as const;

function axisClass(axis: number, rank: number): string {
  return classOf(
    [
      [rank === 1, "the only axis"],
      [axis === 0, "the first axis"],
      [axis === rank - 1, "the last axis"],
    ],
    "an inner axis",
  );
}

/** Operators that are told one axis of their first operand. */
type AlongAxis =
  | "cumulative_sum"
  | "cumulative_prod"
  | "softmax"
  | "log_softmax"
  | "vecdot"
  | "batch_norm_train"
  | "batch_norm_eval";

const alongAxis: Corners<AlongAxis> = {
  features: [axisClasses],
  rows: ({ attributes }, scene) => [[axisClass(attributes.axis, first(scene).length)]],
};

const axesClasses = ["no axis", "one axis", "some axes", "all axes"] as const;

function axesClass({ length }: readonly number[], rank: number): string {
  return classOf(
    [
      [length === 0, "no axis"],
      [length === rank, "all axes"],
      [length === 1, "one axis"],
    ],
    "some axes",
  );
}

const stay = ["the axes stay", "the axes go"] as const;
const stays = (keepdims: boolean): string => (keepdims ? "the axes stay" : "the axes go");

type Reduction = "sum" | "mean" | "prod" | "max" | "min" | "logsumexp" | "norm" | "var";

const reduction: Corners<Exclude<Reduction, "var">> = {
  features: [axesClasses, stay],
  rows: ({ attributes }, scene) => [
    [axesClass(attributes.axes, first(scene).length), stays(attributes.keepdims)],
  ],
};

const indexClasses = ["no index", "one index", "an index twice", "different indices"] as const;

/** Of indices, or of rows of `depth` of them. */
function indexClass({ data }: FlatTensor, depth = 1): string {
  const rows = Array.from({ length: data.length / depth }, (_, i) =>
    data.subarray(i * depth, (i + 1) * depth).join(),
  );
  return classOf(
    [
      [rows.length === 0, "no index"],
      [rows.length === 1, "one index"],
      [new Set(rows).size < rows.length, "an index twice"],
    ],
    "different indices",
  );
}

const rowsOfIndices: Corners<"gather" | "scatter_add"> = {
  features: [["into some axes", "into all axes"], indexClasses],
  rows: ({ attributes }, scene) => {
    const rows = scene.entry(attributes.indices);
    const depth = at(rows.shape, rows.shape.length - 1);
    const reaches = depth === first(scene).length ? "into all axes" : "into some axes";
    return [[reaches, indexClass(rows, depth)]];
  },
};

const operandClasses = ["1 operand", "2 operands", "3 or 4 operands", "5 operands and more"] as const;

function operandClass({ operands }: Scene): string {
  return at(operandClasses, operands.length >= 5 ? 3 : operands.length >= 3 ? 2 : operands.length - 1);
}

const batchClasses = ["one matrix", "a batch"] as const;
const batchClass = ({ length }: Shape): string => (length > 2 ? "a batch" : "one matrix");

const orderClasses = ["order 0 or 1", "order 2", "order 3 and more"] as const;

function orderClass(shape: Shape): string {
  return at(orderClasses, Math.min(Math.max(at(shape, shape.length - 1) - 1, 0), 2));
}

const columnClasses = ["no column or one", "several columns"] as const;

function columnClass(shape: Shape): string {
  return at(shape, shape.length - 1) > 1 ? "several columns" : "no column or one";
}

const halves = ["upper", "lower"] as const;
const half = (upper: boolean): string => (upper ? "upper" : "lower");

const square: Corners<"det" | "inv"> = {
  features: [orderClasses, batchClasses],
  rows: (_node, scene) => [[orderClass(first(scene)), batchClass(first(scene))]],
};

const formClasses = ["tall", "square", "wide"] as const;

function formClass(shape: Shape): string {
  const [rows, columns] = [at(shape, shape.length - 2), at(shape, shape.length - 1)];
  return at(formClasses, 1 + Math.sign(columns - rows));
}

const onDiagonal: Corners<"diagonal" | "tril" | "triu" | "trace"> = {
  features: [["below the diagonal", "on the diagonal", "above the diagonal"], formClasses, batchClasses],
  rows: ({ attributes: { offset } }, scene) => [
    [
      classOf([[offset < 0, "below the diagonal"]], offset > 0 ? "above the diagonal" : "on the diagonal"),
      formClass(first(scene)),
      batchClass(first(scene)),
    ],
  ],
};

const labels: Corners<"nll" | "cross_entropy"> = {
  features: [indexClasses.slice(1)],
  rows: ({ attributes }, { entry }) => [[indexClass(entry(attributes.labels))]],
};

const headed: Corners<"multi_head_attention" | "transformer_block"> = {
  features: [
    ["one head", "several heads"],
    ["causal", "not causal"],
  ],
  rows: ({ attributes: { heads, causal } }) => [
    [heads === 1 ? "one head" : "several heads", causal ? "causal" : "not causal"],
  ],
};

const rateClasses = ["rate 0", "rate 1", "a rate between"] as const;

function rateClass(rate: number): string {
  return rate === 0 || rate === 1 ? `rate ${rate}` : "a rate between";
}

const spatialClasses = ["along 1 axis", "along 2 axes", "along 3 axes"] as const;
const strideClasses = ["stride 1", "stride 2"] as const;
const paddingClasses = [
  ["nothing before", "1 before"],
  ["nothing behind", "1 behind", "2 behind"],
] as const;
const windowClasses = ["window of 1", "window of 2", "window of 3 or more"] as const;
const groupClasses = ["one group", "several groups"] as const;
const dilationClasses = ["dilation 1", "dilation 2"] as const;

/** How the windows lie along one axis: its stride, its padding and the window's extent. */
function along(stride: number, [low, high]: readonly [number, number], window: number): Row {
  return [
    `stride ${stride}`,
    low === 0 ? "nothing before" : `${low} before`,
    high === 0 ? "nothing behind" : `${high} behind`,
    at(windowClasses, Math.min(window, windowClasses.length) - 1),
  ];
}

/** What the windows along every axis are classified by. */
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

/** A pool is padded by less than its window. */
const paddedTooFar = [
  ["window of 1", "1 before"],
  ["window of 1", "1 behind"],
  ["window of 1", "2 behind"],
  ["window of 2", "2 behind"],
] as const;

/** The features of every operator's attributes and, where it has none but matrices for operands, of those. */
export const corners: { readonly [K in CorneredName]: Corners<K> } = {
  full: {
    features: [
      ["zero", "positive", "negative"],
      ["scalar", "tensor"],
    ],
    rows: ({ attributes: { value, shape } }) => [
      [
        classOf([[value === 0, "zero"]], value > 0 ? "positive" : "negative"),
        shape.length === 0 ? "scalar" : "tensor",
      ],
    ],
  },
  iota: {
    features: [axisClasses],
    rows: ({ attributes: { axis, shape } }) => [[axisClass(axis, shape.length)]],
  },
  bernoulli_mask: {
    features: [rateClasses, ["scalar", "tensor"]],
    rows: ({ attributes: { rate, shape } }) => [[rateClass(rate), shape.length === 0 ? "scalar" : "tensor"]],
  },
  sum: reduction,
  broadcast_to: {
    features: [
      ["no new axis", "new axes"],
      ["none stretched", "one stretched", "several stretched"],
    ],
    rows: ({ attributes: { shape } }, scene) => {
      const x = first(scene);
      const added = shape.length - x.length;
      const stretched = x.filter((extent, axis) => extent !== shape[axis + added]).length;
      return [
        [
          added > 0 ? "new axes" : "no new axis",
          at(["none stretched", "one stretched", "several stretched"], Math.min(stretched, 2)),
        ],
      ];
    },
  },
  reshape: {
    features: [
      ["fewer axes", "as many axes", "more axes"],
      ["no element", "one element", "several elements"],
    ],
    rows: ({ attributes: { shape } }, scene) => [
      [
        at(["fewer axes", "as many axes", "more axes"], 1 + Math.sign(shape.length - first(scene).length)),
        at(["no element", "one element", "several elements"], Math.min(sizeOf(shape), 2)),
      ],
    ],
  },
  permute_dims: {
    features: [
      ["identity", "reverse", "cycle", "another order"],
      ["fewer than 2 axes", "2 axes", "3 axes", "4 axes and more"],
    ],
    rows: ({ attributes: { axes } }) => {
      const { length } = axes;
      const isAll = (place: (axis: number) => number): boolean => axes.every((axis, i) => axis === place(i));
      return [
        [
          classOf(
            [
              [isAll((i) => i), "identity"],
              [isAll((i) => length - 1 - i), "reverse"],
              [isAll((i) => (i + at(axes, 0)) % length), "cycle"],
            ],
            "another order",
          ),
          at(
            ["fewer than 2 axes", "2 axes", "3 axes", "4 axes and more"],
            Math.min(Math.max(length - 1, 0), 3),
          ),
        ],
      ];
    },
    impossible: [
      ["reverse", "fewer than 2 axes"],
      ["cycle", "fewer than 2 axes"],
      ["another order", "fewer than 2 axes"],
      ["cycle", "2 axes"],
      ["another order", "2 axes"],
    ],
  },
  concat: {
    features: [axisClasses, operandClasses, ["of one shape", "of different extents"]],
    rows: ({ attributes: { axis } }, scene) => {
      const isAlike = scene.operands.every((shape) => isSameShape(shape, first(scene)));
      return [
        [
          axisClass(axis, first(scene).length),
          operandClass(scene),
          isAlike ? "of one shape" : "of different extents",
        ],
      ];
    },
    impossible: [["1 operand", "of different extents"]],
  },
  take: {
    features: [axisClasses, indexClasses],
    rows: ({ attributes: { axis, indices } }, scene) => [
      [axisClass(axis, first(scene).length), indexClass(scene.entry(indices))],
    ],
  },
  slice: {
    features: [
      ["start from the end", "start inside", "start beyond"],
      ["stop from the end", "stop inside", "stop beyond"],
      ["step 1", "step > 1", "step −1", "step < −1"],
    ],
    rows: ({ attributes: { starts, stops, steps } }, scene) =>
      first(scene).map((extent, axis) => {
        const place = (index: number): string =>
          classOf([[index < 0, "from the end"]], index < extent ? "inside" : "beyond");
        const step = at(steps, axis);
        const size = Math.abs(step) === 1 ? "1" : "> 1";
        return [
          `start ${place(at(starts, axis))}`,
          `stop ${place(at(stops, axis))}`,
          step > 0 ? `step ${size}` : size === "1" ? "step −1" : "step < −1",
        ];
      }),
  },
  pad: {
    features: [
      ["nothing before", "some before"],
      ["nothing behind", "some behind"],
      ["nothing between", "some between"],
      ["no element", "one element", "several elements"],
    ],
    rows: ({ attributes: { low, high, interior } }, scene) =>
      first(scene).map((extent, axis) => [
        at(low, axis) > 0 ? "some before" : "nothing before",
        at(high, axis) > 0 ? "some behind" : "nothing behind",
        at(interior, axis) > 0 ? "some between" : "nothing between",
        at(["no element", "one element", "several elements"], Math.min(extent, 2)),
      ]),
  },
  take_along_axis: {
    features: [axisClasses, ["no index", "one index", "several indices"]],
    rows: ({ attributes: { axis, indices } }, scene) => [
      [
        axisClass(axis, first(scene).length),
        at(["no index", "one index", "several indices"], Math.min(at(scene.entry(indices).shape, axis), 2)),
      ],
    ],
  },
  gather: rowsOfIndices,
  scatter_add: rowsOfIndices,
  cumulative_sum: alongAxis,
  matmul: {
    features: [
      ["no batch", "one batch axis", "several batch axes"],
      ["left is square", "left is not square"],
      ["right is square", "right is not square"],
    ],
    rows: (_node, { operands: [x = [], y = []] }) => [
      [
        at(["no batch", "one batch axis", "several batch axes"], Math.min(x.length - 2, 2)),
        formClass(x) === "square" ? "left is square" : "left is not square",
        formClass(y) === "square" ? "right is square" : "right is not square",
      ],
    ],
  },
  solve: {
    features: [orderClasses, batchClasses, columnClasses],
    rows: (_node, { operands: [a = [], b = []] }) => [[orderClass(a), batchClass(a), columnClass(b)]],
  },
  det: square,
  leaky_relu: {
    features: [["slope above 0", "slope below 0"]],
    rows: ({ attributes: { slope } }) => [[slope > 0 ? "slope above 0" : "slope below 0"]],
  },
  elu: {
    features: [["alpha 1", "another alpha"]],
    rows: ({ attributes: { alpha } }) => [[alpha === 1 ? "alpha 1" : "another alpha"]],
  },
  gelu: {
    features: [["none", "tanh"]],
    rows: ({ attributes: { approximate } }) => [[approximate]],
  },
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
  layer_norm: {
    features: [axesClasses.slice(1)],
    rows: ({ attributes: { axes } }, scene) => [[axesClass(axes, first(scene).length)]],
  },
  batch_norm_train: alongAxis,
  batch_norm_eval: alongAxis,
  group_norm: {
    features: [groupClasses, ["one channel each", "several channels each"]],
    rows: ({ attributes: { groups } }, scene) => [
      [
        groups === 1 ? "one group" : "several groups",
        at(first(scene), 1) > groups ? "several channels each" : "one channel each",
      ],
    ],
  },
  embedding: {
    features: [indexClasses.slice(1)],
    rows: ({ attributes: { indices } }, { entry }) => [[indexClass(entry(indices))]],
  },
  dropout: {
    features: [rateClasses],
    rows: ({ attributes: { rate } }) => [[rateClass(rate)]],
  },
  scaled_dot_product_attention: {
    features: [
      ["causal", "not causal"],
      ["no mask", "one mask for all", "a mask for each"],
      ["no batch", "batches"],
      ["as many keys as queries", "other keys"],
    ],
    rows: ({ attributes: { causal } }, { operands: [queries = [], keys = [], , mask] }) => {
      const count = at(queries, queries.length - 2);
      return [
        [
          causal ? "causal" : "not causal",
          classOf(
            [
              [mask === undefined, "no mask"],
              [mask?.at(-2) === count, "a mask for each"],
            ],
            "one mask for all",
          ),
          queries.length > 2 ? "batches" : "no batch",
          count === keys.at(-2) ? "as many keys as queries" : "other keys",
        ],
      ];
    },
  },
  multi_head_attention: headed,
  lstm_cell: {
    features: [["hidden", "cell"]],
    rows: ({ attributes: { output } }) => [[output]],
  },
  transformer_block: headed,
  huber: {
    features: [["delta below 1", "delta 1"]],
    rows: ({ attributes: { delta } }) => [[delta === 1 ? "delta 1" : "delta below 1"]],
  },
  cross_entropy: labels,
  nll: labels,
  mean: reduction,
  prod: reduction,
  max: reduction,
  min: reduction,
  var: {
    features: [axesClasses, stay, ["correction 0", "correction 1", "another correction"]],
    rows: ({ attributes: { axes, keepdims, correction } }, scene) => [
      [
        axesClass(axes, first(scene).length),
        stays(keepdims),
        correction === 0 || correction === 1 ? `correction ${correction}` : "another correction",
      ],
    ],
  },
  logsumexp: reduction,
  norm: reduction,
  cumulative_prod: alongAxis,
  argmax: {
    features: [axisClasses, stay],
    rows: ({ attributes: { axis, keepdims } }, scene) => [
      [axisClass(axis, first(scene).length), stays(keepdims)],
    ],
  },
  stack: {
    features: [axisClasses, operandClasses],
    rows: ({ attributes: { axis } }, scene) => [
      [axisClass(axis, first(scene).length + 1), operandClass(scene)],
    ],
  },
  split: {
    features: [
      axisClasses,
      ["1 section", "2 sections", "more sections"],
      ["the first part", "an inner part", "the last part"],
    ],
    rows: ({ attributes: { axis, sections, part } }, scene) => [
      [
        axisClass(axis, first(scene).length),
        at(["1 section", "2 sections", "more sections"], Math.min(sections, 3) - 1),
        classOf([[part === 0, "the first part"]], part === sections - 1 ? "the last part" : "an inner part"),
      ],
    ],
    impossible: [
      ["1 section", "an inner part"],
      ["1 section", "the last part"],
      ["2 sections", "an inner part"],
    ],
  },
  flip: {
    features: [axesClasses],
    rows: ({ attributes: { axes } }, scene) => [[axesClass(axes, first(scene).length)]],
  },
  roll: {
    features: [axisClasses, ["backwards", "not at all", "forwards", "around"]],
    rows: ({ attributes: { shift, axis } }, scene) => {
      const x = first(scene);
      const way = classOf(
        [
          [shift === 0, "not at all"],
          [Math.abs(shift) > at(x, axis), "around"],
        ],
        shift > 0 ? "forwards" : "backwards",
      );
      return [[axisClass(axis, x.length), way]];
    },
  },
  tile: {
    features: [
      ["fewer than axes", "as many as axes", "more than axes"],
      ["nothing", "once", "several times"],
    ],
    rows: ({ attributes: { repetitions } }, scene) => [
      [
        at(
          ["fewer than axes", "as many as axes", "more than axes"],
          1 + Math.sign(repetitions.length - first(scene).length),
        ),
        classOf(
          [
            [repetitions.includes(0), "nothing"],
            [repetitions.some((count) => count > 1), "several times"],
          ],
          "once",
        ),
      ],
    ],
  },
  one_hot: {
    features: [indexClasses, ["no class", "one class", "several classes"]],
    rows: ({ attributes: { indices, classes } }, { entry }) => [
      [indexClass(entry(indices)), at(["no class", "one class", "several classes"], Math.min(classes, 2))],
    ],
    impossible: [
      ["one index", "no class"],
      ["an index twice", "no class"],
      ["different indices", "no class"],
      ["different indices", "one class"],
    ],
  },
  diagonal: onDiagonal,
  tril: onDiagonal,
  triu: onDiagonal,
  sort: {
    features: [axisClasses, ["descending", "ascending"]],
    rows: ({ attributes: { axis, descending } }, scene) => [
      [axisClass(axis, first(scene).length), descending ? "descending" : "ascending"],
    ],
  },
  top_k: {
    features: [axisClasses, ["none", "one", "some", "all"]],
    rows: ({ attributes: { axis, k } }, scene) => {
      const x = first(scene);
      const count = classOf(
        [
          [k === 0, "none"],
          [k === at(x, axis), "all"],
          [k === 1, "one"],
        ],
        "some",
      );
      return [[axisClass(axis, x.length), count]];
    },
  },
  vecdot: alongAxis,
  einsum: {
    features: [
      ["1 operand", "2 operands", "3 or 4 operands"],
      ["a diagonal", "no diagonal"],
      ["summed", "not summed"],
      ["a scalar", "a tensor"],
    ],
    rows: ({ attributes: { equation } }, scene) => {
      const [left = "", result = ""] = equation.split("->");
      const operands = left.split(",");
      const isDiagonal = operands.some((names) => new Set(names).size < names.length);
      const isSummed = operands.some((names) => [...names].some((name) => !result.includes(name)));
      return [
        [
          operandClass(scene),
          isDiagonal ? "a diagonal" : "no diagonal",
          isSummed ? "summed" : "not summed",
          result === "" ? "a scalar" : "a tensor",
        ],
      ];
    },
  },
  trace: onDiagonal,
  inv: square,
  cholesky: {
    features: [halves, orderClasses, batchClasses],
    rows: ({ attributes: { upper } }, scene) => [
      [half(upper), orderClass(first(scene)), batchClass(first(scene))],
    ],
  },
  differentiate: {
    features: [
      ["vjp", "jvp"],
      ["of its last value", "of another"],
    ],
    rows: ({ attributes: { mode, of, graph } }) => [
      [mode, of === idCount(graph) - 1 ? "of its last value" : "of another"],
    ],
  },
  triangular_solve: {
    features: [halves, orderClasses, batchClasses, columnClasses],
    rows: ({ attributes: { upper } }, { operands: [a = [], b = []] }) => [
      [half(upper), orderClass(a), batchClass(a), columnClass(b)],
    ],
  },
};
