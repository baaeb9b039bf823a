import { type Shape, sizeOf } from "../../spec/shapes/index.ts";
import type { NodeText, TensorText } from "./case_text.ts";
import { type VectorText, vectors } from "./vector_text.ts";

/** Fills a shape with multiples of ½ of either sign, no two neighbours alike; `seed` shifts them. */
function filled(shape: Shape, seed: number): TensorText {
  const elements = Array.from({ length: sizeOf(shape) }, (_, i) => ((7 * i + 3 * seed) % 19) / 2 - 4.25);
  return [shape, elements];
}

/** Fills a cotangent with odd multiples of ¼, none of them 1. */
function cotangent(shape: Shape): TensorText {
  return [shape, Array.from({ length: sizeOf(shape) }, (_, i) => (2 * i + 3) / 4)];
}

/** Makes a vector of one node whose operands are inputs, with a cotangent for each element. */
function alone(
  name: string,
  note: string,
  node: readonly [op: string, attributes: object],
  operands: readonly Shape[],
  result: Shape,
  indices: VectorText["indices"] = {},
): VectorText {
  const names = ["x", "y", "z"];
  return {
    name,
    clause: "2.5",
    note,
    inputs: Object.fromEntries(operands.map((shape, i) => [names[i] ?? "", filled(shape, i)])),
    indices,
    nodes: [[node[0], operands.map((_, i) => i), node[1]]],
    seeds: { [operands.length]: cotangent(result) },
  };
}

const four: Shape = [2, 1, 3, 2];
const five: Shape = [2, 1, 2, 3, 2];
const six: Shape = [2, 1, 2, 1, 3, 2];

/** Vectors of axes beyond three, which catch an engine that handles only the first or the last few. */
const ranks: readonly VectorText[] = [
  alone(
    "permuted_rank_4",
    "four axes in a cycle",
    ["permute_dims", { axes: [2, 0, 3, 1] }],
    [four],
    [3, 2, 2, 1],
  ),
  alone(
    "permuted_rank_6",
    "six axes, neither turned round nor shifted",
    ["permute_dims", { axes: [4, 1, 5, 0, 3, 2] }],
    [six],
    [3, 1, 2, 2, 1, 2],
  ),
  alone(
    "summed_rank_5",
    "the first, the middle and the last axis of five",
    ["sum", { axes: [0, 2, 4], keepdims: false }],
    [five],
    [1, 3],
  ),
  alone(
    "mean_kept_rank_6",
    "the first and the third of six axes, which stay as 1; a quarter of four numbers",
    ["mean", { axes: [0, 2], keepdims: true }],
    [six],
    [1, 1, 1, 1, 3, 2],
  ),
  alone(
    "broadcast_rank_6",
    "axes of 1 among six are repeated, and two are new",
    ["broadcast_to", { shape: [2, 2, 3, 2, 2, 2] }],
    [[3, 1, 2, 1]],
    [2, 2, 3, 2, 2, 2],
  ),
  alone("added_rank_5", "one shape, five axes", ["add", {}], [five, five], five),
  alone(
    "concatenated_rank_4",
    "along the third of four axes, unequal parts",
    ["concat", { axis: 2 }],
    [four, [2, 1, 2, 2]],
    [2, 1, 5, 2],
  ),
  alone(
    "sliced_rank_5",
    "backwards along the fourth of five axes",
    ["slice", { starts: [1, 0, 0, 2, 0], stops: [2, 1, 2, -4, 2], steps: [1, 1, 1, -1, 1] }],
    [five],
    [1, 1, 2, 3, 2],
  ),
  alone(
    "padded_rank_4",
    "before, behind and between, on four axes",
    ["pad", { low: [0, 1, 0, 1], high: [1, 0, 0, 0], interior: [0, 0, 1, 0] }],
    [four],
    [3, 2, 5, 3],
  ),
  alone(
    "cumulative_rank_4",
    "sums that run along the second of four axes",
    ["cumulative_sum", { axis: 1 }],
    [[2, 3, 2, 2]],
    [2, 3, 2, 2],
  ),
  alone(
    "taken_rank_5",
    "along the fourth of five axes, one entry twice",
    ["take", { axis: 3, indices: "which" }],
    [five],
    [2, 1, 2, 3, 2],
    { which: [2, 0, 2] },
  ),
  alone(
    "product_of_two_batch_axes",
    "matrices in a grid of two batch axes",
    ["matmul", {}],
    [
      [2, 3, 2, 2],
      [2, 3, 2, 1],
    ],
    [2, 3, 2, 1],
  ),
  alone(
    "softmax_rank_4",
    "along the second of four axes",
    ["softmax", { axis: 1 }],
    [[2, 3, 1, 2]],
    [2, 3, 1, 2],
  ),
  alone(
    "flipped_rank_5",
    "two axes of five turned round",
    ["flip", { axes: [1, 3] }],
    [[2, 2, 1, 3, 1]],
    [2, 2, 1, 3, 1],
  ),
];

