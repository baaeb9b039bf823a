import { beside, type GraphText, type MannersText, record, release, sweep } from "./manners_text.ts";

const product: GraphText = { inputs: { x: [2], y: [2] }, nodes: [["multiply", [0, 1]]] };
const quotient: GraphText = { inputs: { x: [2], y: [2] }, nodes: [["divide", [0, 1]]] };
const cube: GraphText = {
  inputs: { x: [] },
  nodes: [
    ["full", [], { shape: [], value: 3 }],
    ["pow", [0, 1]],
  ],
};

const here = { x: [2, -3], y: [5, 0.5] } as const;
const there = { x: [7, 1], y: [3, -4] } as const;

/** Vectors of several tapes at once, and of sweeps that are refused. */
export const several: readonly MannersText[] = [
  {
    name: "two_points_in_turn",
    clause: "4.10",
    note: "two tapes of one graph at two points, swept in turn: each has its own operands",
    faults: ["recording_overwrites", "pullback_of_the_first_recording"],
    graphs: [product],
    steps: [
      record("a", here),
      record("b", there),
      sweep("a", { 2: [3, 7] }),
      sweep("b", { 2: [3, 7] }),
      sweep("a", { 2: [3, 7] }),
    ],
  },
  {
    name: "another_recorded_and_released",
    clause: "4.10",
    note: "tape a is swept after b was recorded, swept and released: it is where it was",
    faults: ["release_takes_all", "recording_overwrites"],
    graphs: [product],
    steps: [
      record("a", here),
      record("b", there),
      sweep("b", { 2: [5, 11] }),
      release("b"),
      sweep("a", { 2: [3, 7] }),
    ],
  },
  {
    name: "first_of_two_released",
    clause: "4.11",
    note: "of two tapes the first is released, and the second answers",
    faults: ["release_takes_the_newest", "release_takes_all"],
    graphs: [product],
    steps: [
      record("a", here),
      record("b", there),
      release("a"),
      sweep("b", { 2: [3, 7] }),
      sweep("a", { 2: [3, 7] }, "must"),
    ],
  },
  {
    name: "newer_tape_stays",
    clause: "4.10",
    note: "two tapes without a release: sweeping the older one leaves the newer one as it was, on engines that forget as well",
    faults: ["recording_overwrites"],
    graphs: [quotient],
    steps: [
      record("a", here),
      sweep("a", { 2: [3, 7] }),
      record("b", there),
      sweep("a", { 2: [5, 11] }),
      sweep("b", { 2: [3, 7] }),
    ],
  },
  {
    name: "two_graphs_of_the_same_inputs",
    clause: "4.10",
    note: "x · y and x ÷ y, recorded at one point and swept in turn",
    faults: ["graphs_are_taken_for_one"],
    graphs: [product, quotient],
    steps: [
      record("a", here),
      record("b", here, { graph: 1 }),
      sweep("a", { 2: [3, 7] }),
      sweep("b", { 2: [3, 7] }),
      sweep("a", { 2: [3, 7] }),
    ],
  },
  {
    name: "tapes_of_two_graphs_together",
    clause: "4.10",
    note: "sweeps of tapes of two graphs, each begun before the one before it is answered",
    graphs: [product, quotient],
    steps: [
      record("a", here),
      record("b", there, { graph: 1 }),
      sweep("a", { 2: [3, 7] }),
      beside("b", { 2: [5, 11] }),
      beside("a", { 2: [-2, 13] }),
    ],
  },
  {
    name: "eight_tapes_backwards",
    clause: "4.10",
    note: "eight tapes of x³ at 1 to 8, swept from the last to the first",
    faults: ["recording_overwrites", "pullback_of_the_first_recording"],
    graphs: [cube],
    steps: [
      ...[1, 2, 3, 4, 5, 6, 7, 8].map((x) => record(`at${x}`, { x })),
      ...[8, 7, 6, 5, 4, 3, 2, 1].map((x) => sweep(`at${x}`, { 2: 2 })),
    ],
  },
  {
    name: "wrong_shape_and_then_right",
    clause: "4.11",
    note: "a seed of three elements for two must be refused, and the sweep after it is as if that had not been asked",
    faults: ["wrong_shape_is_taken", "refusal_releases"],
    graphs: [product],
    steps: [
      record("a", here),
      sweep("a", { 2: [3, 7, 11] }, "must"),
      sweep("a", { 2: [3, 7] }),
      sweep("a", { 2: [3, 7] }),
    ],
  },
  {
    name: "number_for_a_vector",
    clause: "4.11",
    note: "a single number is no cotangent of two elements: it must not be broadcast",
    faults: ["wrong_shape_is_taken"],
    graphs: [product],
    steps: [record("a", here), sweep("a", { 2: 3 }, "must"), sweep("a", { 2: [3, 7] })],
  },
  {
    name: "vector_for_a_number",
    clause: "4.11",
    note: "one element in a row is no number: it must be refused, and not summed",
    faults: ["wrong_shape_is_taken"],
    graphs: [cube],
    steps: [record("a", { x: 2 }), sweep("a", { 2: [3] }, "must"), sweep("a", { 2: 3 })],
  },
  {
    name: "row_for_a_column",
    clause: "4.11",
    note: "as many elements in another shape are another cotangent",
    faults: ["wrong_shape_is_taken"],
    graphs: [{ inputs: { x: [2, 1] }, nodes: [["exp", [0]]] }],
    steps: [
      record("a", { x: [[0.5], [-2]] }),
      sweep("a", { 1: [[3, 7]] }, "must"),
      sweep("a", { 1: [[3], [7]] }),
    ],
  },
  {
    name: "missing_id_and_then_right",
    clause: "4.11",
    note: "a seed at an id that the graph has not must be refused, and the next sweep is right",
    faults: ["foreign_seed_is_dropped", "refusal_releases"],
    graphs: [product],
    steps: [record("a", here), sweep("a", { 9: [3, 7] }, "must"), sweep("a", { 2: [3, 7] })],
  },
  {
    name: "id_that_was_not_named",
    clause: "4.11",
    note: "the tape was recorded for seeds at the last id alone: one at a value within must be refused, and not be dropped",
    faults: ["foreign_seed_is_dropped"],
    graphs: [
      {
        inputs: { x: [2] },
        nodes: [
          ["sin", [0]],
          ["exp", [1]],
        ],
      },
    ],
    steps: [
      record("a", { x: [0.5, -2] }),
      sweep("a", { 1: [3, 7] }, "must"),
      sweep("a", { 2: [3, 7] }),
      sweep("a", { 1: [3, 7], 2: [5, 11] }, "must"),
    ],
  },
  {
    name: "half_of_the_seeds_fit",
    clause: "4.11",
    note: "of two seeds one fits: refused, and nothing of the sweep is left for the next one",
    faults: ["refusal_leaves_seeds"],
    graphs: [
      {
        inputs: { x: [2] },
        nodes: [
          ["sin", [0]],
          ["exp", [1]],
        ],
      },
    ],
    steps: [
      record("a", { x: [0.5, -2] }, { of: [1, 2] }),
      sweep("a", { 1: [3, 7], 2: [5, 11, 13] }, "must"),
      sweep("a", { 2: [5, 11] }),
      sweep("a", { 1: [3, 7] }),
    ],
  },
  {
    name: "refused_and_then_once",
    clause: "4.11",
    note: "a refused sweep is not the one sweep of a tape for one",
    faults: ["refusal_spends", "refusal_releases"],
    graphs: [product],
    steps: [
      record("a", here, { life: "once" }),
      sweep("a", { 2: [3, 7, 11] }, "must"),
      sweep("a", { 2: [3, 7] }),
      sweep("a", { 2: [3, 7] }, "must"),
    ],
  },
];
