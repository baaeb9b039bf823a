import type { NodeText } from "./case_text.ts";
import type { VectorText } from "./vector_text.ts";

/** The structures that differentiation gets wrong, one a vector. */
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
    seeds: {
      2: [
        [2, 3],
        [1, 2, 3, 4, 5, 6],
      ],
    },
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
    seeds: {
      3: [
        [2, 3],
        [1, 2, 3, 5, 7, 11],
      ],
    },
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
    seeds: {
      1: [
        [2, 3, 2],
        [1, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31],
      ],
    },
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
    seeds: { 1: [[4], [1, 2, 4, 8]] },
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
    seeds: {
      1: [
        [2, 2, 2],
        [1, 2, 3, 5, 7, 11, 13, 17],
      ],
    },
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
    seeds: {
      1: [
        [2, 3, 1],
        [1, 2, 3, 5, 7, 11],
      ],
    },
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
    seeds: {
      3: [
        [4, 2],
        [1, 2, 3, 5, 7, 11, 13, 17],
      ],
    },
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
    seeds: {
      3: [
        [2, 2, 1],
        [1, 2, 3, 5],
      ],
    },
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
    seeds: {
      1: [
        [2, 2],
        [1, 2, 3, 5],
      ],
    },
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
];