const plane = { dilations: [1, 1], groups: 1 };

/** Vectors of windows over two and three axes of unlike extents, which catch height and width swapped. */
const windows: readonly VectorText[] = [
  alone(
    "conv_plane",
    "a kernel of 2 by 3, strides and padding unlike",
    [
      "conv",
      {
        ...plane,
        strides: [2, 1],
        padding: [
          [1, 0],
          [0, 1],
        ],
      },
    ],
    [
      [1, 2, 3, 4],
      [2, 2, 2, 3],
    ],
    [1, 2, 2, 3],
  ),
  alone(
    "conv_plane_dilated_groups",
    "two groups, gaps between what the kernel sees along the width",
    [
      "conv",
      {
        strides: [1, 1],
        padding: [
          [0, 0],
          [0, 0],
        ],
        dilations: [1, 2],
        groups: 2,
      },
    ],
    [
      [1, 2, 2, 4],
      [2, 1, 2, 2],
    ],
    [1, 2, 1, 2],
  ),
  alone(
    "conv_space",
    "three spatial axes",
    [
      "conv",
      {
        strides: [1, 2, 1],
        padding: [
          [0, 0],
          [0, 0],
          [1, 0],
        ],
        dilations: [1, 1, 1],
        groups: 1,
      },
    ],
    [
      [1, 1, 2, 3, 2],
      [1, 1, 2, 1, 2],
    ],
    [1, 1, 1, 2, 2],
  ),
  alone(
    "conv_transpose_plane",
    "the adjoint over two axes, strides unlike",
    [
      "conv_transpose",
      {
        ...plane,
        strides: [2, 1],
        padding: [
          [0, 1],
          [0, 0],
        ],
        output_padding: [1, 0],
      },
    ],
    [
      [1, 1, 2, 2],
      [1, 2, 2, 3],
    ],
    [1, 2, 4, 4],
  ),
  alone(
    "max_pool_plane",
    "windows of 2 by 3 that overlap along the height",
    [
      "max_pool",
      {
        window: [2, 3],
        strides: [1, 2],
        padding: [
          [0, 0],
          [0, 1],
        ],
      },
    ],
    [[1, 1, 3, 4]],
    [1, 1, 2, 2],
  ),
  alone(
    "max_pool_space",
    "three spatial axes",
    [
      "max_pool",
      {
        window: [2, 1, 2],
        strides: [1, 1, 1],
        padding: [
          [0, 0],
          [0, 0],
          [0, 0],
        ],
      },
    ],
    [[1, 1, 2, 2, 3]],
    [1, 1, 1, 2, 2],
  ),
  alone(
    "avg_pool_plane",
    "padding on one side, which is not counted",
    [
      "avg_pool",
      {
        window: [2, 2],
        strides: [1, 2],
        padding: [
          [0, 1],
          [1, 0],
        ],
        count_include_pad: false,
      },
    ],
    [[1, 1, 2, 3]],
    [1, 1, 2, 2],
  ),
];

