import { array, question, rows } from "./case_text.ts";
import { type PolicyText, type VectorText, vectors } from "./vector_text.ts";

const nan = Number.NaN;
const grid = rows([1, 2, 3], [4, 5, 6]);

/** Offers the elements that may be the greatest of two equal ones. */
const greatest: PolicyText = {
  name: "maxAtTie",
  join: "one_of",
  choices: {
    first: "take 0 axis=0 indices=first; reshape 1 shape=[]",
    last: "take 0 axis=0 indices=last; reshape 1 shape=[]",
    split: [
      "sum 0 axes=[0] keepdims=false; constant name=half; reshape 1 shape=[]; reshape 2 shape=[]",
      "multiply 3 4",
    ],
  },
};

/** Vectors of means, products, maxima, variances and sorting. */
export const reductions: readonly VectorText[] = vectors({
  "more_ties_than_half_precision_counts (6.6, C21): the greatest of 66,000 that are alike: a count of them is no float16, and the shares of all are one cotangent":
    { ...question("broadcast_to 0 shape=[66000]; max 1 axes=[0] keepdims=false at x=1.5"), dtype: "float16" },
  "row_means (2.5, A20, B08): means of rows of three integers: a third each, not a half and not a sixth, and no integer":
    {
      inputs: { x: grid },
      nodes: "mean 0 axes=[1] keepdims=false",
      probe: {
        right: { x: [1 / 3, 1 / 3, 1 / 3, 1 / 3, 1 / 3, 1 / 3] },
        wrong: { x: [1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6] },
      },
    },
  "mean_of_everything (2.5, B08): the mean over both axes": {
    inputs: { x: grid },
    nodes: "mean 0 axes=[0,1] keepdims=true",
  },
  "column_maxima (2.5, B12): greatest elements of columns: the cotangents come back in the operand's shape, not transposed":
    {
      ...question("max 0 axes=[0] keepdims=false at x=[[1,5,3],[4,2,6]]"),
      probe: { right: { x: [0, 1, 0, 1, 0, 1] }, wrong: { x: [0, 1, 1, 0, 0, 1] } },
    },
  "row_minima (2.5, B12): smallest elements of rows, the axis kept":
    "min 0 axes=[1] keepdims=true at x=[[1,5,3],[4,2,6]]",
  "product_of_a_zero (2.5, C11): 2·0·3·4: the gradient of the zero factor is 24, which no quotient by it gives":
    {
      ...question("prod 0 axes=[0] keepdims=false at x=[2,0,3,4]"),
      flags: ["singular"],
      probe: { right: { x: [0, 24, 0, 0] }, wrong: { x: [0, nan, 0, 0] } },
    },
  "product_of_two_zeros (2.5, C12): 0·5·0: every gradient is 0, though the product of the others but one is 5":
    {
      ...question("prod 0 axes=[0] keepdims=false at x=[0,5,0]"),
      flags: ["singular"],
      probe: { right: { x: [0, 0, 0] }, wrong: { x: [0, 0, 25] } },
    },
  "running_product_of_a_zero (2.5, C13): running products of 2, 0, 3, 4: what follows the zero still counts for it":
    {
      ...question("cumulative_prod 0 axis=0 at x=[2,0,3,4]"),
      flags: ["singular"],
      probe: { right: { x: [1, 32, 0, 0] }, wrong: { x: [1, 0, 0, 0] } },
    },
  "running_product_from_zero (2.5, C14): running products of 0, 2, 3: the first gradient is 1 + 2 + 6": {
    ...question("cumulative_prod 0 axis=0 at x=[0,2,3]"),
    flags: ["singular"],
    probe: { right: { x: [9, 0, 0] }, wrong: { x: [0, 0, 0] } },
  },
  "running_product_of_nothing (1.1, B20): running products of four empty rows: no elements, and no exception":
    "cumulative_prod 0 axis=1 at x=[[],[],[],[]]",
  "variances_of_rows (2.5): variances of rows with n − 1 degrees of freedom":
    "var 0 axes=[1] keepdims=false correction=1 at x=[[1,2,6],[4,-5,7]]",
  "variance_of_one (1.1, B22): the variance of a single element without correction: 0, with a gradient of 0 in the operand's shape [1,1]":
    {
      ...question("var 0 axes=[0,1] keepdims=false correction=0 at x=[[3]]"),
      probe: { right: { x: [0] }, wrong: { x: [nan] } },
    },
  "corrected_variance_of_one (3.2, B22): the variance of a single element with n − 1 = 0 degrees of freedom: 0/0 is NaN, or declared to be 0; the shape is [1,1] either way":
    {
      ...question("var 0 axes=[0,1] keepdims=false correction=1 at x=[[3]]"),
      flags: ["singular"],
      policy: {
        name: "varianceOfOne",
        join: "one_of",
        choices: {
          nan: "var 0 axes=[0,1] keepdims=false correction=1",
          zero: "var 0 axes=[0,1] keepdims=false correction=0",
        },
      },
    },
  "spread_of_equal_numbers (3.2, C05): the standard deviation of three equal numbers: a subgradient of zero, or NaN as the chain rule has it":
    {
      ...question("var 0 axes=[0] keepdims=false correction=0; sqrt 1 at x=[2,2,2]"),
      flags: ["kink", "singular"],
      policy: {
        name: "spreadOfEqualNumbers",
        join: "one_of",
        choices: {
          zero: "var 0 axes=[0] keepdims=false correction=0",
          chain: "var 0 axes=[0] keepdims=false correction=0; sqrt 1",
        },
      },
    },
  "norm_of_zero (3.2, C02): the norm at the zero vector: a subgradient of zero, or NaN as the chain rule has it":
    {
      ...question("norm 0 axes=[0] keepdims=false at x=[0,0]"),
      flags: ["kink", "singular"],
      policy: {
        name: "lengthAtZero",
        join: "one_of",
        choices: {
          zero: "multiply 0 0; sum 1 axes=[0] keepdims=false",
          chain: "multiply 0 0; sum 1 axes=[0] keepdims=false; sqrt 2",
        },
      },
    },
  "norm_of_rows (2.5): lengths of two rows": "norm 0 axes=[1] keepdims=false at x=[[3,4],[-5,12]]",
  "log_sum_of_far_numbers (7.3, C15): log-sum-exp of −1000, −1000 and −1001: every exponential underflows, the result does not":
    { ...question("logsumexp 0 axes=[0] keepdims=false at x=[-1000,-1000,-1001]"), flags: ["overflow"] },
  "log_sum_of_minus_infinities (3.2, C15): log-sum-exp where everything is masked with −∞: −∞ with a gradient of zero by declaration, or NaN as −∞ − (−∞) has it":
    {
      flags: ["singular"],
      inputs: { x: array([Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]) },
      tangents: [array([0, 0])],
      indices: { first: [0] },
      nodes: "logsumexp 0 axes=[0] keepdims=false",
      policy: {
        name: "everythingMasked",
        join: "one_of",
        choices: {
          zero: "take 0 axis=0 indices=first; reshape 1 shape=[]; stop_gradient 2",
          nan: "subtract 0 0; exp 1; sum 2 axes=[0] keepdims=false; log 3",
        },
      },
    },
  "maximum_of_equals (6.5, C20): the greatest of two equal elements: the first, the last, or half each": {
    ...question("max 0 axes=[0] keepdims=false at x=[2,2] where first=[0] last=[1]"),
    flags: ["tie"],
    constants: { half: array(0.5) },
    policy: greatest,
  },
  "greatest_place (2.2, A19): argmax(t)·z: a place has no derivative, the factor beside it has": {
    ...question("argmax 0 axis=0 keepdims=false; multiply 2 1 at t=[3,9,4] z=5"),
    probe: { right: { t: [0, 0, 0], z: [1] } },
  },
  "greatest_two (2.5, D23): the two greatest of five: the cotangents go to where those stood": {
    ...question("top_k 0 axis=0 k=2 at x=[1,2,6,4,5]"),
    probe: { right: { x: [0, 0, 1, 0, 1] }, wrong: { x: [0, 0, 1, 1, 0] } },
  },
  "sorted (2.5, D23): a sort that is not its own inverse: the cotangent is put back by the inverse order": {
    ...question("sort 0 axis=0 descending=false at x=[3,1,2]"),
    flags: ["hidden_by_ones"],
  },
});
