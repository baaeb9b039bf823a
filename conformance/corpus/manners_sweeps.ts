import { beside, type GraphText, type MannersText, record, release, sweep } from "./manners_text.ts";

/** Computes x · y, whose rule reads both operands. */
const product: GraphText = { inputs: { x: [2], y: [2] }, nodes: [["multiply", [0, 1]]] };

/** Computes exp x, whose rule reads the value. */
const exponential: GraphText = { inputs: { x: [2] }, nodes: [["exp", [0]]] };

/** Computes x + y, whose rule reads nothing. */
const total: GraphText = { inputs: { x: [2], y: [2] }, nodes: [["add", [0, 1]]] };

/** Computes d · d + d of d = sin x, which is read three times. */
const diamond: GraphText = {
  inputs: { x: [2] },
  nodes: [
    ["sin", [0]],
    ["multiply", [1, 1]],
    ["add", [2, 1]],
  ],
};

const where = { x: [2, -3], y: [5, 0.5] } as const;

/** Vectors of single tapes: how often one is swept, and from which seeds. */
export const sweeping: readonly MannersText[] = [
  {
    name: "twice_the_same",
    clause: "4.10",
    note: "x · y swept twice from the same seeds: the same cotangents, to the bit [twice as much, or nothing]",
    faults: ["starts_from_the_last_cotangents", "second_sweep_is_zero", "other_digits_each_time"],
    graphs: [product],
    steps: [record("a", where), sweep("a", { 2: [3, 7] }), sweep("a", { 2: [3, 7] })],
  },
  {
    name: "twice_with_other_seeds",
    clause: "4.10",
    note: "x · y swept from two seeds: each sweep begins with its own [the first answer again, or the sum of both]",
    faults: ["answers_from_memory", "seeds_add_up", "answers_share_a_buffer"],
    graphs: [product],
    steps: [record("a", where), sweep("a", { 2: [3, 7] }), sweep("a", { 2: [-5, 11] })],
  },
  {
    name: "three_sweeps",
    clause: "4.10",
    note: "the third sweep, from the seeds of the first, answers as that did",
    faults: ["third_sweep_doubles", "until_released_answers_once"],
    graphs: [product],
    steps: [
      record("a", where),
      sweep("a", { 2: [3, 7] }),
      sweep("a", { 2: [-5, 11] }),
      sweep("a", { 2: [3, 7] }),
    ],
  },
  {
    name: "diamond_swept_twice",
    clause: "4.10",
    defects: ["A06"],
    note: "a value with three readers: a second sweep that begins with the cotangents inside adds them once more",
    faults: ["starts_from_the_last_cotangents"],
    graphs: [diamond],
    steps: [record("a", { x: [0.5, -2] }), sweep("a", { 3: [3, 7] }), sweep("a", { 3: [3, 7] })],
  },
  {
    name: "values_within_in_turn",
    clause: "4.10",
    note: "seeds at a value within, then at the last one, then at both: what is not seeded starts at zero each time",
    faults: ["seeds_add_up"],
    graphs: [diamond],
    steps: [
      record("a", { x: [0.5, -2] }, { of: [1, 3] }),
      sweep("a", { 1: [3, 7] }),
      sweep("a", { 3: [5, 11] }),
      sweep("a", { 1: [3, 7], 3: [5, 11] }),
    ],
  },
  {
    name: "seed_at_an_input",
    clause: "4.12",
    note: "a seed at an input is its cotangent: a copy of it, which the caller's next use of the array does not change",
    faults: ["seed_is_the_answer"],
    graphs: [product],
    steps: [
      record("a", where, { of: [0, 2] }),
      sweep("a", { 0: [3, 7] }),
      sweep("a", { 0: [3, 7], 2: [5, 11] }),
    ],
  },
  {
    name: "saved_value_of_tanh",
    clause: "4.10",
    note: "1 − tanh² is computed from the saved value, which is still there for the second sweep",
    faults: ["until_released_answers_once"],
    graphs: [{ inputs: { x: [2] }, nodes: [["tanh", [0]]] }],
    steps: [record("a", { x: [0.5, -1.25] }), sweep("a", { 1: [3, 7] }), sweep("a", { 1: [-2, 5] })],
  },
  {
    name: "condition_is_kept",
    clause: "4.10",
    note: "the branch that was taken is taken by every sweep",
    graphs: [
      {
        inputs: { x: [3], y: [3] },
        nodes: [
          ["less", [0, 1]],
          ["multiply", [0, 1]],
          ["exp", [1]],
          ["where", [2, 3, 4]],
        ],
      },
    ],
    steps: [
      record("a", { x: [1, 5, -2], y: [2, 0.5, 1] }),
      sweep("a", { 5: [3, 5, 7] }),
      sweep("a", { 5: [-1, 2, 11] }),
    ],
  },
  {
    name: "chain_of_eight",
    clause: "4.10",
    note: "sin eight times over: who computes parts of the chain again does so for each sweep",
    graphs: [
      {
        inputs: { x: [] },
        nodes: [0, 1, 2, 3, 4, 5, 6, 7].map((id) => ["sin", [id]] as const),
      },
    ],
    steps: [record("a", { x: 0.75 }), sweep("a", { 8: 3 }), sweep("a", { 8: -7 }), sweep("a", { 8: 3 })],
  },
  {
    name: "composite_swept_twice",
    clause: "4.10",
    note: "softmax of a row, whole or written out: what it saves is there twice",
    graphs: [{ inputs: { x: [3] }, nodes: [["softmax", [0], { axis: 0 }]] }],
    steps: [
      record("a", { x: [0.5, -1, 2] }),
      sweep("a", { 1: [3, 5, 7] }),
      sweep("a", { 1: [-2, 1, 11] }),
      sweep("a", { 1: [3, 5, 7] }),
    ],
  },
  {
    name: "nothing_swept_twice",
    clause: "4.10",
    note: "a tensor without elements has a tape, too",
    graphs: [{ inputs: { x: [0], y: [0] }, nodes: [["multiply", [0, 1]]] }],
    steps: [
      record("a", { x: { tensor: [[0], []] }, y: { tensor: [[0], []] } }),
      sweep("a", { 2: { tensor: [[0], []] } }),
      sweep("a", { 2: { tensor: [[0], []] } }),
    ],
  },
  {
    name: "two_sweeps_together",
    clause: "4.10",
    defects: ["A11"],
    note: "a sweep is begun before another one is answered: each has slots of its own",
    faults: ["sweeps_share_slots"],
    graphs: [diamond],
    steps: [
      record("a", { x: [0.5, -2] }),
      sweep("a", { 3: [3, 7] }),
      beside("a", { 3: [-5, 11] }),
      sweep("a", { 3: [3, 7] }),
    ],
  },
  {
    name: "once_and_again",
    clause: "4.10",
    defects: ["A21"],
    note: "exp on a tape for one sweep: the value that the rule reads was given up, so a second sweep must be refused [wrong numbers, or the right ones by luck]",
    faults: ["once_answers_again"],
    graphs: [exponential],
    steps: [
      record("a", { x: [0.5, -2] }, { life: "once" }),
      sweep("a", { 1: [3, 7] }),
      sweep("a", { 1: [3, 7] }, "must"),
    ],
  },
  {
    name: "once_and_with_other_seeds",
    clause: "4.10",
    defects: ["A21"],
    note: "x · y on a tape for one sweep: other seeds read the same operands, and must be refused too",
    faults: ["once_answers_again"],
    graphs: [product],
    steps: [
      record("a", where, { life: "once" }),
      sweep("a", { 2: [3, 7] }),
      sweep("a", { 2: [-5, 11] }, "must"),
    ],
  },
  {
    name: "once_where_nothing_is_saved",
    clause: "4.10",
    note: "x + y saves nothing: a second sweep of a tape for one may be refused, and may be right",
    graphs: [total],
    steps: [
      record("a", where, { life: "once" }),
      sweep("a", { 2: [3, 7] }),
      sweep("a", { 2: [-5, 11] }, "may"),
    ],
  },
  {
    name: "once_each",
    clause: "4.10",
    note: "a sweep of one tape does not spend another one of the same graph",
    graphs: [product],
    steps: [
      record("a", where, { life: "once" }),
      record("b", { x: [7, 1], y: [3, -4] }, { life: "once" }),
      sweep("a", { 2: [3, 7] }),
      sweep("b", { 2: [3, 7] }),
      sweep("a", { 2: [3, 7] }, "must"),
    ],
  },
  {
    name: "released_before_it_was_swept",
    clause: "4.11",
    defects: ["A21"],
    note: "a tape that was released has nothing to sweep",
    faults: ["released_tape_answers"],
    graphs: [product],
    steps: [record("a", where), release("a"), sweep("a", { 2: [3, 7] }, "must")],
  },
  {
    name: "released_after_a_sweep",
    clause: "4.11",
    defects: ["A21"],
    note: "swept, released, swept: the answer that was given before is no answer any more",
    faults: ["released_tape_answers"],
    graphs: [exponential],
    steps: [
      record("a", { x: [0.5, -2] }),
      sweep("a", { 1: [3, 7] }),
      release("a"),
      sweep("a", { 1: [3, 7] }, "must"),
    ],
  },
  {
    name: "released_where_nothing_is_saved",
    clause: "4.11",
    note: "x + y saves nothing, and its tape was released all the same",
    faults: ["released_tape_answers"],
    graphs: [total],
    steps: [record("a", where), release("a"), sweep("a", { 2: [3, 7] }, "must")],
  },
  {
    name: "released_twice",
    clause: "4.11",
    note: "to release a tape twice is to release it once",
    graphs: [product],
    steps: [
      record("a", where),
      sweep("a", { 2: [3, 7] }),
      release("a"),
      release("a"),
      sweep("a", { 2: [3, 7] }, "must"),
    ],
  },
  {
    name: "released_when_it_was_spent",
    clause: "4.11",
    note: "a tape for one sweep that was swept can still be released",
    graphs: [exponential],
    steps: [
      record("a", { x: [0.5, -2] }, { life: "once" }),
      sweep("a", { 1: [3, 7] }),
      release("a"),
      sweep("a", { 1: [3, 7] }, "must"),
    ],
  },
];