/** No vector register or block length divides this many elements: 1,003 = 17 · 59. */
const LONG = 1003;
/** Makes a long value from a short input: `x [17]` repeated 59 times, times each element's place. */
const laidOut: readonly NodeText[] = [
  ["broadcast_to", [0], { shape: [59, 17] }],
  ["reshape", [1], { shape: [LONG] }],
  ["iota", [], { shape: [LONG], axis: 0 }],
  ["multiply", [2, 3]],
];

/** Applies nodes, with ids from 5 on, to the long value at id 4. */
function long(name: string, note: string, nodes: readonly NodeText[]): VectorText {
  const seeds = { [4 + nodes.length]: cotangent([]) };
  return { name, clause: "2.5", note, inputs: { x: filled([17], 2) }, nodes: [...laidOut, ...nodes], seeds };
}

const total: NodeText = ["sum", [5], { axes: [0], keepdims: false }];

/** Vectors of long axes, which leave a remainder to whatever works in blocks. */
const lengths: readonly VectorText[] = [
  long("long_sum", "the sum of 1,003 numbers, and its cotangent laid out again", [
    ["sum", [4], { axes: [0], keepdims: false }],
  ]),
  long("long_relu", "a mask of 1,003", [["relu", [4]], total]),
  long("long_square", "a product of 1,003 by itself", [["multiply", [4, 4]], total]),
  long("long_maximum", "the larger of 1,003 and their places", [["maximum", [4, 3]], total]),
  long("long_where", "a choice for each of 1,003", [["where", [4, 2, 3]], total]),
  long("long_cumulative", "sums that run over 1,003", [
    ["cumulative_sum", [4], { axis: 0 }],
    ["multiply", [5, 2]],
    ["sum", [6], { axes: [0], keepdims: false }],
  ]),
  long("long_slice", "every third of 1,003, backwards", [
    ["slice", [4], { starts: [LONG - 1], stops: [-LONG - 1], steps: [-3] }],
    ["multiply", [5, 5]],
    ["sum", [6], { axes: [0], keepdims: false }],
  ]),
  long("long_product", "a row times a column of 1,003", [
    ["reshape", [4], { shape: [1, LONG] }],
    ["reshape", [2], { shape: [LONG, 1] }],
    ["matmul", [5, 6]],
    ["reshape", [7], { shape: [] }],
  ]),
];

const letters = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];

/** Vectors of many operands, many inputs and many nodes in a row. */
const crowds: readonly VectorText[] = vectors({
  "concat_of_seven (2.5): seven operands, two of them one input, one of them empty": {
    inputs: Object.fromEntries(
      letters.slice(0, 6).map((name, i) => [name, filled([i % 3, 2], i + 1)] as const),
    ),
    nodes: "concat 0 1 2 3 4 5 2 axis=0",
    seeds: { 6: cotangent([8, 2]) },
  },
  "twelve_inputs (3.4): a product of neighbours among twelve inputs: each has a cotangent of its own": {
    inputs: Object.fromEntries(letters.map((name, i) => [name, [[], [i + 1.5]]] as const)),
    nodes: [
      ...letters.slice(1).map((_, i): NodeText => ["multiply", [i, i + 1]]),
      ...letters.slice(2).map((_, i): NodeText => ["add", [i === 0 ? 12 : 22 + i, 13 + i]]),
    ],
  },
  "three_hundred_nodes (3.4): a chain deeper than 256: x is added once and once subtracted, in turn, and each third time added":
    {
      inputs: { x: [[], [1.5]] },
      nodes: Array.from({ length: 300 }, (_, i): NodeText => [i % 3 === 1 ? "subtract" : "add", [i, 0]]),
    },
});

/** Vectors of the sizes users have: up to six axes, 2-D and 3-D windows, long axes, many operands, depth. */
export const sizes: readonly VectorText[] = [...ranks, ...windows, ...lengths, ...crowds];
