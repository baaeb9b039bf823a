import type { CaseText, NodeText } from "./case_text.ts";

/** The structures that differentiation gets wrong, one a case. Identifiers are those of reported defects' classes. */
export const structures: readonly CaseText[] = [
  {
    name: "fan_out",
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
    note: "b = a + a: both operand slots contribute (micrograd's first defect)",
    inputs: { a: [[], [3]] },
    nodes: [["add", [0, 0]]],
    seeds: { 1: [[], [5]] },
  },
  {
    name: "cube",
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
  },
  {
    name: "stacked_diamonds",
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
    note: "an input nobody reads: its cotangent is zero, not missing and not garbage",
    inputs: { x: [[2], [1, 2]], y: [[3], [4, 5, 6]] },
    nodes: [["negative", [0]]],
    seeds: { 2: [[2], [3, 5]] },
  },
  {
    name: "unused_node",
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
    note: "a seed on an input is part of its cotangent",
    inputs: { x: [[2], [2, 3]] },
    nodes: [["multiply", [0, 0]]],
    seeds: { 0: [[2], [3, 7]], 1: [[2], [5, 11]] },
  },
  {
    name: "several_outputs",
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
    note: "two inputs with equal values are two inputs (hash-consing merges them)",
    inputs: { w1: [[], [3]], w2: [[], [3]] },
    nodes: [["add", [0, 1]]],
    seeds: { 2: [[], [5]] },
  },
  {
    name: "no_nodes",
    note: "a graph of inputs alone: the cotangent is the seed",
    inputs: { x: [[2], [1, 2]] },
    nodes: [],
    seeds: { 0: [[2], [3, 5]] },
  },
  {
    name: "zero_size",
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
    note: "a matrix product over an inner extent of 0 is zero, and pulls back nothing",
    inputs: { x: [[2, 0], []], y: [[0, 3], []] },
    nodes: [["matmul", [0, 1]]],
    seeds: {
      2: [
        [2, 3],
        [1, 2, 3, 4, 5, 6],
      ],
    },
  },
  {
    name: "long_chain",
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
    seeds: {
      3: [
        [2, 3],
        [1, 2, 3, 5, 7, 11],
      ],
    },
  },
  {
    name: "broadcast_extent_one",
    note: "an axis of extent 1 stretched inside: summed with the axis kept",
    inputs: {
      x: [
        [2, 1, 2],
        [1, 2, 3, 4],
      ],
    },
    nodes: [["broadcast_to", [0], { shape: [2, 3, 2] }]],
    seeds: {
      1: [
        [2, 3, 2],
        [1, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31],
      ],
    },
  },
  {
    name: "summed_axis_restored",
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
  },
  {
    name: "sum_keepdims",
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
    note: "an index taken three times: its cotangents add up, they do not overwrite each other",
    inputs: { x: [[4], [1, 2, 3, 4]] },
    indices: { i: [2, 0, 2, 2] },
    nodes: [["take", [0], { axis: 0, indices: "i" }]],
    seeds: { 1: [[4], [1, 2, 4, 8]] },
  },
  {
    name: "take_inner_axis",
    note: "taking along the second of three axes",
    inputs: {
      x: [
        [2, 3, 2],
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
      ],
    },
    indices: { i: [2, 2] },
    nodes: [["take", [0], { axis: 1, indices: "i" }]],
    seeds: {
      1: [
        [2, 2, 2],
        [1, 2, 3, 5, 7, 11, 13, 17],
      ],
    },
  },
  {
    name: "three_cycle",
    note: "a permutation that is not its own inverse",
    inputs: {
      x: [
        [1, 2, 3],
        [1, 2, 3, 4, 5, 6],
      ],
    },
    nodes: [["permute_dims", [0], { axes: [1, 2, 0] }]],
    seeds: {
      1: [
        [2, 3, 1],
        [1, 2, 3, 5, 7, 11],
      ],
    },
  },
  {
    name: "concat_unequal",
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
    seeds: {
      3: [
        [4, 2],
        [1, 2, 3, 5, 7, 11, 13, 17],
      ],
    },
  },
  {
    name: "batched_matmul",
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
    seeds: {
      3: [
        [2, 2, 1],
        [1, 2, 3, 5],
      ],
    },
  },
  {
    name: "square_matmul",
    note: "a matrix times itself, where a forgotten transpose fits the shapes",
    inputs: {
      x: [
        [2, 2],
        [1, 2, 3, 4],
      ],
    },
    nodes: [["matmul", [0, 0]]],
    seeds: {
      1: [
        [2, 2],
        [1, 2, 3, 5],
      ],
    },
  },
  {
    name: "stop_gradient_one_branch",
    note: "x·stop(x): the stopped branch hands nothing on, the other does",
    inputs: { x: [[], [3]] },
    nodes: [
      ["stop_gradient", [0]],
      ["multiply", [0, 1]],
    ],
    seeds: { 2: [[], [5]] },
  },
  {
    name: "where_guards_a_singularity",
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
    note: "ties of maximum, judged by the convention that the engine declares",
    inputs: { x: [[4], [1, 2, 0, -3]], y: [[4], [1, 3, 0, -5]] },
    nodes: [["maximum", [0, 1]]],
    seeds: { 2: [[4], [3, 5, 7, 11]] },
  },
  {
    name: "maximum_of_itself",
    note: "maximum(x, x): the whole cotangent arrives, however a tie is shared out",
    inputs: { x: [[2], [1, -2]] },
    nodes: [["maximum", [0, 0]]],
    seeds: { 1: [[2], [3, 5]] },
  },
  {
    name: "relu_at_zero",
    note: "relu at 0, −0 and on both sides, judged by the convention that the engine declares",
    inputs: { x: [[4], [0, -0, 2, -2]] },
    nodes: [["relu", [0]]],
    seeds: { 1: [[4], [3, 5, 7, 11]] },
  },
  {
    name: "slice_backwards",
    note: "rows from the last to the first, and every second column of five: 2 does not divide 5",
    inputs: {
      x: [
        [2, 5],
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      ],
    },
    nodes: [["slice", [0], { starts: [-1, 0], stops: [-3, 5], steps: [-1, 2] }]],
    seeds: {
      1: [
        [2, 3],
        [1, 2, 3, 5, 7, 11],
      ],
    },
  },
  {
    name: "slice_empty",
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
    note: "zeros between elements: the cotangents are read with the same stride",
    inputs: {
      x: [
        [2, 3],
        [1, 2, 3, 4, 5, 6],
      ],
    },
    nodes: [["pad", [0], { low: [0, 1], high: [1, 0], interior: [0, 1] }]],
    seeds: {
      1: [
        [3, 6],
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18],
      ],
    },
  },
  {
    name: "take_along_axis_repeated",
    note: "one index for each place, some of them twice in a row: their cotangents add up",
    inputs: {
      x: [
        [2, 3],
        [1, 2, 3, 4, 5, 6],
      ],
    },
    rows: {
      i: [
        [2, 4],
        [2, 0, 2, 2, 0, 1, 1, 0],
      ],
    },
    nodes: [["take_along_axis", [0], { axis: 1, indices: "i" }]],
    seeds: {
      1: [
        [2, 4],
        [1, 2, 4, 8, 16, 32, 64, 128],
      ],
    },
  },
  {
    name: "gather_full_depth",
    note: "rows of indices as long as the rank pick single elements, one of them three times",
    inputs: {
      x: [
        [2, 3],
        [1, 2, 3, 4, 5, 6],
      ],
    },
    rows: {
      i: [
        [4, 2],
        [1, 2, 0, 1, 1, 2, 1, 2],
      ],
    },
    nodes: [["gather", [0], { indices: "i" }]],
    seeds: { 1: [[4], [1, 2, 4, 8]] },
  },
  {
    name: "scatter_add_repeated",
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
    rows: {
      i: [
        [3, 1],
        [2, 2, 2],
      ],
    },
    nodes: [["scatter_add", [0, 1], { indices: "i" }]],
    seeds: {
      2: [
        [3, 2],
        [1, 2, 3, 5, 7, 11],
      ],
    },
  },
  {
    name: "scatter_add_to_itself",
    note: "one value as operand and as updates: both contributions arrive",
    inputs: { x: [[3], [1, 2, 4]] },
    rows: {
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
    note: "running sums along the first of two axes: the cotangents are summed from the other end",
    inputs: {
      x: [
        [3, 2],
        [1, 2, 3, 4, 5, 6],
      ],
    },
    nodes: [["cumulative_sum", [0], { axis: 0 }]],
    seeds: {
      1: [
        [3, 2],
        [1, 10, 2, 20, 4, 40],
      ],
    },
  },
  {
    name: "mask_from_a_key",
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
    seeds: {
      4: [
        [2, 3],
        [1, 2, 3, 5, 7, 11],
      ],
    },
  },
  {
    name: "comparisons_are_not_differentiated",
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
    seeds: {
      4: [
        [2, 3],
        [1, 2, 3, 5, 7, 11],
      ],
    },
  },
];
