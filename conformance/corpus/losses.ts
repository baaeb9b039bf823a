import { array } from "./case_text.ts";
import type { VectorText } from "./vector_text.ts";

const nan = Number.NaN;

/** Vectors of losses, where a divisor, a mask or a target that does not sum to 1 goes wrong. */
export const losses: readonly VectorText[] = [
  {
    name: "summed_cross_entropy",
    clause: "2.5",
    defects: ["D27"],
    note: "the summed loss of two rows: softmax less one-hot, not half of it",
    inputs: {
      x: array([
        [0, 0],
        [0, 0],
      ]),
    },
    constants: {
      targets: array([
        [-1, 0],
        [0, -1],
      ]),
    },
    nodes: [
      ["log_softmax", [0], { axis: 1 }],
      ["constant", [], { name: "targets" }],
      ["multiply", [1, 2]],
      ["sum", [3], { axes: [0, 1], keepdims: false }],
    ],
    probe: { right: { x: [-0.5, 0.5, 0.5, -0.5] }, wrong: { x: [-0.25, 0.25, 0.25, -0.25] } },
  },
  {
    name: "cross_entropy_of_two_rows",
    clause: "2.5",
    defects: ["D27"],
    note: "the mean over two rows: half of softmax less one-hot",
    inputs: {
      x: array([
        [0, 0],
        [0, 0],
      ]),
    },
    indices: { labels: [0, 1] },
    nodes: [["cross_entropy", [0], { labels: "labels" }]],
    probe: { right: { x: [-0.25, 0.25, 0.25, -0.25] }, wrong: { x: [-0.5, 0.5, 0.5, -0.5] } },
  },
  {
    name: "target_of_zeros",
    clause: "2.5",
    defects: ["D28"],
    note: "a row whose target is zero throughout: no loss and no gradient, though softmax is not zero",
    inputs: { x: array([0.1, 0.9]) },
    constants: { target: array([-0, -0]) },
    nodes: [
      ["log_softmax", [0], { axis: 0 }],
      ["constant", [], { name: "target" }],
      ["multiply", [1, 2]],
      ["sum", [3], { axes: [0], keepdims: false }],
    ],
    probe: { right: { x: [0, 0] }, wrong: { x: [0.31, 0.69] } },
  },
  {
    name: "target_of_two",
    clause: "2.5",
    defects: ["D28"],
    note: "a target that sums to 3: the softmax is weighted by that sum",
    inputs: { x: array([0, 0]) },
    constants: { target: array([-1, -2]) },
    nodes: [
      ["log_softmax", [0], { axis: 0 }],
      ["constant", [], { name: "target" }],
      ["multiply", [1, 2]],
      ["sum", [3], { axes: [0], keepdims: false }],
    ],
    probe: { right: { x: [0.5, -0.5] }, wrong: { x: [-0.5, -1.5] } },
  },
  {
    name: "impossible_class_not_wanted",
    clause: "3.2",
    defects: ["C17"],
    flags: ["singular"],
    note: "a logit of −∞ for a class whose target is 0: 0·log 0 is NaN, or a masked product is declared to be 0",
    inputs: { x: array([0, Number.NEGATIVE_INFINITY]) },
    tangents: [array([0, 0])],
    constants: { target: array([-1, 0]) },
    indices: { wanted: [0] },
    nodes: [
      ["log_softmax", [0], { axis: 0 }],
      ["constant", [], { name: "target" }],
      ["multiply", [1, 2]],
      ["sum", [3], { axes: [0], keepdims: false }],
    ],
    policy: {
      name: "zeroTimesInfinity",
      join: "one_of",
      choices: {
        zero: [
          ["constant", [], { name: "target" }],
          ["multiply", [1, 1]],
          ["where", [1, 0, 2]],
          ["stop_gradient", [3]],
          ["sum", [4], { axes: [0], keepdims: false }],
        ],
        nan: [
          ["subtract", [0, 0]],
          ["sum", [1], { axes: [0], keepdims: false }],
          ["multiply", [2, 2]],
        ],
      },
    },
  },
  {
    name: "huber_on_both_sides",
    clause: "2.5",
    note: "the Huber loss within and beyond its delta, on both sides",
    inputs: { x: array([0.5, 4, -3]), y: array([0, 1, 1]) },
    nodes: [["huber", [0, 1], { delta: 1 }]],
  },
  {
    name: "mean_squared_error",
    clause: "2.5",
    defects: ["D27"],
    note: "the mean of three squares: two thirds of the difference each",
    inputs: { x: array([1, 2, 4]), y: array([0, 5, 1]) },
    nodes: [["mse", [0, 1]]],
  },
  {
    name: "binary_logits_far_out",
    clause: "7.3",
    defects: ["C30"],
    flags: ["overflow"],
    note: "binary cross-entropy at logits of ±800: exp overflows, loss and slopes do not",
    inputs: { x: array([800, -800]), y: array([1, 0]) },
    nodes: [["bce_with_logits", [0, 1]]],
    probe: { right: { x: [0, 0] }, wrong: { x: [nan, nan] } },
  },
];
