import { type GraphText, graph, type MannersText, record, script, tapes } from "./manners_text.ts";

const product: GraphText = graph({ x: [2], y: [2] }, "multiply 0 1");
const quotient: GraphText = graph({ x: [2], y: [2] }, "divide 0 1");
const cube: GraphText = graph({ x: [] }, "full shape=[] value=3; pow 0 1");

const here = { x: [2, -3], y: [5, 0.5] } as const;
const there = { x: [7, 1], y: [3, -4] } as const;

/** Vectors of several tapes at once, and of sweeps that are refused. */
export const several: readonly MannersText[] = [
  tapes("two_points_in_turn 4.10: recording_overwrites pullback_of_the_first_recording", {
    note: "two tapes of one graph at two points, swept in turn: each has its own operands",
    graphs: [product],
    steps: [record("a", here), record("b", there), ...script("a 2=[3,7]; b 2=[3,7]; a 2=[3,7]")],
  }),
  tapes("another_recorded_and_released 4.10: release_takes_all recording_overwrites", {
    note: "tape a is swept after b was recorded, swept and released: it is where it was",
    graphs: [product],
    steps: [record("a", here), record("b", there), ...script("b 2=[5,11]; release b; a 2=[3,7]")],
  }),
  tapes("first_of_two_released 4.11: release_takes_the_newest release_takes_all", {
    note: "of two tapes the first is released, and the second answers",
    graphs: [product],
    steps: [record("a", here), record("b", there), ...script("release a; b 2=[3,7]; a 2=[3,7] must")],
  }),
  tapes("newer_tape_stays 4.10: recording_overwrites", {
    note: "two tapes without a release: sweeping the older one leaves the newer one as it was, on engines that forget as well",
    graphs: [quotient],
    steps: [
      record("a", here),
      ...script("a 2=[3,7]"),
      record("b", there),
      ...script("a 2=[5,11]; b 2=[3,7]"),
    ],
  }),
  tapes("two_graphs_of_the_same_inputs 4.10: graphs_are_taken_for_one", {
    note: "x · y and x ÷ y, recorded at one point and swept in turn",
    graphs: [product, quotient],
    steps: [record("a", here), record("b", here, { graph: 1 }), ...script("a 2=[3,7]; b 2=[3,7]; a 2=[3,7]")],
  }),
  tapes("tapes_of_two_graphs_together 4.10", {
    note: "sweeps of tapes of two graphs, each begun before the one before it is answered",
    graphs: [product, quotient],
    steps: [
      record("a", here),
      record("b", there, { graph: 1 }),
      ...script("a 2=[3,7]; beside b 2=[5,11]; beside a 2=[-2,13]"),
    ],
  }),
  tapes("eight_tapes_backwards 4.10: recording_overwrites pullback_of_the_first_recording", {
    note: "eight tapes of x³ at 1 to 8, swept from the last to the first",
    graphs: [cube],
    steps: [
      ...[1, 2, 3, 4, 5, 6, 7, 8].map((x) => record(`at${x}`, { x })),
      ...script("at8 2=2; at7 2=2; at6 2=2; at5 2=2; at4 2=2; at3 2=2; at2 2=2; at1 2=2"),
    ],
  }),
  tapes("wrong_shape_and_then_right 4.11: wrong_shape_is_taken refusal_releases", {
    note: "a seed of three elements for two must be refused, and the sweep after it is as if that had not been asked",
    graphs: [product],
    steps: [record("a", here), ...script("a 2=[3,7,11] must; a 2=[3,7]; a 2=[3,7]")],
  }),
  tapes("number_for_a_vector 4.11: wrong_shape_is_taken", {
    note: "a single number is no cotangent of two elements: it must not be broadcast",
    graphs: [product],
    steps: [record("a", here), ...script("a 2=3 must; a 2=[3,7]")],
  }),
  tapes("vector_for_a_number 4.11: wrong_shape_is_taken", {
    note: "one element in a row is no number: it must be refused, and not summed",
    graphs: [cube],
    steps: [record("a", { x: 2 }), ...script("a 2=[3] must; a 2=3")],
  }),
  tapes("row_for_a_column 4.11: wrong_shape_is_taken", {
    note: "as many elements in another shape are another cotangent",
    graphs: [graph({ x: [2, 1] }, "exp 0")],
    steps: [record("a", { x: [[0.5], [-2]] }), ...script("a 1=[[3,7]] must; a 1=[[3],[7]]")],
  }),
  tapes("missing_id_and_then_right 4.11: foreign_seed_is_dropped refusal_releases", {
    note: "a seed at an id that the graph has not must be refused, and the next sweep is right",
    graphs: [product],
    steps: [record("a", here), ...script("a 9=[3,7] must; a 2=[3,7]")],
  }),
  tapes("id_that_was_not_named 4.11: foreign_seed_is_dropped", {
    note: "the tape was recorded for seeds at the last id alone: one at a value within must be refused, and not be dropped",
    graphs: [graph({ x: [2] }, "sin 0; exp 1")],
    steps: [record("a", { x: [0.5, -2] }), ...script("a 1=[3,7] must; a 2=[3,7]; a 1=[3,7] 2=[5,11] must")],
  }),
  tapes("half_of_the_seeds_fit 4.11: refusal_leaves_seeds", {
    note: "of two seeds one fits: refused, and nothing of the sweep is left for the next one",
    graphs: [graph({ x: [2] }, "sin 0; exp 1")],
    steps: [
      record("a", { x: [0.5, -2] }, { of: [1, 2] }),
      ...script("a 1=[3,7] 2=[5,11,13] must; a 2=[5,11]; a 1=[3,7]"),
    ],
  }),
  tapes("refused_and_then_once 4.11: refusal_spends refusal_releases", {
    note: "a refused sweep is not the one sweep of a tape for one",
    graphs: [product],
    steps: [record("a", here, { life: "once" }), ...script("a 2=[3,7,11] must; a 2=[3,7]; a 2=[3,7] must")],
  }),
];
