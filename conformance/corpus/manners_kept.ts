import type { Graph } from "../../spec/graph/index.ts";
import { tensor } from "./case_text.ts";
import { type GraphText, type MannersText, record, sweep } from "./manners_text.ts";

/** Defines the cube as an inner graph, and its derivative as a node of x and a cotangent. */
const format: Graph["format"] = "adjudge.graph.v1";
const cube = {
  format,
  inputs: [{ name: "u", shape: [2] }],
  environment: [],
  nodes: [
    { op: "multiply", parents: [0, 0], attributes: {} },
    { op: "multiply", parents: [1, 0], attributes: {} },
  ],
};
const nested = (mode: "vjp" | "jvp"): GraphText => ({
  inputs: { x: [2], c: [2] },
  nodes: [["differentiate", [0, 1], { graph: cube, mode, of: 2, wrt: 0 }]],
});

/** Computes 3x²c, the cube's derivative written out. */
const writtenOut: GraphText = {
  inputs: { x: [2], c: [2] },
  nodes: [
    ["full", [], { shape: [2], value: 3 }],
    ["multiply", [0, 0]],
    ["multiply", [2, 3]],
    ["multiply", [4, 1]],
  ],
};

const scalarSquare: GraphText = { inputs: { v: [] }, nodes: [["multiply", [0, 0]]] };

function derivativeOnTape(mode: "vjp" | "jvp"): MannersText {
  return {
    name: `derivative_on_a_tape_${mode}`,
    clause: "6.6",
    note: `the ${mode} of u³ as a node, beside 3x²c written out: swept twice, the second derivative is the same`,
    graphs: [nested(mode), writtenOut],
    steps: [
      record("whole", { x: [2, -1.5], c: [3, 5] }),
      record("written", { x: [2, -1.5], c: [3, 5] }, { graph: 1 }),
      sweep("whole", { 2: [7, 11] }),
      sweep("written", { 5: [7, 11] }),
      sweep("whole", { 2: [-2, 3] }),
      sweep("written", { 5: [-2, 3] }),
      sweep("whole", { 2: [7, 11] }),
    ],
  };
}

