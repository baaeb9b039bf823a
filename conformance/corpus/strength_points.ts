import { type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { question } from "./case_text.ts";
import { type VectorText, vectors } from "./vector_text.ts";

type Asked = Pick<VectorText, "inputs" | "nodes" | "seeds">;

/** Asks an elementwise operator, with a cotangent for each point. */
function applied(text: string): Asked {
  const { inputs, nodes } = question(text);
  const operands = Object.values(inputs);
  const [shape, elements] = operands[0] ?? [[], []];
  return { inputs, nodes, seeds: { [operands.length]: [shape, elements.map((_, i) => 1.5 + i / 4)] } };
}

/** Asks an operator of one tensor whose result has the shape `to`, with generic cotangents. */
function arranged(to: Shape, text: string): Asked {
  const cotangents = Array.from({ length: sizeOf(to) }, (_, i) => 1.5 + i * i);
  return { ...question(text), seeds: { 1: [to, cotangents] } };
}

/** Vectors of elementwise operators that expose a planted fault: each point with its own cotangent. */
export const strengthPoints: readonly VectorText[] = vectors({
  "pow_negative_base (2.5): whole powers of negative numbers have a value, which no logarithm gives": applied(
    "pow 0 1 at x0=[-2,-3,-0.5] x1=[2,3,1]",
  ),
  "pow_exponent_zero (2.5): x⁰ is constant in x, at 0 too": applied("pow 0 1 at x0=[0,2] x1=[0,0]"),
  "pow_base_zero (2.5): 0² is constant in the exponent: 0 · log 0 counts as 0": applied(
    "pow 0 1 at x0=[0,0] x1=[2,3]",
  ),
  "equal_signed_zeros (2.5): 0 and −0 are equal numbers": applied("equal 0 1 at x0=[0,-0,1,2] x1=[-0,0,1,3]"),
  "less_equal_ties (2.5): less_equal on both sides of a tie and at it": applied(
    "less_equal 0 1 at x0=[1,2,3] x1=[2,2,2]",
  ),
  "logical_or_both (2.5): the truth of two truths is 1": applied(
    "logical_or 0 1 at x0=[1,0,2,0] x1=[1,0,0,-3]",
  ),
  "abs_at_zero (2.5): |x| on both sides and at 0": applied("abs 0 at x0=[0,2,-3]"),
  "square (2.5): x² reads x twice": applied("square 0 at x0=[3,-5]"),
  "minimum_ties (2.5): ties of minimum, by the convention for ties": applied(
    "minimum 0 1 at x0=[1,2,5] x1=[1,3,4]",
  ),
  "clip_at_bounds (2.5): inside, outside and at the bounds: there the cotangent belongs to x": applied(
    "clip 0 1 2 at x0=[1,3,2,0,9] x1=[1,1,1,1,1] x2=[3,3,3,3,3]",
  ),
  "remainder_signs (2.5): the remainder has the sign of the divisor, and the divisor a derivative": applied(
    "remainder 0 1 at x0=[7,-7,7,-7] x1=[3,3,-3,-3]",
  ),
  "copysign_of_negative (2.5): the derivative is −1 where a sign is turned": applied(
    "copysign 0 1 at x0=[-5,5,-5,5] x1=[3,-3,-3,3]",
  ),
  "round_halves (2.5): halves are rounded to even": applied(
    "round 0 at x0=[0.5,1.5,2.5,-0.5,-1.5,2.25,-2.75]",
  ),
  "sigmoid (2.5): s · (1 − s)": applied("sigmoid 0 at x0=[-2,0.5,3]"),
  "silu (2.5): x · sigmoid x: both factors have a derivative": applied("silu 0 at x0=[-2,0.5,3]"),
  "softplus_large (2.5): softplus is not yet x at 5 or 20": applied("softplus 0 at x0=[-3,1,5,20]"),
  "leaky_relu_steep (2.5): a slope over one, and one below zero: the operand decides, not the result":
    applied("leaky_relu 0 slope=2 at x0=[-1,1]"),
  "elu_alpha (2.5): left of 0 the derivative is α · eˣ": applied("elu 0 alpha=1.5 at x0=[-2,1]"),
  "gelu_erf (2.5): gelu by the error function, of which others are approximations": applied(
    "gelu 0 approximate=none at x0=[-1,1,2]",
  ),
  "logaddexp_both (2.5): the derivatives of logaddexp sum to 1": applied(
    "logaddexp 0 1 at x0=[1,3,2] x1=[2,1,2]",
  ),
});

/** Vectors of moves and reductions that expose a planted fault: one node, generic cotangents. */
export const strengthArrangements: readonly VectorText[] = vectors({
  "mean_of_rows (2.5): the mean of three of six": arranged(
    [2],
    "mean 0 axes=[1] keepdims=false at x=[[2,-3,4],[5,7,-6]]",
  ),
  "prod_of_signs (2.5): a product of both signs": arranged(
    [2],
    "prod 0 axes=[1] keepdims=false at x=[[2,-3,4],[5,7,-6]]",
  ),
  "norm_of_rows (2.5): nothing is added below the root": arranged(
    [2],
    "norm 0 axes=[1] keepdims=false at x=[[2,-3,4],[5,7,-6]]",
  ),
  "var_corrected (2.5): the sum of squares divided by two, not three": arranged(
    [2],
    "var 0 axes=[1] keepdims=false correction=1 at x=[[2,-3,4],[5,7,-6]]",
  ),
  "max_ties (2.5): several largest elements: the first receives the cotangent": arranged(
    [2],
    "max 0 axes=[1] keepdims=false at x=[[4,4,1],[2,5,5]]",
  ),
  "cumulative_prod_of_signs (2.5): products of both signs, row by row": arranged(
    [2, 3],
    "cumulative_prod 0 axis=1 at x=[[2,-3,4],[5,7,-6]]",
  ),
  "flip_rows (2.5): the first row last": arranged([3, 3], "flip 0 axes=[0] at x=[[1,2,3],[4,5,6],[7,8,9]]"),
  "roll_by_one (2.5): to the right": arranged([3, 3], "roll 0 shift=1 axis=1 at x=[[1,2,3],[4,5,6],[7,8,9]]"),
  "tril (2.5): what is cut off receives nothing": arranged(
    [3, 3],
    "tril 0 offset=0 at x=[[1,2,3],[4,5,6],[7,8,9]]",
  ),
  "triu (2.5): nothing below the diagonal is kept": arranged(
    [3, 3],
    "triu 0 offset=0 at x=[[1,2,3],[4,5,6],[7,8,9]]",
  ),
  "sort_rows (2.5): the cotangent goes back to where an element came from": arranged(
    [2, 3],
    "sort 0 axis=1 descending=false at x=[[2,-3,4],[5,7,-6]]",
  ),
  "trace_beside (2.5): the next diagonal": arranged([], "trace 0 offset=1 at x=[[1,2,3],[4,5,6],[7,8,9]]"),
});
