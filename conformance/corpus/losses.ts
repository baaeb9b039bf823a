import { array, question, rows } from "./case_text.ts";
import { type VectorText, vectors } from "./vector_text.ts";

const nan = Number.NaN;

/** Vectors of losses, where a divisor, a mask or a target that does not sum to 1 goes wrong. */
export const losses: readonly VectorText[] = vectors({
  "summed_cross_entropy (2.5, D27): the summed loss of two rows: softmax less one-hot, not half of it": {
    inputs: { x: rows([0, 0], [0, 0]) },
    constants: { targets: rows([-1, 0], [0, -1]) },
    nodes: ["log_softmax 0 axis=1; constant name=targets; multiply 1 2", "sum 3 axes=[0,1] keepdims=false"],
    probe: { right: { x: [-0.5, 0.5, 0.5, -0.5] }, wrong: { x: [-0.25, 0.25, 0.25, -0.25] } },
  },
  "cross_entropy_of_two_rows (2.5, D27): the mean over two rows: half of softmax less one-hot": {
    ...question("cross_entropy 0 labels=labels at x=[[0,0],[0,0]] where labels=[0,1]"),
    probe: { right: { x: [-0.25, 0.25, 0.25, -0.25] }, wrong: { x: [-0.5, 0.5, 0.5, -0.5] } },
  },
  "target_of_zeros (2.5, D28): a row whose target is zero throughout: no loss and no gradient, though softmax is not zero":
    {
      inputs: { x: array([0.1, 0.9]) },
      constants: { target: array([-0, -0]) },
      nodes: "log_softmax 0 axis=0; constant name=target; multiply 1 2; sum 3 axes=[0] keepdims=false",
      probe: { right: { x: [0, 0] }, wrong: { x: [0.31, 0.69] } },
    },
  "target_of_two (2.5, D28): a target that sums to 3: the softmax is weighted by that sum": {
    inputs: { x: array([0, 0]) },
    constants: { target: array([-1, -2]) },
    nodes: "log_softmax 0 axis=0; constant name=target; multiply 1 2; sum 3 axes=[0] keepdims=false",
    probe: { right: { x: [0.5, -0.5] }, wrong: { x: [-0.5, -1.5] } },
  },
  "impossible_class_not_wanted (3.2, C17): a logit of −∞ for a class whose target is 0: 0·log 0 is NaN, or a masked product is declared to be 0":
    {
      flags: ["singular"],
      inputs: { x: array([0, Number.NEGATIVE_INFINITY]) },
      tangents: [array([0, 0])],
      constants: { target: array([-1, 0]) },
      indices: { wanted: [0] },
      nodes: "log_softmax 0 axis=0; constant name=target; multiply 1 2; sum 3 axes=[0] keepdims=false",
      policy: {
        name: "zeroTimesInfinity",
        join: "one_of",
        choices: {
          zero: [
            "constant name=target; multiply 1 1; where 1 0 2; stop_gradient 3",
            "sum 4 axes=[0] keepdims=false",
          ],
          nan: "subtract 0 0; sum 1 axes=[0] keepdims=false; multiply 2 2",
        },
      },
    },
  "huber_on_both_sides (2.5): the Huber loss within and beyond its delta, on both sides":
    "huber 0 1 delta=1 at x=[0.5,4,-3] y=[0,1,1]",
  "mean_squared_error (2.5, D27): the mean of three squares: two thirds of the difference each":
    "mse 0 1 at x=[1,2,4] y=[0,5,1]",
  "binary_logits_far_out (7.3, C30): binary cross-entropy at logits of ±800: exp overflows, loss and slopes do not":
    {
      ...question("bce_with_logits 0 1 at x=[800,-800] y=[1,0]"),
      flags: ["overflow"],
      probe: { right: { x: [0, 0] }, wrong: { x: [nan, nan] } },
    },
});