/** Vectors of what a tape keeps of the point, Δ, masks and values that rules captured. */
export const keeping: readonly MannersText[] = [
  derivativeOnTape("vjp"),
  derivativeOnTape("jvp"),
  {
    name: "derivatives_at_two_points",
    clause: "6.6",
    note: "two tapes of a derivative, each of the run within at its own point",
    faults: ["pullback_of_the_first_recording"],
    graphs: [nested("vjp")],
    steps: [
      record("a", { x: [2, -1.5], c: [3, 5] }),
      record("b", { x: [7, 0.5], c: [3, 5] }),
      sweep("a", { 2: [7, 11] }),
      sweep("b", { 2: [7, 11] }),
      sweep("a", { 2: [7, 11] }),
    ],
  },
  {
    name: "mask_is_not_drawn_again",
    clause: "4.10",
    defects: ["D17"],
    note: "dropout on a tape: the second sweep has the mask of the first, and of the run",
    faults: ["mask_drawn_again"],
    graphs: [
      {
        inputs: { x: [8] },
        indices: { key: [2] },
        nodes: [
          ["bernoulli_mask", [], { shape: [8], key: "key", rate: 0.5 }],
          ["multiply", [0, 1]],
          ["sin", [2]],
        ],
      },
    ],
    steps: [
      record("a", { x: [2, 3, 5, 7, 11, 13, 17, 19], key: [7, 11] }),
      sweep("a", { 3: [3, 5, 7, 11, 13, 17, 19, 23] }),
      sweep("a", { 3: [3, 5, 7, 11, 13, 17, 19, 23] }),
      sweep("a", { 3: [1, 2, 3, 4, 5, 6, 7, 8] }),
    ],
  },
  {
    name: "masks_of_two_keys",
    clause: "4.10",
    defects: ["D17"],
    note: "two tapes with masks of two keys, swept in turn: each has its own",
    faults: ["constants_of_the_first_recording", "mask_drawn_again"],
    graphs: [
      {
        inputs: { x: [8] },
        indices: { key: [2] },
        nodes: [
          ["bernoulli_mask", [], { shape: [8], key: "key", rate: 0.5 }],
          ["multiply", [0, 1]],
        ],
      },
    ],
    steps: [
      record("a", { x: [2, 3, 5, 7, 11, 13, 17, 19], key: [7, 11] }),
      record("b", { x: [2, 3, 5, 7, 11, 13, 17, 19], key: [8, 11] }),
      sweep("a", { 2: [3, 5, 7, 11, 13, 17, 19, 23] }),
      sweep("b", { 2: [3, 5, 7, 11, 13, 17, 19, 23] }),
      sweep("a", { 2: [3, 5, 7, 11, 13, 17, 19, 23] }),
    ],
  },
  {
    name: "indices_are_the_callers_again",
    clause: "4.12",
    defects: ["N57"],
    note: "a row is taken by an index that the caller uses for something else afterwards: the cotangent goes to the row that was taken",
    faults: ["indices_by_reference"],
    graphs: [
      {
        inputs: { x: [2, 2] },
        indices: { start: [1] },
        nodes: [
          ["take", [0], { axis: 0, indices: "start" }],
          ["sum", [1], { axes: [0, 1], keepdims: false }],
        ],
      },
    ],
    steps: [
      record("a", {
        x: tensor([1, 2], [3, 4]),
        start: [0],
      }),
      record("b", {
        x: tensor([1, 2], [3, 4]),
        start: [1],
      }),
      sweep("a", { 2: 1 }),
      sweep("b", { 2: 10 }),
      sweep("a", { 2: 1 }),
    ],
  },
  {
    name: "point_is_the_callers_again",
    clause: "4.12",
    note: "the arrays of the point are used for something else once the tape is recorded: it has read them",
    faults: ["inputs_by_reference"],
    graphs: [
      {
        inputs: { x: [2] },
        constants: { a: [2] },
        nodes: [
          ["constant", [], { name: "a" }],
          ["multiply", [0, 0]],
          ["multiply", [1, 2]],
        ],
      },
    ],
    steps: [record("t", { x: [2, -3], a: [5, 0.5] }), sweep("t", { 3: [3, 7] }), sweep("t", { 3: [3, 7] })],
  },
  {
    name: "rule_of_its_own_beside_another_reader",
    clause: "4.10",
    defects: ["N59"],
    note: "logsumexp m, which engines give a rule of their own, plus m: the rule adds to the cotangent that is there [it put its own in the place], in each sweep",
    graphs: [
      {
        inputs: { m: [2] },
        nodes: [
          ["logsumexp", [0], { axes: [0], keepdims: true }],
          ["broadcast_to", [1], { shape: [2] }],
          ["add", [2, 0]],
        ],
      },
    ],
    steps: [record("a", { m: [0.5, -1] }), sweep("a", { 3: [3, 7] }), sweep("a", { 3: [-5, 11] })],
  },
  {
    name: "rule_of_its_own_at_a_second_point",
    clause: "4.10",
    defects: ["N61"],
    note: "x³, recorded at 2 and at 3: 27 at 3 [12: the pullback of the first recording, with its 2, was kept]",
    faults: ["pullback_of_the_first_recording"],
    graphs: [
      {
        inputs: { x: [] },
        nodes: [
          ["full", [], { shape: [], value: 3 }],
          ["pow", [0, 1]],
        ],
      },
    ],
    steps: [record("a", { x: 2 }), sweep("a", { 2: 1 }), record("b", { x: 3 }), sweep("b", { 2: 1 })],
  },
  {
    name: "constant_of_the_second_recording",
    clause: "4.10",
    defects: ["N63"],
    note: "a · x · x at x = 2, recorded with a = 3 and with 3.5: 12, and then 14 [12 again: the 3 was baked into the tape]",
    faults: ["constants_of_the_first_recording"],
    graphs: [
      {
        inputs: { x: [] },
        constants: { a: [] },
        nodes: [
          ["constant", [], { name: "a" }],
          ["multiply", [1, 0]],
          ["multiply", [2, 0]],
        ],
      },
    ],
    steps: [
      record("a", { x: 2, a: 3 }),
      sweep("a", { 3: 1 }),
      record("b", { x: 2, a: 3.5 }),
      sweep("b", { 3: 1 }),
      sweep("a", { 3: 1 }),
    ],
  },
  {
    name: "gradients_are_held",
    clause: "4.12",
    defects: ["N65"],
    note: "3 w + 5 v: the gradients of w and v, and those of a second sweep, are held and compared in the end [5 and 5: one buffer for both]",
    faults: ["cotangents_share_a_buffer", "answers_share_a_buffer"],
    graphs: [
      {
        inputs: { w: [2], v: [2] },
        nodes: [
          ["full", [], { shape: [2], value: 3 }],
          ["full", [], { shape: [2], value: 5 }],
          ["multiply", [2, 0]],
          ["multiply", [3, 1]],
          ["add", [4, 5]],
        ],
      },
    ],
    steps: [record("a", { w: [1, 2], v: [1, 2] }), sweep("a", { 6: [1, 1] }), sweep("a", { 6: [2, 7] })],
  },
  {
    name: "another_variable",
    clause: "4.10",
    defects: ["N67"],
    note: "v · v at 3, and then of another variable that is 5: 6, and then 10 [nothing: the trace remembered which variable was watched]",
    faults: ["variables_of_the_first_recording", "pullback_of_the_first_recording"],
    graphs: [scalarSquare],
    steps: [record("a", { v: 3 }), sweep("a", { 1: 1 }), record("b", { v: 5 }), sweep("b", { 1: 1 })],
  },
];
