import { beside, type GraphText, type MannersText, record, release, sweep } from "./manners_text.ts";

/** Computes w₂ (w₁ x), two layers of one unit; x is data. */
const layersOfOne: GraphText = {
  inputs: { w1: [], w2: [] },
  constants: { x: [] },
  nodes: [
    ["constant", [], { name: "x" }],
    ["multiply", [2, 0]],
    ["multiply", [3, 1]],
  ],
};

/** Computes tanh(x W₁ + b) W₂; x is data. */
const layers: GraphText = {
  inputs: { w1: [2, 3], b: [1, 3], w2: [3, 1] },
  constants: { x: [1, 2] },
  nodes: [
    ["constant", [], { name: "x" }],
    ["matmul", [3, 0]],
    ["add", [4, 1]],
    ["tanh", [5]],
    ["matmul", [6, 2]],
  ],
};

/** Computes s² + s of s = sin x, whose s gets cotangents from three places. */
const diamond: GraphText = {
  inputs: { x: [2] },
  nodes: [
    ["sin", [0]],
    ["multiply", [1, 1]],
    ["add", [2, 1]],
  ],
};

const product: GraphText = {
  inputs: { x: [2], y: [2] },
  nodes: [
    ["exp", [0]],
    ["multiply", [2, 1]],
  ],
};
const where = { x: [0.5, -2], y: [5, 0.5] } as const;

