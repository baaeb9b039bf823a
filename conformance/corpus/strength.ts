import { question, tensor } from "./case_text.ts";
import { strengthNetworks } from "./strength_networks.ts";
import { strengthArrangements, strengthPoints } from "./strength_points.ts";
import { type VectorText, vectors } from "./vector_text.ts";

/** Vectors without which a planted fault of `engines/mutants` would pass the suite; `npm run power` tells. */
export const strength: readonly VectorText[] = [
  ...vectors({
    "reshape_of_a_shared_operand (3.4): reshape, and a later reader of its operand: what that brings belongs to the operand alone":
      "reshape 0 shape=[2,1]; negative 0 at x=[1,2] seeded 1=[[3],[5]] 2=[7,11]",
    "inputs_read_in_reverse (1.4): the second input is read first: cotangents come back in the order of the inputs, not of their use":
      "divide 1 0 at x=3 y=4 seeded 2=5",
    "seed_with_a_zero (3.2): a cotangent whose first element is zero is not a zero cotangent":
      "negative 0 at x=[1,2,4] seeded 1=[0,3,-0]",
    "product_of_a_product (2.5): x·(x·y): the later product must leave the operand's value as it was":
      "multiply 0 1; multiply 0 2 at x=3 y=7 seeded 3=5",
    "concat_inner_axis (2.5): operands of unequal extents side by side, so that their elements alternate":
      "concat 0 1 2 axis=1 at x=[[1],[2]] y=[[3,4],[5,6]] z=[[7],[8]] seeded 3=[[1,2,3,5],[7,11,13,17]]",
    "concat_empty_first (1.1): an operand without elements before the others moves nothing":
      "concat 0 1 axis=1 at x=[[],[]] y=[[3,4],[5,6]] seeded 2=[[1,2],[3,5]]",
    "permutation_of_all_axes (2.5): a three-cycle of axes, none of extent 1: neither the identity nor its own inverse, in memory too":
      {
        ...question("permute_dims 0 axes=[1,2,0] at x=[[[1,2],[3,4],[5,6]],[[7,8],[9,10],[11,12]]]"),
        seeds: { 1: tensor([3, 2, 2], [1, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31]) },
      },
    "reshape_rows (2.5): a matrix read row by row into another shape":
      "reshape 0 shape=[3,2] at x=[[1,2,3],[4,5,6]] seeded 1=[[1,2],[3,5],[7,11]]",
    "sum_of_two_axes (2.5): the outer axes summed, the later one named first":
      "sum 0 axes=[2,0] keepdims=false at x=[[[1,2],[4,8],[16,32]],[[64,128],[256,512],[1024,2048]]]",
    "sum_leading_axis (2.5): the first axis summed: the cotangent is repeated row by row":
      "sum 0 axes=[0] keepdims=false at x=[[1,2,3],[4,5,6]]",
    "sum_beyond_single (7.3): 1 + 2⁻³⁰ is a float64 and no float32: a sum is accumulated in the precision asked for":
      { inputs: { x: [[3], [1, 2 ** -30, 2 ** -30]] }, nodes: "sum 0 axes=[0] keepdims=false" },
    "product_beyond_single (7.3): (1 + 2⁻²⁰)² needs 41 bits": {
      inputs: { x: [[], [1 + 2 ** -20]] },
      nodes: "multiply 0 0",
    },
    "broadcast_to_a_square (2.5): a vector to a square matrix: shapes are aligned at their last axes, though the first would fit too":
      "broadcast_to 0 shape=[2,2] at x=[1,2] seeded 1=[[1,2],[3,5]]",
    "relu_large (6.4): relu has no upper end": "relu 0 at x=[5,7,1000]",
    "where_by_any_number (6.4): a condition holds unless it is zero: negative numbers and fractions choose the first operand":
      "where 0 1 2 at c=[-1,0,2,0.5,-0] x=[1,2,3,4,5] y=[6,7,8,9,10]",
    "where_beside_an_infinity (6.4): where(c, x, log 0): the value that was not chosen does not show":
      "log 2; where 0 1 3 at c=1 x=2 y=0",
    "differences_both_ways (2.5): x − y and y − x have the same operands and are two nodes":
      "subtract 0 1; subtract 1 0; exp 3 at x=2 y=5 seeded 2=3 4=5",
    "value_read_in_forward_mode (6.3): (exp x)²: the tangent of the product needs the value of exp in full precision":
      "exp 0; multiply 1 1 at x=1",
    "slice_of_one_element (2.5): a slice that keeps one element of six hands its cotangent to that one":
      "slice 0 starts=[1,0] stops=[2,3] steps=[1,3] at x=[[1,2,3],[4,5,6]]",
    "cumulative_sum_of_rows (2.5): each row of a matrix begins its own cumulative sum":
      "cumulative_sum 0 axis=1 at x=[[1,2,3],[4,5,6]] seeded 1=[[1,2,3],[5,7,11]]",
    "full_beyond_single (7.3): a number among the attributes is a float64":
      "full shape=[] value=0.1; multiply 0 1 at x=3 seeded 2=5",
  }),
  ...strengthPoints,
  ...strengthArrangements,
  ...strengthNetworks,
];
