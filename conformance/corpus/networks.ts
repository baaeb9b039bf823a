import { array, question, rows, type TensorText, tensor } from "./case_text.ts";
import { type PolicyText, type VectorText, vectors } from "./vector_text.ts";

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
    first: "take 0 axis=2 indices=first",
    last: "take 0 axis=2 indices=last",
    split: "sum 0 axes=[2] keepdims=true; constant name=half; multiply 1 2",
  },
};

/** Vectors of windows, convolutions and normalisations. */
export const networks: readonly VectorText[] = vectors({
  "mean_of_a_clipped_window (2.5, D01): windows of 2 over five elements: the last holds one element and divides by one, backwards too":
    {
      inputs: { x: signal(1, 2, 3, 4, 5) },
      nodes: "avg_pool 0 window=[2] strides=[2] padding=[[0,1]] count_include_pad=false",
      probe: { right: { x: [0.5, 0.5, 0.5, 0.5, 1] }, wrong: { x: [0.5, 0.5, 0.5, 0.5, 0.5] } },
    },
  "mean_with_its_border (2.5, D01): the same where the border counts: every window divides by two": {
    inputs: { x: signal(1, 2, 3, 4, 5) },
    nodes: "avg_pool 0 window=[2] strides=[2] padding=[[0,1]] count_include_pad=true",
    probe: { right: { x: [0.5, 0.5, 0.5, 0.5, 0.5] }, wrong: { x: [0.5, 0.5, 0.5, 0.5, 1] } },
  },
  "overlapping_maxima (2.5, D02): windows of 2 at every place: each has its own greatest element": {
    inputs: { x: signal(5, 3, 1, 2, 5) },
    nodes: "max_pool 0 window=[2] strides=[1] padding=[[0,0]]",
    probe: { right: { x: [1, 1, 0, 1, 1] }, wrong: { x: [1, 2, 0, 0, 1] } },
  },
  "maximum_of_two_windows (2.5, D03): an element that is the greatest of two windows collects from both": {
    inputs: { x: signal(1, 9, 1) },
    nodes: "max_pool 0 window=[2] strides=[1] padding=[[0,0]]",
    probe: { right: { x: [0, 2, 0] }, wrong: { x: [0, 1, 0] } },
  },
  "negative_maxima_at_the_border (2.5, D02): negative elements beside a border: the border is not an element of value 0":
    {
      inputs: { x: signal(-3, -1, -2) },
      nodes: "max_pool 0 window=[2] strides=[2] padding=[[1,0]]",
      probe: { right: { x: [1, 1, 0] }, wrong: { x: [0, 1, 0] } },
    },
  "tie_in_a_window (6.5, C20): two equal elements in a window: the first, the last, or half each": {
    flags: ["tie"],
    inputs: { x: signal(2, 2) },
    indices: { first: [0], last: [1] },
    constants: { half: [[1, 1, 1], [0.5]] },
    nodes: "max_pool 0 window=[2] strides=[2] padding=[[0,0]]",
    policy: poolTie,
  },
  "kernel_gradient_of_a_batch (2.5, B09): two signals under one kernel: its gradient is the sum over signals and places, not their mean":
    {
      inputs: { x: tensor([2, 1, 3], [1, 2, 3, 5, 7, 11]), w: tensor([1, 1, 2], [1, -1]) },
      nodes: "conv 0 1 strides=[1] padding=[[0,0]] dilations=[1] groups=1",
      probe: { right: { w: [15, 23] }, wrong: { w: [15 / 4, 23 / 4] } },
    },
  "strided_convolution (2.5, D05): stride 2, dilation 1: they change places in the kernel's gradient, and must":
    {
      inputs: { x: signal(1, 2, 4, 8, 16, 32, 64), w: tensor([1, 1, 3], [1, 10, 100]) },
      nodes: "conv 0 1 strides=[2] padding=[[0,0]] dilations=[1] groups=1",
    },
  "dilated_convolution (2.5, D05): stride 1, dilation 2": {
    inputs: { x: signal(1, 2, 4, 8, 16, 32, 64), w: tensor([1, 1, 3], [1, 10, 100]) },
    nodes: "conv 0 1 strides=[1] padding=[[0,0]] dilations=[2] groups=1",
  },
  "padded_unevenly (2.5, D05): a border on one side only, and a stride that does not use the last element": {
    inputs: { x: signal(1, 2, 4, 8), w: tensor([1, 1, 2], [1, 10]) },
    nodes: "conv 0 1 strides=[3] padding=[[2,0]] dilations=[1] groups=1",
  },
  "grouped_convolution (2.5): two groups of one channel each: no cotangent crosses between them": {
    inputs: { x: tensor([1, 2, 3], [1, 2, 3, 4, 5, 6]), w: tensor([2, 1, 2], [1, 10, 100, 1000]) },
    nodes: "conv 0 1 strides=[1] padding=[[0,0]] dilations=[1] groups=2",
  },
  "transposed_convolution_with_extra_rows (2.5, D07): stride 2 and one extra element at the end: the cotangent has the operand's extent":
    {
      inputs: { x: signal(1, 2, 3), w: tensor([1, 1, 2], [1, 10]) },
      nodes: "conv_transpose 0 1 strides=[2] padding=[[0,0]] dilations=[1] groups=1 output_padding=[1]",
    },
  "batch_normalised (2.5, D10): three numbers normalised by their own mean and variance, which move with them: under cotangents of all ones every gradient is zero and nothing shows":
    {
      ...question("batch_norm_train 0 1 2 axis=1 epsilon=0.125 at x=[[1],[2],[4]] scale=[2] offset=[3]"),
      flags: ["hidden_by_ones"],
    },
  "batch_of_two_normalised (2.5, D12): two numbers: a mean's term counted twice is off by a share of 1/n², which a large batch hides":
    {
      ...question("batch_norm_train 0 1 2 axis=1 epsilon=0.5 at x=[[1],[3]] scale=[2] offset=[3]"),
      flags: ["hidden_by_ones"],
    },
  "running_statistics (2.5, D11): normalised with given mean and variance: they do not move with x, and the gradient is a factor":
    {
      ...question(
        "batch_norm_eval 0 1 2 3 4 axis=1 epsilon=0.25 at x=[[1],[2],[4]] scale=[2] offset=[3] mean=[1.5] variance=[3.75]",
      ),
      probe: { right: { x: [1, 1, 1] }, wrong: { x: [0, 0, 0] } },
    },
  "layer_normalised (2.5, D10): rows normalised by their own statistics, with a scale and an offset for each column":
    {
      flags: ["hidden_by_ones"],
      inputs: { x: rows([1, 2, 4], [3, -1, 0]), scale: array([2, 3, 5]), offset: array([1, -1, 2]) },
      nodes: "layer_norm 0 1 2 axes=[1] epsilon=0.125",
    },
  "softmax_of_rows (2.5, A18, E06): softmax of two rows: the second is right only if the first has not been written over, and under all ones both gradients are zero":
    { ...question("softmax 0 axis=1 at x=[[1,2,0.5],[-1,3,0]]"), flags: ["hidden_by_ones"] },
  "softmax_of_a_masked_row (3.2, C16): softmax where everything is masked with −∞: zeros by declaration, or NaN":
    {
      flags: ["singular"],
      inputs: { x: array([Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]) },
      tangents: [array([0, 0])],
      nodes: "softmax 0 axis=0",
      policy: {
        name: "everythingMasked",
        join: "one_of",
        choices: { zero: "full shape=[2] value=0", nan: "subtract 0 0; exp 1" },
      },
    },
  "log_softmax_underflowed (7.3, C32): log-softmax at −431, 279, 427, the first class: its softmax underflows and must not be divided by":
    {
      ...question("log_softmax 0 axis=0 at x=[-431,279,427]"),
      dtype: "float32",
      flags: ["underflow"],
      probe: { right: { x: [-1, 0, 1] }, wrong: { x: [nan, nan, nan] }, seed: array([-1, 0, 0]) },
    },
  "dropped_elements (2.5, D15): dropout at rate 1/2: what was dropped gets no cotangent, the rest gets it doubled":
    {
      ...question("dropout 0 key=key rate=0.5 at x=[1,1,1,1,1,1,1,1] where key=[7,11]"),
      probe: { right: {}, wrong: { x: [2, 2, 2, 2, 2, 2, 2, 2] } },
    },
  "embedded_words (2.5, D18): an embedding with a word used twice and one not used":
    "embedding 0 indices=words at w=[[1,2],[3,4],[5,6]] where words=[2,0,2]",
  "attention (2.5, A18): attention of two queries to two keys": {
    inputs: { q: rows([1, 0], [0.5, -1]), k: rows([0, 1], [1, 0.5]), v: rows([1, 2], [3, 5]) },
    nodes: "scaled_dot_product_attention 0 1 2 causal=false",
  },
  "causal_attention (2.5, C17): causal attention: the first query sees the first key alone, and what it does not see gets exactly zero, not 0·∞":
    {
      inputs: { q: rows([1, 0], [0.5, -1]), k: rows([0, 1], [1, 0.5]), v: rows([1, 2], [3, 5]) },
      nodes: "scaled_dot_product_attention 0 1 2 causal=true",
    },
});
