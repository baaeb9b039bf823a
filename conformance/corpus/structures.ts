import type { NodeText } from "./case_text.ts";
import type { VectorText } from "./vector_text.ts";

/** Vectors of the graph structures that differentiation gets wrong, one structure each. */
export const structures: readonly VectorText[] = [
  {
    name: "fan_out",
    clause: "3.4",
    defects: ["A01"],
    note: "a value read by two nodes: both cotangents arrive, and add up",
    inputs: { a: [[], [3]] },
    nodes: [
      ["negative", [0]],
      ["multiply", [0, 1]],
    ],
    seeds: { 2: [[], [5]] },
  },
  {
    name: "same_operand_twice",
    clause: "2.3",
    defects: ["A01"],
    note: "b = a + a: both operand slots contribute (micrograd's first defect)",
    inputs: { a: [[], [3]] },
    nodes: [["add", [0, 0]]],
    seeds: { 1: [[], [5]] },
    probe: { right: { a: [2] }, wrong: { a: [1] } },
  },
  {
    name: "cube",
    clause: "2.3",
    defects: ["A02"],
    note: "x·x·x: an operand in several slots of several nodes",
    inputs: { x: [[], [7]] },
    nodes: [
      ["multiply", [0, 0]],
      ["multiply", [1, 0]],
    ],
    seeds: { 2: [[], [0.5]] },
  },
  {
    name: "diamond",
    clause: "4.8",
    defects: ["A05"],
    note: "two paths from y to the end; a node must wait for all its readers",
    inputs: { x: [[], [2]] },
    constants: { three: [[], [3]], two: [[], [2]], five: [[], [5]] },
    nodes: [
      ["constant", [], { name: "three" }],
      ["multiply", [1, 0]],
      ["constant", [], { name: "two" }],
      ["multiply", [3, 2]],
      ["constant", [], { name: "five" }],
      ["multiply", [5, 2]],
      ["add", [4, 6]],
    ],
    seeds: { 7: [[], [1.5]] },
    probe: { right: { x: [21] }, wrong: { x: [6] } },
  },
  {
    name: "stacked_diamonds",
    clause: "4.8",
    defects: ["A03"],
    note: "four doublings in a row: recursion once per path counts sixteen times too often",
    inputs: { x: [[], [1]] },
    nodes: [
      ["add", [0, 0]],
      ["add", [1, 1]],
      ["add", [2, 2]],
      ["add", [3, 3]],
    ],
    seeds: { 4: [[], [3]] },
  },
  {
    name: "unused_input",
    clause: "2.3",
    defects: ["A15"],
    note: "an input nobody reads: its cotangent is zero, not missing and not garbage",
    inputs: { x: [[2], [1, 2]], y: [[3], [4, 5, 6]] },
    nodes: [["negative", [0]]],
    seeds: { 2: [[2], [3, 5]] },
  },
  {
    name: "unused_node",
    clause: "3.8",
    note: "a node that no seed reaches changes nothing",
    inputs: { x: [[], [2]] },
    nodes: [
      ["negative", [0]],
      ["multiply", [0, 0]],
    ],
    seeds: { 1: [[], [3]] },
  },
  {
    name: "unreached_singular_node",
    clause: "3.8",
    defects: ["A14"],
    note: "log(0) on a branch that no seed reaches: 0·∞ belongs to the dense form alone",
    inputs: { x: [[], [0]] },
    nodes: [
      ["log", [0]],
      ["negative", [0]],
    ],
    seeds: { 2: [[], [3]] },
  },
  {
    name: "seed_on_an_intermediate",
    clause: "3.2",
    note: "a seeded id that a later node reads: the seed and the contribution add up",
    inputs: { x: [[], [2]] },
    nodes: [
      ["multiply", [0, 0]],
      ["negative", [1]],
    ],
    seeds: { 1: [[], [3]], 2: [[], [5]] },
  },
  {
    name: "seed_on_an_input",
    clause: "3.3",
    note: "a seed on an input is part of its cotangent",
    inputs: { x: [[2], [2, 3]] },
    nodes: [["multiply", [0, 0]]],
    seeds: { 0: [[2], [3, 7]], 1: [[2], [5, 11]] },
  },
  {
    name: "several_outputs",
    clause: "3.2",
    note: "three seeds at once on nodes that share an operand",
    inputs: { x: [[], [2]], y: [[], [3]] },
    nodes: [
      ["multiply", [0, 1]],
      ["add", [0, 1]],
      ["subtract", [0, 1]],
    ],
    seeds: { 2: [[], [3]], 3: [[], [5]], 4: [[], [7]] },
  },
  {
    name: "equal_inputs",
    clause: "1.4",
    defects: ["A07"],
    note: "two inputs with equal values are two inputs (hash-consing merges them)",
    inputs: { w1: [[], [3]], w2: [[], [3]] },
    nodes: [["add", [0, 1]]],
    seeds: { 2: [[], [5]] },
    probe: { right: { w1: [1], w2: [1] }, wrong: { w1: [2], w2: [2] } },
  },
  {
    name: "no_nodes",
    clause: "3.2",
    note: "a graph of inputs alone: the cotangent is the seed",
    inputs: { x: [[2], [1, 2]] },
    nodes: [],
    seeds: { 0: [[2], [3, 5]] },
  },
  {
    name: "zero_size",
    clause: "1.1",
    defects: ["B20"],
    note: "tensors without elements through a product and a sum: the empty sum is zero",
    inputs: { x: [[0, 3], []], y: [[], [2]] },
    nodes: [
      ["multiply", [0, 0]],
      ["sum", [2], { axes: [0, 1], keepdims: false }],
      ["multiply", [3, 1]],
    ],
    seeds: { 4: [[], [5]] },
  },
  {
    name: "empty_contraction",
    clause: "1.1",
    defects: ["B20"],
    note: "a matrix product over an inner extent of 0 is zero, and pulls back nothing",
    inputs: { x: [[2, 0], []], y: [[0, 3], []] },
    nodes: [["matmul", [0, 1]]],
  },
  {
    name: "long_chain",
    clause: "4.8",
    note: "a chain of 200 nodes",
    inputs: { x: [[], [0.5]] },
    nodes: Array.from(
      { length: 200 },
      (_, i): NodeText => (i % 2 === 0 ? ["negative", [i]] : ["add", [i, 0]]),
    ),
    seeds: { 200: [[], [3]] },
  },
  {
    name: "broadcast_new_axis",
    clause: "2.5",
    defects: ["B01"],
    note: "a bias added to each row: its cotangent is summed over rows",
    inputs: {
      x: [
        [2, 3],
        [0, 1, 2, 3, 4, 5],
      ],
      b: [[3], [1, 2, 4]],
    },
    nodes: [
      ["broadcast_to", [1], { shape: [2, 3] }],
      ["add", [0, 2]],
    ],
    probe: { right: { b: [2, 2, 2] } },
  },
  {
    name: "broadcast_extent_one",
    clause: "2.5",
    note: "an axis of extent 1 stretched inside: summed with the axis kept",
    inputs: {
      x: [
        [2, 1, 2],
        [1, 2, 3, 4],
      ],
    },
    nodes: [["broadcast_to", [0], { shape: [2, 3, 2] }]],
  },
  {
    name: "summed_axis_restored",
    clause: "2.5",
    defects: ["B07"],
    note: "a weighted sum over axis 1 of a square matrix: the cotangent goes back along that axis and no other",
    inputs: {
      x: [
        [2, 2],
        [1, 2, 3, 4],
      ],
    },
    constants: { w: [[2], [1, 10]] },
    nodes: [
      ["sum", [0], { axes: [1], keepdims: false }],
      ["constant", [], { name: "w" }],
      ["multiply", [1, 2]],
      ["sum", [3], { axes: [0], keepdims: false }],
    ],
    seeds: { 4: [[], [3]] },
    probe: { right: { x: [1, 1, 10, 10] }, wrong: { x: [1, 10, 1, 10] } },
  },
  {
    name: "sum_keepdims",
    clause: "2.5",
    note: "the same with the axis kept",
    inputs: {
      x: [
        [2, 3],
        [1, 2, 3, 4, 5, 6],
      ],
    },
    nodes: [["sum", [0], { axes: [1], keepdims: true }]],
    seeds: {
      1: [
        [2, 1],
        [3, 5],
      ],
    },
  },
  {
    name: "repeated_index",
    clause: "2.5",
    defects: ["D18"],
    note: "an index taken three times: its cotangents add up, they do not overwrite each other",
    inputs: { x: [[4], [1, 2, 3, 4]] },
    indices: { i: [2, 0, 2, 2] },
    nodes: [["take", [0], { axis: 0, indices: "i" }]],
  },
  {
    name: "take_inner_axis",
    clause: "2.5",
    note: "taking along the second of three axes",
    inputs: {
      x: [
        [2, 3, 2],
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
      ],
    },
    indices: { i: [2, 2] },
    nodes: [["take", [0], { axis: 1, indices: "i" }]],
  },
  {
    name: "three_cycle",
    clause: "2.5",
    note: "a permutation that is not its own inverse",
    inputs: {
      x: [
        [1, 2, 3],
        [1, 2, 3, 4, 5, 6],
      ],
    },
    nodes: [["permute_dims", [0], { axes: [1, 2, 0] }]],
  },
  {
    name: "concat_unequal",
    clause: "2.5",
    note: "three parts of extents 1, 0 and 2, one of them twice",
    inputs: {
      x: [
        [1, 2],
        [1, 2],
      ],
      y: [[0, 2], []],
      z: [
        [2, 2],
        [3, 4, 5, 6],
      ],
    },
    nodes: [["concat", [0, 1, 2, 0], { axis: 0 }]],
  },
  {
    name: "batched_matmul",
    clause: "2.5",
    defects: ["B04"],
    note: "a stack of matrices by a stack that is one matrix repeated: the cotangent is summed over the stack",
    inputs: {
      a: [
        [2, 2, 3],
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
      ],
      w: [
        [3, 1],
        [1, 2, 4],
      ],
    },
    nodes: [
      ["broadcast_to", [1], { shape: [2, 3, 1] }],
      ["matmul", [0, 2]],
    ],
  },
  {
    name: "square_matmul",
    clause: "2.5",
    note: "a matrix times itself, where a forgotten transpose fits the shapes",
    inputs: {
      x: [
        [2, 2],
        [1, 2, 3, 4],
      ],
    },
    nodes: [["matmul", [0, 0]]],
  },
  {
    name: "stop_gradient_one_branch",
    clause: "2.6",
    defects: ["F05"],
    note: "x·stop(x): the stopped branch hands nothing on, the other does",
    inputs: { x: [[], [2]] },
    nodes: [
      ["stop_gradient", [0]],
      ["multiply", [0, 1]],
    ],
    seeds: { 2: [[], [5]] },
    probe: { right: { x: [2] }, wrong: { x: [4] } },
  },
  {
    name: "where_guards_a_singularity",
    clause: "6.4",
    note: "where(x, log(x), x): only the chosen operand counts, elementwise",
    inputs: { x: [[3], [1, 2, 4]], c: [[3], [1, 0, 1]] },
    nodes: [
      ["log", [0]],
      ["where", [1, 2, 0]],
    ],
    seeds: { 3: [[3], [3, 5, 7]] },
  },
  {
    name: "maximum_ties",
    clause: "6.5",
    note: "ties of maximum, judged by the convention that the engine declares",
    inputs: { x: [[4], [1, 2, 0, -3]], y: [[4], [1, 3, 0, -5]] },
    nodes: [["maximum", [0, 1]]],
    seeds: { 2: [[4], [3, 5, 7, 11]] },
  },
  {
    name: "maximum_of_itself",
    clause: "6.5",
    defects: ["C19"],
    note: "maximum(x, x): the whole cotangent arrives, however a tie is shared out",
    inputs: { x: [[2], [1, -2]] },
    nodes: [["maximum", [0, 0]]],
    seeds: { 1: [[2], [3, 5]] },
    probe: { right: { x: [1, 1] }, wrong: { x: [2, 2] } },
  },
  {
    name: "relu_at_zero",
    clause: "6.5",
    defects: ["C22"],
    note: "relu at 0, −0 and on both sides, judged by the convention that the engine declares",
    inputs: { x: [[4], [0, -0, 2, -2]] },
    nodes: [["relu", [0]]],
    seeds: { 1: [[4], [3, 5, 7, 11]] },
  },
  {
    name: "slice_backwards",
    clause: "2.5",
    defects: ["B18"],
    note: "rows from the last to the first, and every second column of five: 2 does not divide 5",
    inputs: {
      x: [
        [2, 5],
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      ],
    },
    nodes: [["slice", [0], { starts: [-1, 0], stops: [-3, 5], steps: [-1, 2] }]],
  },
  {
    name: "slice_empty",
    clause: "1.1",
    defects: ["B20"],
    note: "a slice that ends before it begins: nothing, and a cotangent of zeros",
    inputs: { x: [[4], [1, 2, 3, 4]] },
    nodes: [
      ["slice", [0], { starts: [3], stops: [1], steps: [1] }],
      ["sum", [1], { axes: [0], keepdims: false }],
    ],
    seeds: { 2: [[], [5]] },
  },
  {
    name: "pad_interior",
    clause: "2.5",
    defects: ["D25"],
    note: "zeros between elements: the cotangents are read with the same stride",
    inputs: {
      x: [
        [2, 3],
        [1, 2, 3, 4, 5, 6],
      ],
    },
    nodes: [["pad", [0], { low: [0, 1], high: [1, 0], interior: [0, 1] }]],
  },
  {
    name: "take_along_axis_repeated",
    clause: "2.5",
    defects: ["D18"],
    note: "one index for each place, some of them twice in a row: their cotangents add up",
    inputs: {
      x: [
        [2, 3],
        [1, 2, 3, 4, 5, 6],
      ],
    },
    indices: {
      i: [
        [2, 4],
        [2, 0, 2, 2, 0, 1, 1, 0],
      ],
    },
    nodes: [["take_along_axis", [0], { axis: 1, indices: "i" }]],
  },
  {
    name: "gather_full_depth",
    clause: "2.5",
    defects: ["D19"],
    note: "rows of indices as long as the rank pick single elements, one of them three times",
    inputs: {
      x: [
        [2, 3],
        [1, 2, 3, 4, 5, 6],
      ],
    },
    indices: {
      i: [
        [4, 2],
        [1, 2, 0, 1, 1, 2, 1, 2],
      ],
    },
    nodes: [["gather", [0], { indices: "i" }]],
  },
  {
    name: "scatter_add_repeated",
    clause: "2.5",
    defects: ["D18"],
    note: "three updates of one row and none of another: all count, and x keeps its own cotangent",
    inputs: {
      x: [
        [3, 2],
        [1, 2, 3, 4, 5, 6],
      ],
      u: [
        [3, 2],
        [10, 20, 30, 40, 50, 60],
      ],
    },
    indices: {
      i: [
        [3, 1],
        [2, 2, 2],
      ],
    },
    nodes: [["scatter_add", [0, 1], { indices: "i" }]],
  },
  {
    name: "scatter_add_to_itself",
    clause: "2.3",
    defects: ["A02"],
    note: "one value as operand and as updates: both contributions arrive",
    inputs: { x: [[3], [1, 2, 4]] },
    indices: {
      i: [
        [3, 1],
        [1, 0, 1],
      ],
    },
    nodes: [["scatter_add", [0, 0], { indices: "i" }]],
    seeds: { 1: [[3], [3, 5, 7]] },
  },
  {
    name: "cumulative_sum_outer_axis",
    clause: "2.5",
    note: "running sums along the first of two axes: the cotangents are summed from the other end",
    inputs: {
      x: [
        [3, 2],
        [1, 2, 3, 4, 5, 6],
      ],
    },
    nodes: [["cumulative_sum", [0], { axis: 0 }]],
  },
  {
    name: "mask_from_a_key",
    clause: "2.1",
    defects: ["D15"],
    note: "dropout: the forward and the reverse sweep see one mask, and equal keys give equal masks",
    inputs: {
      x: [
        [2, 3],
        [1, 2, 3, 4, 5, 6],
      ],
    },
    indices: { k: [0, 42] },
    nodes: [
      ["bernoulli_mask", [], { shape: [2, 3], key: "k", rate: 0.5 }],
      ["multiply", [0, 1]],
      ["bernoulli_mask", [], { shape: [2, 3], key: "k", rate: 0.5 }],
      ["subtract", [2, 3]],
    ],
  },
  {
    name: "comparisons_are_not_differentiated",
    clause: "2.2",
    defects: ["A19"],
    note: "less, equal and floor hand nothing on; the operands' other paths do",
    inputs: { x: [[4], [1, 2, 3.5, -1.5]], y: [[4], [2, 2, 3, 4]] },
    nodes: [
      ["less", [0, 1]],
      ["equal", [0, 1]],
      ["floor", [0]],
      ["multiply", [2, 0]],
      ["multiply", [3, 1]],
      ["multiply", [4, 1]],
      ["add", [5, 6]],
      ["add", [8, 7]],
    ],
    seeds: { 9: [[4], [3, 5, 7, 11]] },
  },
  {
    name: "counting",
    clause: "2.3",
    note: "x · iota + full: numbers that depend on nothing have no cotangent to hand on",
    inputs: {
      x: [
        [2, 3],
        [1, 2, 3, 4, 5, 6],
      ],
    },
    nodes: [
      ["iota", [], { shape: [2, 3], axis: 1 }],
      ["multiply", [0, 1]],
      ["full", [], { shape: [2, 3], value: -0.5 }],
      ["add", [2, 3]],
    ],
  },
];
