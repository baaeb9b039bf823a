import { type NodeText, question, tensor } from "./case_text.ts";
import { type VectorText, vectors } from "./vector_text.ts";

/** Vectors of the graph structures that differentiation gets wrong, one structure each. */
export const structures: readonly VectorText[] = vectors({
  "fan_out (3.4, A01): a value read by two nodes: both cotangents arrive, and add up":
    "negative 0; multiply 0 1 at a=3 seeded 2=5",
  "same_operand_twice (2.3, A01): b = a + a: both operand slots contribute (micrograd's first defect)": {
    ...question("add 0 0 at a=3 seeded 1=5"),
    probe: { right: { a: [2] }, wrong: { a: [1] } },
  },
  "cube (2.3, A02): x·x·x: an operand in several slots of several nodes":
    "multiply 0 0; multiply 1 0 at x=7 seeded 2=0.5",
  "diamond (4.8, A05): two paths from y to the end; a node must wait for all its readers": {
    inputs: { x: [[], [2]] },
    constants: { three: [[], [3]], two: [[], [2]], five: [[], [5]] },
    nodes: [
      "constant name=three; multiply 1 0; constant name=two; multiply 3 2; constant name=five",
      "multiply 5 2; add 4 6",
    ],
    seeds: { 7: [[], [1.5]] },
    probe: { right: { x: [21] }, wrong: { x: [6] } },
  },
  "stacked_diamonds (4.8, A03): four doublings in a row: recursion once per path counts sixteen times too often":
    "add 0 0; add 1 1; add 2 2; add 3 3 at x=1",
  "unused_input (2.3, A15): an input nobody reads: its cotangent is zero, not missing and not garbage":
    "negative 0 at x=[1,2] y=[4,5,6]",
  "unused_node (3.8): a node that no seed reaches changes nothing":
    "negative 0; multiply 0 0 at x=2 seeded 1=3",
  "unreached_singular_node (3.8, A14): log(0) on a branch that no seed reaches: 0·∞ belongs to the dense form alone":
    "log 0; negative 0 at x=0",
  "seed_on_an_intermediate (3.2): a seeded id that a later node reads: the seed and the contribution add up":
    "multiply 0 0; negative 1 at x=2 seeded 1=3 2=5",
  "seed_on_an_input (3.3): a seed on an input is part of its cotangent":
    "multiply 0 0 at x=[2,3] seeded 0=[3,7] 1=[5,11]",
  "several_outputs (3.2): three seeds at once on nodes that share an operand":
    "multiply 0 1; add 0 1; subtract 0 1 at x=2 y=3 seeded 2=3 3=5 4=7",
  "equal_inputs (1.4, A07): two inputs with equal values are two inputs (hash-consing merges them)": {
    ...question("add 0 1 at w1=3 w2=3 seeded 2=5"),
    probe: { right: { w1: [1], w2: [1] }, wrong: { w1: [2], w2: [2] } },
  },
  "no_nodes (3.2): a graph of inputs alone: the cotangent is the seed": {
    inputs: { x: [[2], [1, 2]] },
    nodes: [],
  },
  "zero_size (1.1, B20): tensors without elements through a product and a sum: the empty sum is zero": {
    inputs: { x: [[0, 3], []], y: [[], [2]] },
    nodes: "multiply 0 0; sum 2 axes=[0,1] keepdims=false; multiply 3 1",
    seeds: { 4: [[], [5]] },
  },
  "empty_contraction (1.1, B20): a matrix product over an inner extent of 0 is zero, and pulls back nothing":
    { inputs: { x: [[2, 0], []], y: [[0, 3], []] }, nodes: "matmul 0 1" },
  "long_chain (4.8): a chain of 200 nodes": {
    inputs: { x: [[], [0.5]] },
    nodes: Array.from(
      { length: 200 },
      (_, i): NodeText => (i % 2 === 0 ? ["negative", [i]] : ["add", [i, 0]]),
    ),
    seeds: { 200: [[], [3]] },
  },
  "broadcast_new_axis (2.5, B01): a bias added to each row: its cotangent is summed over rows": {
    ...question("broadcast_to 1 shape=[2,3]; add 0 2 at x=[[0,1,2],[3,4,5]] b=[1,2,4]"),
    probe: { right: { b: [2, 2, 2] } },
  },
  "broadcast_extent_one (2.5): an axis of extent 1 stretched inside: summed with the axis kept":
    "broadcast_to 0 shape=[2,3,2] at x=[[[1,2]],[[3,4]]]",
  "summed_axis_restored (2.5, B07): a weighted sum over axis 1 of a square matrix: the cotangent goes back along that axis and no other":
    {
      inputs: { x: tensor([2, 2], [1, 2, 3, 4]) },
      constants: { w: [[2], [1, 10]] },
      nodes: [
        "sum 0 axes=[1] keepdims=false; constant name=w; multiply 1 2",
        "sum 3 axes=[0] keepdims=false",
      ],
      probe: { right: { x: [1, 1, 10, 10] }, wrong: { x: [1, 10, 1, 10] } },
    },
  "sum_keepdims (2.5): the same with the axis kept": "sum 0 axes=[1] keepdims=true at x=[[1,2,3],[4,5,6]]",
  "repeated_index (2.5, D18): an index taken three times: its cotangents add up, they do not overwrite each other":
    "take 0 axis=0 indices=i at x=[1,2,3,4] where i=[2,0,2,2]",
  "take_inner_axis (2.5): taking along the second of three axes":
    "take 0 axis=1 indices=i at x=[[[1,2],[3,4],[5,6]],[[7,8],[9,10],[11,12]]] where i=[2,2]",
  "three_cycle (2.5): a permutation that is not its own inverse":
    "permute_dims 0 axes=[1,2,0] at x=[[[1,2,3],[4,5,6]]]",
  "concat_unequal (2.5): three parts of extents 1, 0 and 2, one of them twice": {
    inputs: { x: tensor([1, 2], [1, 2]), y: [[0, 2], []], z: tensor([2, 2], [3, 4, 5, 6]) },
    nodes: "concat 0 1 2 0 axis=0",
  },
  "batched_matmul (2.5, B04): a stack of matrices by a stack that is one matrix repeated: the cotangent is summed over the stack":
    {
      inputs: { a: tensor([2, 2, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]), w: tensor([3, 1], [1, 2, 4]) },
      nodes: "broadcast_to 1 shape=[2,3,1]; matmul 0 2",
    },
  "square_matmul (2.5): a matrix times itself, where a forgotten transpose fits the shapes":
    "matmul 0 0 at x=[[1,2],[3,4]]",
  "stop_gradient_one_branch (2.6, F05): x·stop(x): the stopped branch hands nothing on, the other does": {
    ...question("stop_gradient 0; multiply 0 1 at x=2 seeded 2=5"),
    probe: { right: { x: [2] }, wrong: { x: [4] } },
  },
  "where_guards_a_singularity (6.4): where(x, log(x), x): only the chosen operand counts, elementwise":
    "log 0; where 1 2 0 at x=[1,2,4] c=[1,0,1]",
  "maximum_ties (6.5): ties of maximum, judged by the convention that the engine declares":
    "maximum 0 1 at x=[1,2,0,-3] y=[1,3,0,-5]",
  "maximum_of_itself (6.5, C19): maximum(x, x): the whole cotangent arrives, however a tie is shared out": {
    ...question("maximum 0 0 at x=[1,-2]"),
    probe: { right: { x: [1, 1] }, wrong: { x: [2, 2] } },
  },
  "relu_at_zero (6.5, C22): relu at 0, −0 and on both sides, judged by the convention that the engine declares":
    "relu 0 at x=[0,-0,2,-2]",
  "slice_backwards (2.5, B18): rows from the last to the first, and every second column of five: 2 does not divide 5":
    "slice 0 starts=[-1,0] stops=[-3,5] steps=[-1,2] at x=[[1,2,3,4,5],[6,7,8,9,10]]",
  "slice_empty (1.1, B20): a slice that ends before it begins: nothing, and a cotangent of zeros":
    "slice 0 starts=[3] stops=[1] steps=[1]; sum 1 axes=[0] keepdims=false at x=[1,2,3,4] seeded 2=5",
  "pad_interior (2.5, D25): zeros between elements: the cotangents are read with the same stride":
    "pad 0 low=[0,1] high=[1,0] interior=[0,1] at x=[[1,2,3],[4,5,6]]",
  "take_along_axis_repeated (2.5, D18): one index for each place, some of them twice in a row: their cotangents add up":
    "take_along_axis 0 axis=1 indices=i at x=[[1,2,3],[4,5,6]] where i=[[2,0,2,2],[0,1,1,0]]",
  "gather_full_depth (2.5, D19): rows of indices as long as the rank pick single elements, one of them three times":
    "gather 0 indices=i at x=[[1,2,3],[4,5,6]] where i=[[1,2],[0,1],[1,2],[1,2]]",
  "scatter_add_repeated (2.5, D18): three updates of one row and none of another: all count, and x keeps its own cotangent":
    "scatter_add 0 1 indices=i at x=[[1,2],[3,4],[5,6]] u=[[10,20],[30,40],[50,60]] where i=[[2],[2],[2]]",
  "scatter_add_to_itself (2.3, A02): one value as operand and as updates: both contributions arrive":
    "scatter_add 0 0 indices=i at x=[1,2,4] where i=[[1],[0],[1]]",
  "cumulative_sum_outer_axis (2.5): running sums along the first of two axes: the cotangents are summed from the other end":
    "cumulative_sum 0 axis=0 at x=[[1,2],[3,4],[5,6]]",
  "mask_from_a_key (2.1, D15): dropout: the forward and the reverse sweep see one mask, and equal keys give equal masks":
    {
      inputs: { x: tensor([2, 3], [1, 2, 3, 4, 5, 6]) },
      indices: { k: [0, 42] },
      nodes: [
        "bernoulli_mask shape=[2,3] key=k rate=0.5; multiply 0 1",
        "bernoulli_mask shape=[2,3] key=k rate=0.5; subtract 2 3",
      ],
    },
  "comparisons_are_not_differentiated (2.2, A19): less, equal and floor hand nothing on; the operands' other paths do":
    {
      inputs: { x: [[4], [1, 2, 3.5, -1.5]], y: [[4], [2, 2, 3, 4]] },
      nodes: "less 0 1; equal 0 1; floor 0; multiply 2 0; multiply 3 1; multiply 4 1; add 5 6; add 8 7",
    },
  "counting (2.3): x · iota + full: numbers that depend on nothing have no cotangent to hand on":
    "iota shape=[2,3] axis=1; multiply 0 1; full shape=[2,3] value=-0.5; add 2 3 at x=[[1,2,3],[4,5,6]]",
});
