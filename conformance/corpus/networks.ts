import { array, type TensorText, tensor } from "./case_text.ts";
import type { PolicyText, VectorText } from "./vector_text.ts";

const nan = Number.NaN;

/** Makes a signal of one channel. */
function signal(...elements: number[]): TensorText {
  return [[1, 1, elements.length], elements];
}

/** A choice between two equal pixels that max pooling may take. */
const poolTie: PolicyText = {
  name: "poolAtTie",
  join: "one_of",
  choices: {
    first: [["take", [0], { axis: 2, indices: "first" }]],
    last: [["take", [0], { axis: 2, indices: "last" }]],
    split: [
      ["sum", [0], { axes: [2], keepdims: true }],
      ["constant", [], { name: "half" }],
      ["multiply", [1, 2]],
    ],
  },
};

/** Vectors of windows, convolutions and normalisations. */
export const networks: readonly VectorText[] = [
  {
    name: "mean_of_a_clipped_window",
    clause: "2.5",
    defects: ["D01"],
    note: "windows of 2 over five elements: the last holds one element and divides by one, backwards too",
    inputs: { x: signal(1, 2, 3, 4, 5) },
    nodes: [["avg_pool", [0], { window: [2], strides: [2], padding: [[0, 1]], count_include_pad: false }]],
    probe: { right: { x: [0.5, 0.5, 0.5, 0.5, 1] }, wrong: { x: [0.5, 0.5, 0.5, 0.5, 0.5] } },
  },
  {
    name: "mean_with_its_border",
    clause: "2.5",
    defects: ["D01"],
    note: "the same where the border counts: every window divides by two",
    inputs: { x: signal(1, 2, 3, 4, 5) },
    nodes: [["avg_pool", [0], { window: [2], strides: [2], padding: [[0, 1]], count_include_pad: true }]],
    probe: { right: { x: [0.5, 0.5, 0.5, 0.5, 0.5] }, wrong: { x: [0.5, 0.5, 0.5, 0.5, 1] } },
  },
  {
    name: "overlapping_maxima",
    clause: "2.5",
    defects: ["D02"],
    note: "windows of 2 at every place: each has its own greatest element",
    inputs: { x: signal(5, 3, 1, 2, 5) },
    nodes: [["max_pool", [0], { window: [2], strides: [1], padding: [[0, 0]] }]],
    probe: { right: { x: [1, 1, 0, 1, 1] }, wrong: { x: [1, 2, 0, 0, 1] } },
  },
  {
    name: "maximum_of_two_windows",
    clause: "2.5",
    defects: ["D03"],
    note: "an element that is the greatest of two windows collects from both",
    inputs: { x: signal(1, 9, 1) },
    nodes: [["max_pool", [0], { window: [2], strides: [1], padding: [[0, 0]] }]],
    probe: { right: { x: [0, 2, 0] }, wrong: { x: [0, 1, 0] } },
  },
  {
    name: "negative_maxima_at_the_border",
    clause: "2.5",
    defects: ["D02"],
    note: "negative elements beside a border: the border is not an element of value 0",
    inputs: { x: signal(-3, -1, -2) },
    nodes: [["max_pool", [0], { window: [2], strides: [2], padding: [[1, 0]] }]],
    probe: { right: { x: [1, 1, 0] }, wrong: { x: [0, 1, 0] } },
  },
  {
    name: "tie_in_a_window",
    clause: "6.5",
    defects: ["C20"],
    flags: ["tie"],
    note: "two equal elements in a window: the first, the last, or half each",
    inputs: { x: signal(2, 2) },
    indices: { first: [0], last: [1] },
    constants: { half: [[1, 1, 1], [0.5]] },
    nodes: [["max_pool", [0], { window: [2], strides: [2], padding: [[0, 0]] }]],
    policy: poolTie,
  },
  {
    name: "kernel_gradient_of_a_batch",
    clause: "2.5",
    defects: ["B09"],
    note: "two signals under one kernel: its gradient is the sum over signals and places, not their mean",
    inputs: { x: tensor([2, 1, 3], [1, 2, 3, 5, 7, 11]), w: tensor([1, 1, 2], [1, -1]) },
    nodes: [["conv", [0, 1], { strides: [1], padding: [[0, 0]], dilations: [1], groups: 1 }]],
    probe: { right: { w: [15, 23] }, wrong: { w: [15 / 4, 23 / 4] } },
  },
  {
    name: "strided_convolution",
    clause: "2.5",
    defects: ["D05"],
    note: "stride 2, dilation 1: they change places in the kernel's gradient, and must",
    inputs: { x: signal(1, 2, 4, 8, 16, 32, 64), w: tensor([1, 1, 3], [1, 10, 100]) },
    nodes: [["conv", [0, 1], { strides: [2], padding: [[0, 0]], dilations: [1], groups: 1 }]],
  },
  {
    name: "dilated_convolution",
    clause: "2.5",
    defects: ["D05"],
    note: "stride 1, dilation 2",
    inputs: { x: signal(1, 2, 4, 8, 16, 32, 64), w: tensor([1, 1, 3], [1, 10, 100]) },
    nodes: [["conv", [0, 1], { strides: [1], padding: [[0, 0]], dilations: [2], groups: 1 }]],
  },
  {
    name: "padded_unevenly",
    clause: "2.5",
    defects: ["D05"],
    note: "a border on one side only, and a stride that does not use the last element",
    inputs: { x: signal(1, 2, 4, 8), w: tensor([1, 1, 2], [1, 10]) },
    nodes: [["conv", [0, 1], { strides: [3], padding: [[2, 0]], dilations: [1], groups: 1 }]],
  },
  {
    name: "grouped_convolution",
    clause: "2.5",
    note: "two groups of one channel each: no cotangent crosses between them",
    inputs: { x: tensor([1, 2, 3], [1, 2, 3, 4, 5, 6]), w: tensor([2, 1, 2], [1, 10, 100, 1000]) },
    nodes: [["conv", [0, 1], { strides: [1], padding: [[0, 0]], dilations: [1], groups: 2 }]],
  },
  {
    name: "transposed_convolution_with_extra_rows",
    clause: "2.5",
    defects: ["D07"],
    note: "stride 2 and one extra element at the end: the cotangent has the operand's extent",
    inputs: { x: signal(1, 2, 3), w: tensor([1, 1, 2], [1, 10]) },
    nodes: [
      [
        "conv_transpose",
        [0, 1],
        { strides: [2], padding: [[0, 0]], dilations: [1], groups: 1, output_padding: [1] },
      ],
    ],
  },
  {
    name: "batch_normalised",
    clause: "2.5",
    defects: ["D10"],
    flags: ["hidden_by_ones"],
    note: "three numbers normalised by their own mean and variance, which move with them: under cotangents of all ones every gradient is zero and nothing shows",
    inputs: { x: array([[1], [2], [4]]), scale: array([2]), offset: array([3]) },
    nodes: [["batch_norm_train", [0, 1, 2], { axis: 1, epsilon: 0.125 }]],
  },
  {
    name: "batch_of_two_normalised",
    clause: "2.5",
    defects: ["D12"],
    flags: ["hidden_by_ones"],
    note: "two numbers: a mean's term counted twice is off by a share of 1/n², which a large batch hides",
    inputs: { x: array([[1], [3]]), scale: array([2]), offset: array([3]) },
    nodes: [["batch_norm_train", [0, 1, 2], { axis: 1, epsilon: 0.5 }]],
  },
  {
    name: "running_statistics",
    clause: "2.5",
    defects: ["D11"],
    note: "normalised with given mean and variance: they do not move with x, and the gradient is a factor",
    inputs: {
      x: array([[1], [2], [4]]),
      scale: array([2]),
      offset: array([3]),
      mean: array([1.5]),
      variance: array([3.75]),
    },
    nodes: [["batch_norm_eval", [0, 1, 2, 3, 4], { axis: 1, epsilon: 0.25 }]],
    probe: { right: { x: [1, 1, 1] }, wrong: { x: [0, 0, 0] } },
  },
  {
    name: "layer_normalised",
    clause: "2.5",
    defects: ["D10"],
    flags: ["hidden_by_ones"],
    note: "rows normalised by their own statistics, with a scale and an offset for each column",
    inputs: {
      x: array([
        [1, 2, 4],
        [3, -1, 0],
      ]),
      scale: array([2, 3, 5]),
      offset: array([1, -1, 2]),
    },
    nodes: [["layer_norm", [0, 1, 2], { axes: [1], epsilon: 0.125 }]],
  },
  {
    name: "softmax_of_rows",
    clause: "2.5",
    defects: ["A18", "E06"],
    flags: ["hidden_by_ones"],
    note: "softmax of two rows: the second is right only if the first has not been written over, and under all ones both gradients are zero",
    inputs: {
      x: array([
        [1, 2, 0.5],
        [-1, 3, 0],
      ]),
    },
    nodes: [["softmax", [0], { axis: 1 }]],
  },
  {
    name: "softmax_of_a_masked_row",
    clause: "3.2",
    defects: ["C16"],
    flags: ["singular"],
    note: "softmax where everything is masked with −∞: zeros by declaration, or NaN",
    inputs: { x: array([Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]) },
    tangents: [array([0, 0])],
    nodes: [["softmax", [0], { axis: 0 }]],
    policy: {
      name: "everythingMasked",
      join: "one_of",
      choices: {
        zero: [["full", [], { shape: [2], value: 0 }]],
        nan: [
          ["subtract", [0, 0]],
          ["exp", [1]],
        ],
      },
    },
  },
  {
    name: "log_softmax_underflowed",
    clause: "7.3",
    defects: ["C32"],
    dtype: "float32",
    flags: ["underflow"],
    note: "log-softmax at −431, 279, 427, the first class: its softmax underflows and must not be divided by",
    inputs: { x: array([-431, 279, 427]) },
    nodes: [["log_softmax", [0], { axis: 0 }]],
    probe: { right: { x: [-1, 0, 1] }, wrong: { x: [nan, nan, nan] }, seed: array([-1, 0, 0]) },
  },
  {
    name: "dropped_elements",
    clause: "2.5",
    defects: ["D15"],
    note: "dropout at rate 1/2: what was dropped gets no cotangent, the rest gets it doubled",
    inputs: { x: array([1, 1, 1, 1, 1, 1, 1, 1]) },
    indices: { key: [7, 11] },
    nodes: [["dropout", [0], { key: "key", rate: 0.5 }]],
    probe: { right: {}, wrong: { x: [2, 2, 2, 2, 2, 2, 2, 2] } },
  },
  {
    name: "embedded_words",
    clause: "2.5",
    defects: ["D18"],
    note: "an embedding with a word used twice and one not used",
    inputs: {
      w: array([
        [1, 2],
        [3, 4],
        [5, 6],
      ]),
    },
    indices: { words: [2, 0, 2] },
    nodes: [["embedding", [0], { indices: "words" }]],
  },
  {
    name: "attention",
    clause: "2.5",
    defects: ["A18"],
    note: "attention of two queries to two keys",
    inputs: {
      q: array([
        [1, 0],
        [0.5, -1],
      ]),
      k: array([
        [0, 1],
        [1, 0.5],
      ]),
      v: array([
        [1, 2],
        [3, 5],
      ]),
    },
    nodes: [["scaled_dot_product_attention", [0, 1, 2], { causal: false }]],
  },
  {
    name: "causal_attention",
    clause: "2.5",
    defects: ["C17"],
    note: "causal attention: the first query sees the first key alone, and what it does not see gets exactly zero, not 0·∞",
    inputs: {
      q: array([
        [1, 0],
        [0.5, -1],
      ]),
      k: array([
        [0, 1],
        [1, 0.5],
      ]),
      v: array([
        [1, 2],
        [3, 5],
      ]),
    },
    nodes: [["scaled_dot_product_attention", [0, 1, 2], { causal: true }]],
  },
];
