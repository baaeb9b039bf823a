import { type GraphText, graph, type MannersText, record, script, tapes } from "./manners_text.ts";

/** Computes w₂ (w₁ x), two layers of one unit; x is data. */
const layersOfOne: GraphText = graph({ w1: [], w2: [] }, "constant name=x; multiply 2 0; multiply 3 1", {
  constants: { x: [] },
});

/** Computes tanh(x W₁ + b) W₂; x is data. */
const layers: GraphText = graph(
  { w1: [2, 3], b: [1, 3], w2: [3, 1] },
  "constant name=x; matmul 3 0; add 4 1; tanh 5; matmul 6 2",
  { constants: { x: [1, 2] } },
);

/** Computes s² + s of s = sin x, whose s gets cotangents from three places. */
const diamond: GraphText = graph({ x: [2] }, "sin 0; multiply 1 1; add 2 1");

const product: GraphText = graph({ x: [2], y: [2] }, "exp 0; multiply 2 1");
const where = { x: [0.5, -2], y: [5, 0.5] } as const;

/** Vectors of hooks: whether, when and with which cotangents they are called. */
export const hooked: readonly MannersText[] = [
  tapes("hook_where_data_comes_in 4.13 N69: not_called_where_data_comes_in", {
    note: "two layers, x being data that needs no gradient, with hooks on what each gives: two calls, with 3 and with 1 [one call: the first layer's hook hung on the gradient of its data]",
    graphs: [layersOfOne],
    steps: [record("a", { w1: 2, w2: 3, x: 1 }, { hooks: [3, 4] }), ...script("a 4=1")],
  }),
  tapes("hooks_of_two_layers 4.13 N69: not_called_where_data_comes_in called_first_to_last", {
    note: "x W₁ + b, tanh, W₂: a hook on the product of data and weights, and on every value behind it",
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
      ...script("a 7=[[3]]; a 7=[[-2]]"),
    ],
  }),
  tapes("hook_of_a_choice 4.13 N69", {
    note: "w or v, as sin x has it: the hook is called, though nothing comes to sin x through the choice [no call: the hook hung on the gradient of what is chosen by]",
    graphs: [graph({ x: [2], w: [2], v: [2] }, "sin 0; where 3 1 2; multiply 4 3")],
    steps: [record("a", { x: [0.5, -1], w: [2, 3], v: [5, 7] }, { hooks: [3, 4] }), ...script("a 5=[3,7]")],
  }),
  tapes("hook_with_three_readers 4.13: called_by_each_reader called_at_the_first_reader", {
    note: "a value that is read three times: its hook is called once, when all three have added to its cotangent",
    graphs: [diamond],
    steps: [record("a", { x: [0.5, -2] }, { hooks: [1] }), ...script("a 3=[3,7]")],
  }),
  tapes("hook_on_an_input 4.13: called_by_each_reader called_at_the_first_reader", {
    note: "an input that two nodes read: its hook is handed what the sweep answers",
    graphs: [graph({ x: [2] }, "multiply 0 0; exp 0; multiply 1 2")],
    steps: [record("a", { x: [0.5, -2] }, { hooks: [0] }), ...script("a 3=[3,7]")],
  }),
  tapes("hook_on_a_seeded_value 4.13: own_seed_left_out called_at_the_first_reader", {
    note: "seeds at a value within and at the last one: the hook on the first is handed its seed and what its readers give, together",
    graphs: [diamond],
    steps: [
      record("a", { x: [0.5, -2] }, { of: [1, 3], hooks: [1, 3] }),
      ...script("a 1=[3,7] 3=[5,11]; a 1=[3,7]"),
    ],
  }),
  tapes("hooks_in_every_sweep 4.13", {
    note: "three sweeps of a tape that is kept: each calls each hook once, with its own cotangents",
    faults: ["not_called_again", "called_twice_in_a_second_sweep", "handed_the_first_cotangent"],
    graphs: [diamond],
    steps: [record("a", { x: [0.5, -2] }, { hooks: [1, 2] }), ...script("a 3=[3,7]; a 3=[-5,11]; a 3=[3,7]")],
  }),
  tapes("hooks_of_values_of_one_shape 4.13", {
    note: "sin, exp, tanh of a vector with hooks on all: each is handed its own cotangent, the last one first, and may keep it",
    faults: ["handed_anothers_cotangent", "handed_arrays_are_used_again", "called_first_to_last"],
    graphs: [graph({ x: [2] }, "sin 0; exp 1; tanh 2")],
    steps: [record("a", { x: [0.5, -2] }, { hooks: [0, 1, 2, 3] }), ...script("a 3=[3,7]")],
  }),
  tapes("hooks_of_a_chain_of_eight 4.13: handed_anothers_cotangent called_first_to_last", {
    note: "sin eight times over, with hooks on each: who computes parts of the chain again calls each hook once all the same",
    graphs: [graph({ x: [] }, "sin 0; sin 1; sin 2; sin 3; sin 4; sin 5; sin 6; sin 7")],
    steps: [record("a", { x: 0.75 }, { hooks: [0, 1, 2, 3, 4, 5, 6, 7, 8] }), ...script("a 8=3; a 8=-7")],
  }),
  tapes("hooks_and_a_seed_that_does_not_fit 4.13: called_although_refused", {
    note: "a seed of three elements for two is refused, and no hook has been called; the next sweep calls them",
    graphs: [product],
    steps: [record("a", where, { hooks: [2, 3] }), ...script("a 3=[3,7,11] must; a 3=[3,7]")],
  }),
  tapes("hooks_of_a_released_tape 4.13: called_although_refused", {
    note: "the hooks of a tape that was released are not called any more",
    graphs: [product],
    steps: [record("a", where, { hooks: [2, 3] }), ...script("a 3=[3,7]; release a; a 3=[3,7] must")],
  }),
  tapes("hooks_of_a_tape_for_one_sweep 4.13: once_answers_again", {
    note: "a tape for one sweep calls its hooks in that one; a second sweep must be refused, though it may have begun",
    graphs: [product],
    steps: [record("a", where, { life: "once", hooks: [2, 3] }), ...script("a 3=[3,7]; a 3=[3,7] must")],
  }),
  tapes("hooks_of_one_tape_of_two 4.13: hooks_of_the_first_recording", {
    note: "two tapes of a graph, with hooks on other values: a sweep of the one calls none of the other's",
    graphs: [product],
    steps: [
      record("a", where, { hooks: [2] }),
      record("b", { x: [0.25, 1], y: [3, -4] }, { hooks: [1, 3] }),
      ...script("b 3=[3,7]; a 3=[3,7]"),
    ],
  }),
  tapes("hooks_change_no_answer 4.13: hook_gives_nothing_back", {
    note: "a hook gives nothing back, and the cotangent goes on as it was: with hooks and without them a sweep answers alike",
    graphs: [product],
    steps: [
      record("with", where, { hooks: [0, 2, 3] }),
      record("without", where),
      ...script("with 3=[3,7]; without 3=[3,7]"),
    ],
  }),
  tapes("hooks_of_two_sweeps_together 4.13", {
    note: "two sweeps are under way at once: each calls the hooks with its own cotangents",
    graphs: [diamond],
    steps: [record("a", { x: [0.5, -2] }, { hooks: [1, 2] }), ...script("a 3=[3,7]; beside a 3=[-5,11]")],
  }),
  tapes("hook_where_nothing_comes 4.13", {
    note: "x · y and sin x, of which the first is seeded: the hook on the other is not called, or with zeros; behind a stop likewise",
    graphs: [graph({ x: [2], y: [2] }, "sin 0; stop_gradient 2; multiply 3 1")],
    steps: [record("a", where, { of: [2, 4], hooks: [0, 2, 3, 4] }), ...script("a 4=[3,7]; a 2=[3,7]")],
  }),
  tapes("hook_on_a_composite 4.13: handed_anothers_cotangent", {
    note: "softmax of a row and its product with another, whole or written out: a hook on what it gives, and on what it reads",
    graphs: [graph({ x: [3], y: [3] }, "exp 0; softmax 2 axis=0; multiply 3 1")],
    steps: [
      record("a", { x: [0.5, -1, 2], y: [2, 3, 5] }, { hooks: [2, 3] }),
      ...script("a 4=[3,5,7]; a 4=[-2,1,11]"),
    ],
  }),
];
