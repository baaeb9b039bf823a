import { array, question } from "./case_text.ts";
import { type PolicyText, type VectorText, vectors } from "./vector_text.ts";

/** Offers what may happen to the cotangent at a tie of maximum of the inputs 0 and 1. */
const tie: PolicyText = {
  name: "maximumAtTie",
  join: "one_of",
  choices: {
    first: "constant name=half; maximum 0 1",
    second: "constant name=half; maximum 1 0",
    split: "constant name=half; add 0 1; multiply 2 3",
  },
};

const sumOfValid = "constant name=mask; multiply 0 1; sum 2 axes=[0] keepdims=false";
const share = "sum 1 axes=[0] keepdims=false; divide 3 4";

/** Vectors at points where the mathematics leaves a choice: a program for each, none of them wrong. */
export const policies: readonly VectorText[] = vectors({
  "maximum_tie (6.5, C19, C20): maximum(x, y) at x = y: the cotangent goes to one of them or is shared, and its parts add up":
    {
      ...question("maximum 0 1 at x=2 y=2"),
      flags: ["tie"],
      constants: { half: array(0.5) },
      policy: tie,
    },
  "ramp_by_maximum (6.5, C22): maximum(x, 0) at 0: the ramp's corner is the tie of maximum": {
    ...question("maximum 0 1 at x=0 zero=0"),
    flags: ["kink", "tie"],
    constants: { half: array(0.5) },
    policy: tie,
  },
  "absolute_value_by_maximum (6.5, C24): maximum(x, −x) at 0: 1, −1 or between, as the tie is shared out": {
    ...question("negative 0; maximum 0 1 at x=0"),
    flags: ["kink", "tie"],
    policy: {
      name: "maximumAtTie",
      join: "one_of",
      choices: {
        first: "negative 0; maximum 0 1",
        second: "negative 0; maximum 1 0",
        split: "negative 0; add 0 1",
      },
    },
  },
  "relu_corner (6.5, C22): relu at 0: a slope of 0, of 1 or between": {
    ...question("relu 0 at x=0"),
    flags: ["kink"],
    constants: { half: array(0.5) },
    policy: {
      name: "reluAtZero",
      join: "one_of",
      choices: { zero: "relu 0", half: "constant name=half; multiply 0 1", one: "reshape 0 shape=[]" },
    },
  },
  "length_of_zero (3.2, C02): √(x·x) summed, at the zero vector: a subgradient of zero, or NaN as the chain rule has it":
    {
      ...question("multiply 0 0; sum 1 axes=[0] keepdims=false; sqrt 2 at x=[0,0]"),
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
  "square_of_a_length (3.2, C04): a length squared at the zero vector: smooth, but not node by node": {
    ...question("multiply 0 0; sum 1 axes=[0] keepdims=false; sqrt 2; multiply 3 3 at x=[0,0]"),
    flags: ["singular"],
    policy: {
      name: "squaredLengthAtZero",
      join: "one_of",
      choices: {
        simplified: "multiply 0 0; sum 1 axes=[0] keepdims=false",
        chain: "multiply 0 0; sum 1 axes=[0] keepdims=false; sqrt 2; multiply 3 3",
      },
    },
  },
  "root_not_taken (3.8, C01): where(c, √x, y) at x = 0, not taken: zero where a zero cotangent is not sent through the root, NaN (0/0) where it is":
    {
      ...question("sqrt 1; where 0 3 2 at c=0 x=0 y=5"),
      flags: ["singular"],
      policy: {
        name: "zeroCotangent",
        join: "one_of",
        choices: { absorbs: "where 0 1 2", multiplies: "sqrt 1; where 0 3 2" },
      },
    },
  "logarithm_not_taken (3.8, C33): where(c, log x, y) at x = 0, not taken: a repaired value whose gradient may still be NaN":
    {
      ...question("log 1; where 0 3 2 at c=0 x=0 y=5"),
      flags: ["singular"],
      policy: {
        name: "zeroCotangent",
        join: "one_of",
        choices: { absorbs: "where 0 1 2", multiplies: "log 1; where 0 3 2" },
      },
    },
  "mean_of_nothing_valid (3.2, C18): a masked mean whose mask is all zeros: 0/0 is NaN, or is declared to be zero":
    {
      flags: ["singular"],
      inputs: { x: array([2, 3]) },
      constants: { mask: array([0, 0]) },
      nodes: [sumOfValid, share],
      policy: {
        name: "meanOfNothing",
        join: "one_of",
        choices: { zero: sumOfValid, nan: [sumOfValid, share] },
      },
    },
});
