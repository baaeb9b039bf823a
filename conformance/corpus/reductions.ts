import { array } from "./case_text.ts";
import type { PolicyText, VectorText } from "./vector_text.ts";

const nan = Number.NaN;
const grid = array([
  [1, 2, 3],
  [4, 5, 6],
]);

/** Offers the elements that may be the greatest of two equal ones; `shape` is the result's. */
function greatest(name: string, place: number, axis: number, shape: readonly number[]): PolicyText {
  const pick = (indices: string): PolicyText["choices"][string] => [
    ["take", [0], { axis, indices }],
    ["reshape", [1], { shape }],
  ];
  return {
    name,
    join: "one_of",
    choices: {
      first: pick("first"),
      last: pick("last"),
      split: [
        ["sum", [0], { axes: [axis], keepdims: false }],
        ["constant", [], { name: "half" }],
        ["reshape", [1], { shape }],
        ["reshape", [2], { shape }],
        ["multiply", [place, place + 1]],
      ],
    },
  };
}

/** Vectors of means, products, maxima, variances and sorting. */
export const reductions: readonly VectorText[] = [
  {
    name: "more_ties_than_half_precision_counts",
    clause: "6.6",
    defects: ["C21"],
    dtype: "float16",
    note: "the greatest of 66,000 that are alike: a count of them is no float16, and the shares of all are one cotangent",
    inputs: { x: array(1.5) },
    nodes: [
      ["broadcast_to", [0], { shape: [66000] }],
      ["max", [1], { axes: [0], keepdims: false }],
    ],
  },
  {
    name: "row_means",
    clause: "2.5",
    defects: ["A20", "B08"],
    note: "means of rows of three integers: a third each, not a half and not a sixth, and no integer",
    inputs: { x: grid },
    nodes: [["mean", [0], { axes: [1], keepdims: false }]],
    probe: {
      right: { x: [1 / 3, 1 / 3, 1 / 3, 1 / 3, 1 / 3, 1 / 3] },
      wrong: { x: [1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6] },
    },
  },
  {
    name: "mean_of_everything",
    clause: "2.5",
    defects: ["B08"],
    note: "the mean over both axes",
    inputs: { x: grid },
    nodes: [["mean", [0], { axes: [0, 1], keepdims: true }]],
  },
  {
    name: "column_maxima",
    clause: "2.5",
    defects: ["B12"],
    note: "greatest elements of columns: the cotangents come back in the operand's shape, not transposed",
    inputs: {
      x: array([
        [1, 5, 3],
        [4, 2, 6],
      ]),
    },
    nodes: [["max", [0], { axes: [0], keepdims: false }]],
    probe: { right: { x: [0, 1, 0, 1, 0, 1] }, wrong: { x: [0, 1, 1, 0, 0, 1] } },
  },
  {
    name: "row_minima",
    clause: "2.5",
    defects: ["B12"],
    note: "smallest elements of rows, the axis kept",
    inputs: {
      x: array([
        [1, 5, 3],
        [4, 2, 6],
      ]),
    },
    nodes: [["min", [0], { axes: [1], keepdims: true }]],
  },
  {
    name: "product_of_a_zero",
    clause: "2.5",
    defects: ["C11"],
    flags: ["singular"],
    note: "2·0·3·4: the gradient of the zero factor is 24, which no quotient by it gives",
    inputs: { x: array([2, 0, 3, 4]) },
    nodes: [["prod", [0], { axes: [0], keepdims: false }]],
    probe: { right: { x: [0, 24, 0, 0] }, wrong: { x: [0, nan, 0, 0] } },
  },
  {
    name: "product_of_two_zeros",
    clause: "2.5",
    defects: ["C12"],
    flags: ["singular"],
    note: "0·5·0: every gradient is 0, though the product of the others but one is 5",
    inputs: { x: array([0, 5, 0]) },
    nodes: [["prod", [0], { axes: [0], keepdims: false }]],
    probe: { right: { x: [0, 0, 0] }, wrong: { x: [0, 0, 25] } },
  },
  {
    name: "running_product_of_a_zero",
    clause: "2.5",
    defects: ["C13"],
    flags: ["singular"],
    note: "running products of 2, 0, 3, 4: what follows the zero still counts for it",
    inputs: { x: array([2, 0, 3, 4]) },
    nodes: [["cumulative_prod", [0], { axis: 0 }]],
    probe: { right: { x: [1, 32, 0, 0] }, wrong: { x: [1, 0, 0, 0] } },
  },
  {
    name: "running_product_from_zero",
    clause: "2.5",
    defects: ["C14"],
    flags: ["singular"],
    note: "running products of 0, 2, 3: the first gradient is 1 + 2 + 6",
    inputs: { x: array([0, 2, 3]) },
    nodes: [["cumulative_prod", [0], { axis: 0 }]],
    probe: { right: { x: [9, 0, 0] }, wrong: { x: [0, 0, 0] } },
  },
  {
    name: "running_product_of_nothing",
    clause: "1.1",
    defects: ["B20"],
    note: "running products of four empty rows: no elements, and no exception",
    inputs: { x: [[4, 0], []] },
    nodes: [["cumulative_prod", [0], { axis: 1 }]],
  },
  {
    name: "variances_of_rows",
    clause: "2.5",
    note: "variances of rows with n − 1 degrees of freedom",
    inputs: {
      x: array([
        [1, 2, 6],
        [4, -5, 7],
      ]),
    },
    nodes: [["var", [0], { axes: [1], keepdims: false, correction: 1 }]],
  },
  {
    name: "variance_of_one",
    clause: "1.1",
    defects: ["B22"],
    note: "the variance of a single element without correction: 0, with a gradient of 0 in the operand's shape [1,1]",
    inputs: { x: array([[3]]) },
    nodes: [["var", [0], { axes: [0, 1], keepdims: false, correction: 0 }]],
    probe: { right: { x: [0] }, wrong: { x: [nan] } },
  },
  {
    name: "corrected_variance_of_one",
    clause: "3.2",
    defects: ["B22"],
    flags: ["singular"],
    note: "the variance of a single element with n − 1 = 0 degrees of freedom: 0/0 is NaN, or declared to be 0; the shape is [1,1] either way",
    inputs: { x: array([[3]]) },
    nodes: [["var", [0], { axes: [0, 1], keepdims: false, correction: 1 }]],
    policy: {
      name: "varianceOfOne",
      join: "one_of",
      choices: {
        nan: [["var", [0], { axes: [0, 1], keepdims: false, correction: 1 }]],
        zero: [["var", [0], { axes: [0, 1], keepdims: false, correction: 0 }]],
      },
    },
  },
  {
    name: "spread_of_equal_numbers",
    clause: "3.2",
    defects: ["C05"],
    flags: ["kink", "singular"],
    note: "the standard deviation of three equal numbers: a subgradient of zero, or NaN as the chain rule has it",
    inputs: { x: array([2, 2, 2]) },
    nodes: [
      ["var", [0], { axes: [0], keepdims: false, correction: 0 }],
      ["sqrt", [1]],
    ],
    policy: {
      name: "spreadOfEqualNumbers",
      join: "one_of",
      choices: {
        zero: [["var", [0], { axes: [0], keepdims: false, correction: 0 }]],
        chain: [
          ["var", [0], { axes: [0], keepdims: false, correction: 0 }],
          ["sqrt", [1]],
        ],
      },
    },
  },
  {
    name: "norm_of_zero",
    clause: "3.2",
    defects: ["C02"],
    flags: ["kink", "singular"],
    note: "the norm at the zero vector: a subgradient of zero, or NaN as the chain rule has it",
    inputs: { x: array([0, 0]) },
    nodes: [["norm", [0], { axes: [0], keepdims: false }]],
    policy: {
      name: "lengthAtZero",
      join: "one_of",
      choices: {
        zero: [
          ["multiply", [0, 0]],
          ["sum", [1], { axes: [0], keepdims: false }],
        ],
        chain: [
          ["multiply", [0, 0]],
          ["sum", [1], { axes: [0], keepdims: false }],
          ["sqrt", [2]],
        ],
      },
    },
  },
  {
    name: "norm_of_rows",
    clause: "2.5",
    note: "lengths of two rows",
    inputs: {
      x: array([
        [3, 4],
        [-5, 12],
      ]),
    },
    nodes: [["norm", [0], { axes: [1], keepdims: false }]],
  },
  {
    name: "log_sum_of_far_numbers",
    clause: "7.3",
    defects: ["C15"],
    flags: ["overflow"],
    note: "log-sum-exp of −1000, −1000 and −1001: every exponential underflows, the result does not",
    inputs: { x: array([-1000, -1000, -1001]) },
    nodes: [["logsumexp", [0], { axes: [0], keepdims: false }]],
  },
  {
    name: "log_sum_of_minus_infinities",
    clause: "3.2",
    defects: ["C15"],
    flags: ["singular"],
    note: "log-sum-exp where everything is masked with −∞: −∞ with a gradient of zero by declaration, or NaN as −∞ − (−∞) has it",
    inputs: { x: array([Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]) },
    tangents: [array([0, 0])],
    indices: { first: [0] },
    nodes: [["logsumexp", [0], { axes: [0], keepdims: false }]],
    policy: {
      name: "everythingMasked",
      join: "one_of",
      choices: {
        zero: [
          ["take", [0], { axis: 0, indices: "first" }],
          ["reshape", [1], { shape: [] }],
          ["stop_gradient", [2]],
        ],
        nan: [
          ["subtract", [0, 0]],
          ["exp", [1]],
          ["sum", [2], { axes: [0], keepdims: false }],
          ["log", [3]],
        ],
      },
    },
  },
  {
    name: "maximum_of_equals",
    clause: "6.5",
    defects: ["C20"],
    flags: ["tie"],
    note: "the greatest of two equal elements: the first, the last, or half each",
    inputs: { x: array([2, 2]) },
    indices: { first: [0], last: [1] },
    constants: { half: array(0.5) },
    nodes: [["max", [0], { axes: [0], keepdims: false }]],
    policy: greatest("maxAtTie", 3, 0, []),
  },
  {
    name: "greatest_place",
    clause: "2.2",
    defects: ["A19"],
    note: "argmax(t)·z: a place has no derivative, the factor beside it has",
    inputs: { t: array([3, 9, 4]), z: array(5) },
    nodes: [
      ["argmax", [0], { axis: 0, keepdims: false }],
      ["multiply", [2, 1]],
    ],
    probe: { right: { t: [0, 0, 0], z: [1] } },
  },
  {
    name: "greatest_two",
    clause: "2.5",
    defects: ["D23"],
    note: "the two greatest of five: the cotangents go to where those stood",
    inputs: { x: array([1, 2, 6, 4, 5]) },
    nodes: [["top_k", [0], { axis: 0, k: 2 }]],
    probe: { right: { x: [0, 0, 1, 0, 1] }, wrong: { x: [0, 0, 1, 1, 0] } },
  },
  {
    name: "sorted",
    clause: "2.5",
    defects: ["D23"],
    flags: ["hidden_by_ones"],
    note: "a sort that is not its own inverse: the cotangent is put back by the inverse order",
    inputs: { x: array([3, 1, 2]) },
    nodes: [["sort", [0], { axis: 0, descending: false }]],
  },
];