/** Vectors of hooks: whether, when and with which cotangents they are called. */
export const hooked: readonly MannersText[] = [
  {
    name: "hook_where_data_comes_in",
    clause: "4.13",
    defects: ["N69"],
    note: "two layers, x being data that needs no gradient, with hooks on what each gives: two calls, with 3 and with 1 [one call: the first layer's hook hung on the gradient of its data]",
    faults: ["not_called_where_data_comes_in"],
    graphs: [layersOfOne],
    steps: [record("a", { w1: 2, w2: 3, x: 1 }, { hooks: [3, 4] }), sweep("a", { 4: 1 })],
  },
  {
    name: "hooks_of_two_layers",
    clause: "4.13",
    defects: ["N69"],
    note: "x W₁ + b, tanh, W₂: a hook on the product of data and weights, and on every value behind it",
    faults: ["not_called_where_data_comes_in", "called_first_to_last"],
    graphs: [layers],
    steps: [
      record(
        "a",
        {
          w1: [
            [0.5, -1, 2],
            [1.5, 0.25, -0.5],
          ],
          b: [[0.5, 1, -1]],
          w2: [[2], [3], [-5]],
          x: [[1, -0.5]],
        },
        { hooks: [4, 5, 6, 7] },
      ),
      sweep("a", { 7: [[3]] }),
      sweep("a", { 7: [[-2]] }),
    ],
  },
  {
    name: "hook_of_a_choice",
    clause: "4.13",
    defects: ["N69"],
    note: "w or v, as sin x has it: the hook is called, though nothing comes to sin x through the choice [no call: the hook hung on the gradient of what is chosen by]",
    graphs: [
      {
        inputs: { x: [2], w: [2], v: [2] },
        nodes: [
          ["sin", [0]],
          ["where", [3, 1, 2]],
          ["multiply", [4, 3]],
        ],
      },
    ],
    steps: [
      record("a", { x: [0.5, -1], w: [2, 3], v: [5, 7] }, { hooks: [3, 4] }),
      sweep("a", { 5: [3, 7] }),
    ],
  },
  {
    name: "hook_with_three_readers",
    clause: "4.13",
    note: "a value that is read three times: its hook is called once, when all three have added to its cotangent",
    faults: ["called_by_each_reader", "called_at_the_first_reader"],
    graphs: [diamond],
    steps: [record("a", { x: [0.5, -2] }, { hooks: [1] }), sweep("a", { 3: [3, 7] })],
  },
  {
    name: "hook_on_an_input",
    clause: "4.13",
    note: "an input that two nodes read: its hook is handed what the sweep answers",
    faults: ["called_by_each_reader", "called_at_the_first_reader"],
    graphs: [
      {
        inputs: { x: [2] },
        nodes: [
          ["multiply", [0, 0]],
          ["exp", [0]],
          ["multiply", [1, 2]],
        ],
      },
    ],
    steps: [record("a", { x: [0.5, -2] }, { hooks: [0] }), sweep("a", { 3: [3, 7] })],
  },
  {
    name: "hook_on_a_seeded_value",
    clause: "4.13",
    note: "seeds at a value within and at the last one: the hook on the first is handed its seed and what its readers give, together",
    faults: ["own_seed_left_out", "called_at_the_first_reader"],
    graphs: [diamond],
    steps: [
      record("a", { x: [0.5, -2] }, { of: [1, 3], hooks: [1, 3] }),
      sweep("a", { 1: [3, 7], 3: [5, 11] }),
      sweep("a", { 1: [3, 7] }),
    ],
  },
  {
    name: "hooks_in_every_sweep",
    clause: "4.13",
    note: "three sweeps of a tape that is kept: each calls each hook once, with its own cotangents",
    faults: ["not_called_again", "called_twice_in_a_second_sweep", "handed_the_first_cotangent"],
    graphs: [diamond],
    steps: [
      record("a", { x: [0.5, -2] }, { hooks: [1, 2] }),
      sweep("a", { 3: [3, 7] }),
      sweep("a", { 3: [-5, 11] }),
      sweep("a", { 3: [3, 7] }),
    ],
  },
  {
    name: "hooks_of_values_of_one_shape",
    clause: "4.13",
    note: "sin, exp, tanh of a vector with hooks on all: each is handed its own cotangent, the last one first, and may keep it",
    faults: ["handed_anothers_cotangent", "handed_arrays_are_used_again", "called_first_to_last"],
    graphs: [
      {
        inputs: { x: [2] },
        nodes: [
          ["sin", [0]],
          ["exp", [1]],
          ["tanh", [2]],
        ],
      },
    ],
    steps: [record("a", { x: [0.5, -2] }, { hooks: [0, 1, 2, 3] }), sweep("a", { 3: [3, 7] })],
  },
  {
    name: "hooks_of_a_chain_of_eight",
    clause: "4.13",
    note: "sin eight times over, with hooks on each: who computes parts of the chain again calls each hook once all the same",
    faults: ["handed_anothers_cotangent", "called_first_to_last"],
    graphs: [{ inputs: { x: [] }, nodes: [0, 1, 2, 3, 4, 5, 6, 7].map((id) => ["sin", [id]] as const) }],
    steps: [
      record("a", { x: 0.75 }, { hooks: [0, 1, 2, 3, 4, 5, 6, 7, 8] }),
      sweep("a", { 8: 3 }),
      sweep("a", { 8: -7 }),
    ],
  },
  {
    name: "hooks_and_a_seed_that_does_not_fit",
    clause: "4.13",
    note: "a seed of three elements for two is refused, and no hook has been called; the next sweep calls them",
    faults: ["called_although_refused"],
    graphs: [product],
    steps: [
      record("a", where, { hooks: [2, 3] }),
      sweep("a", { 3: [3, 7, 11] }, "must"),
      sweep("a", { 3: [3, 7] }),
    ],
  },
  {
    name: "hooks_of_a_released_tape",
    clause: "4.13",
    note: "the hooks of a tape that was released are not called any more",
    faults: ["called_although_refused"],
    graphs: [product],
    steps: [
      record("a", where, { hooks: [2, 3] }),
      sweep("a", { 3: [3, 7] }),
      release("a"),
      sweep("a", { 3: [3, 7] }, "must"),
    ],
  },
  {
    name: "hooks_of_a_tape_for_one_sweep",
    clause: "4.13",
    note: "a tape for one sweep calls its hooks in that one; a second sweep must be refused, though it may have begun",
    faults: ["once_answers_again"],
    graphs: [product],
    steps: [
      record("a", where, { life: "once", hooks: [2, 3] }),
      sweep("a", { 3: [3, 7] }),
      sweep("a", { 3: [3, 7] }, "must"),
    ],
  },
  {
    name: "hooks_of_one_tape_of_two",
    clause: "4.13",
    note: "two tapes of a graph, with hooks on other values: a sweep of the one calls none of the other's",
    faults: ["hooks_of_the_first_recording"],
    graphs: [product],
    steps: [
      record("a", where, { hooks: [2] }),
      record("b", { x: [0.25, 1], y: [3, -4] }, { hooks: [1, 3] }),
      sweep("b", { 3: [3, 7] }),
      sweep("a", { 3: [3, 7] }),
    ],
  },
  {
    name: "hooks_change_no_answer",
    clause: "4.13",
    note: "a hook gives nothing back, and the cotangent goes on as it was: with hooks and without them a sweep answers alike",
    faults: ["hook_gives_nothing_back"],
    graphs: [product],
    steps: [
      record("with", where, { hooks: [0, 2, 3] }),
      record("without", where),
      sweep("with", { 3: [3, 7] }),
      sweep("without", { 3: [3, 7] }),
    ],
  },
  {
    name: "hooks_of_two_sweeps_together",
    clause: "4.13",
    note: "two sweeps are under way at once: each calls the hooks with its own cotangents",
    graphs: [diamond],
    steps: [
      record("a", { x: [0.5, -2] }, { hooks: [1, 2] }),
      sweep("a", { 3: [3, 7] }),
      beside("a", { 3: [-5, 11] }),
    ],
  },
  {
    name: "hook_where_nothing_comes",
    clause: "4.13",
    note: "x · y and sin x, of which the first is seeded: the hook on the other is not called, or with zeros; behind a stop likewise",
    graphs: [
      {
        inputs: { x: [2], y: [2] },
        nodes: [
          ["sin", [0]],
          ["stop_gradient", [2]],
          ["multiply", [3, 1]],
        ],
      },
    ],
    steps: [
      record("a", where, { of: [2, 4], hooks: [0, 2, 3, 4] }),
      sweep("a", { 4: [3, 7] }),
      sweep("a", { 2: [3, 7] }),
    ],
  },
  {
    name: "hook_on_a_composite",
    clause: "4.13",
    note: "softmax of a row and its product with another, whole or written out: a hook on what it gives, and on what it reads",
    faults: ["handed_anothers_cotangent"],
    graphs: [
      {
        inputs: { x: [3], y: [3] },
        nodes: [
          ["exp", [0]],
          ["softmax", [2], { axis: 0 }],
          ["multiply", [3, 1]],
        ],
      },
    ],
    steps: [
      record("a", { x: [0.5, -1, 2], y: [2, 3, 5] }, { hooks: [2, 3] }),
      sweep("a", { 4: [3, 5, 7] }),
      sweep("a", { 4: [-2, 1, 11] }),
    ],
  },
];
