import { array, question } from "./case_text.ts";
import { type VectorText, vectors } from "./vector_text.ts";

const nan = Number.NaN;

/** Vectors at points where a formula breaks down though the function does not, or only a guard saves it. */
export const singular: readonly VectorText[] = vectors({
  "infinite_cotangent_not_taken (6.4, C01): √where(c, x, y) at x = 0: the cotangent is infinite, and y, which was not taken, gets zero and not 0·∞":
    {
      ...question("where 0 1 2; sqrt 3 at c=1 x=0 y=3"),
      flags: ["singular"],
      probe: { right: { y: [0] }, wrong: { y: [nan] } },
    },
  "guarded_root (6.4, C01): where(c, √where(c, x, 1), 0) at x = 0: guarded on both sides, the root is never asked at 0":
    {
      ...question("constant name=one; where 0 1 2; sqrt 3; constant name=zero; where 0 4 5 at c=0 x=0"),
      constants: { one: array(1), zero: array(0) },
      probe: { right: { x: [0] }, wrong: { x: [nan] } },
    },
  "guarded_logarithm (6.4, C33): log of 0 and of −2, replaced before the logarithm: value and gradient are repaired alike":
    {
      ...question("constant name=one; where 0 1 2; log 3 at c=[0,1,0] x=[0,2,-2]"),
      constants: { one: array([1, 1, 1]) },
      probe: { right: { x: [0, 0.5, 0] }, wrong: { x: [nan, 0.5, nan] } },
    },
  "constant_branch (6.4, C40): x or the constant 0: that one branch is constant says nothing of the other": {
    ...question("constant name=zero; where 0 1 2 at c=1 x=2"),
    constants: { zero: array(0) },
    probe: { right: { x: [1] }, wrong: { x: [0] } },
  },
  "constant_branch_taken (6.4, C40): where each branch is taken once: zero where the constant is": {
    ...question("constant name=zero; where 0 1 2 at c=[0,1] x=[2,3]"),
    constants: { zero: array([0, 0]) },
  },
  "squared_length_at_zero (2.5, C04): x·x summed at the zero vector: smooth, with gradient zero, unless it is taken for the square of a root":
    {
      ...question("multiply 0 0; sum 1 axes=[0] keepdims=false at x=[0,0]"),
      probe: { right: { x: [0, 0] }, wrong: { x: [nan, nan] } },
    },
  "square_at_zero (2.5, C41): x·x at 0, −0 and −3: a square has a slope everywhere, its logarithm does not": {
    ...question("multiply 0 0 at x=[0,-0,-3]"),
    probe: { right: { x: [0, 0, -6] }, wrong: { x: [nan, nan, nan] } },
  },
  "product_with_a_zero (2.5, C11): 2·0·3·4 factor by factor: the gradient of the zero factor is 24, of the others 0":
    {
      ...question("multiply 0 1; multiply 4 2; multiply 5 3 at a=2 b=0 c=3 d=4"),
      probe: { right: { a: [0], b: [24], c: [0], d: [0] }, wrong: { b: [nan] } },
    },
  "tanh_saturated (7.3, C29): tanh at ±100: flat, where cosh would overflow": {
    ...question("tanh 0 at x=[100,-100]"),
    dtype: "float32",
    flags: ["underflow"],
    probe: { right: { x: [0, 0] }, wrong: { x: [nan, nan] } },
  },
  "tanh_at_zero (7.3, D30): the slope of tanh at 0 is exactly 1": {
    ...question("tanh 0 at x=0"),
    probe: { right: { x: [1] }, wrong: { x: [0.99919701] } },
  },
  "reciprocal_of_a_tiny_number (7.3, C28): x/y with y = 2⁻⁷⁰: y² underflows in float32, the slope −x/y² does not overflow":
    {
      dtype: "float32",
      flags: ["underflow"],
      inputs: { x: array(2 ** -60), y: array(2 ** -70) },
      nodes: "divide 0 1",
    },
  "sigmoid_by_hand (7.3, C30): 1/(1 + exp(−x)) at ±20, spelled with a quotient": {
    ...question("negative 0; exp 1; constant name=one; add 3 2; divide 3 4 at x=[20,-20]"),
    constants: { one: array([1, 1]) },
  },
});
