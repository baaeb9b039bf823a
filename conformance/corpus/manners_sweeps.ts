import { type GraphText, graph, type MannersText, record, script, tapes } from "./manners_text.ts";

/** Computes x · y, whose rule reads both operands. */
const product: GraphText = graph({ x: [2], y: [2] }, "multiply 0 1");

/** Computes exp x, whose rule reads the value. */
const exponential: GraphText = graph({ x: [2] }, "exp 0");

/** Computes x + y, whose rule reads nothing. */
const total: GraphText = graph({ x: [2], y: [2] }, "add 0 1");

/** Computes d · d + d of d = sin x, which is read three times. */
const diamond: GraphText = graph({ x: [2] }, "sin 0; multiply 1 1; add 2 1");

const where = { x: [2, -3], y: [5, 0.5] } as const;

/** Vectors of single tapes: how often one is swept, and from which seeds. */
export const sweeping: readonly MannersText[] = [
  tapes("twice_the_same 4.10: starts_from_the_last_cotangents second_sweep_is_zero other_digits_each_time", {
    note: "x · y swept twice from the same seeds: the same cotangents, to the bit [twice as much, or nothing]",
    graphs: [product],
    steps: [record("a", where), ...script("a 2=[3,7]; a 2=[3,7]")],
  }),
  tapes("twice_with_other_seeds 4.10: answers_from_memory seeds_add_up answers_share_a_buffer", {
    note: "x · y swept from two seeds: each sweep begins with its own [the first answer again, or the sum of both]",
    graphs: [product],
    steps: [record("a", where), ...script("a 2=[3,7]; a 2=[-5,11]")],
  }),
  tapes("three_sweeps 4.10: third_sweep_doubles until_released_answers_once", {
    note: "the third sweep, from the seeds of the first, answers as that did",
    graphs: [product],
    steps: [record("a", where), ...script("a 2=[3,7]; a 2=[-5,11]; a 2=[3,7]")],
  }),
  tapes("diamond_swept_twice 4.10 A06: starts_from_the_last_cotangents", {
    note: "a value with three readers: a second sweep that begins with the cotangents inside adds them once more",
    graphs: [diamond],
    steps: [record("a", { x: [0.5, -2] }), ...script("a 3=[3,7]; a 3=[3,7]")],
  }),
  tapes("values_within_in_turn 4.10: seeds_add_up", {
    note: "seeds at a value within, then at the last one, then at both: what is not seeded starts at zero each time",
    graphs: [diamond],
    steps: [
      record("a", { x: [0.5, -2] }, { of: [1, 3] }),
      ...script("a 1=[3,7]; a 3=[5,11]; a 1=[3,7] 3=[5,11]"),
    ],
  }),
  tapes("seed_at_an_input 4.12: seed_is_the_answer", {
    note: "a seed at an input is its cotangent: a copy of it, which the caller's next use of the array does not change",
    graphs: [product],
    steps: [record("a", where, { of: [0, 2] }), ...script("a 0=[3,7]; a 0=[3,7] 2=[5,11]")],
  }),
  tapes("saved_value_of_tanh 4.10: until_released_answers_once", {
    note: "1 − tanh² is computed from the saved value, which is still there for the second sweep",
    graphs: [graph({ x: [2] }, "tanh 0")],
    steps: [record("a", { x: [0.5, -1.25] }), ...script("a 1=[3,7]; a 1=[-2,5]")],
  }),
  tapes("condition_is_kept 4.10", {
    note: "the branch that was taken is taken by every sweep",
    graphs: [graph({ x: [3], y: [3] }, "less 0 1; multiply 0 1; exp 1; where 2 3 4")],
    steps: [record("a", { x: [1, 5, -2], y: [2, 0.5, 1] }), ...script("a 5=[3,5,7]; a 5=[-1,2,11]")],
  }),
  tapes("chain_of_eight 4.10", {
    note: "sin eight times over: who computes parts of the chain again does so for each sweep",
    graphs: [graph({ x: [] }, "sin 0; sin 1; sin 2; sin 3; sin 4; sin 5; sin 6; sin 7")],
    steps: [record("a", { x: 0.75 }), ...script("a 8=3; a 8=-7; a 8=3")],
  }),
  tapes("composite_swept_twice 4.10", {
    note: "softmax of a row, whole or written out: what it saves is there twice",
    graphs: [graph({ x: [3] }, "softmax 0 axis=0")],
    steps: [record("a", { x: [0.5, -1, 2] }), ...script("a 1=[3,5,7]; a 1=[-2,1,11]; a 1=[3,5,7]")],
  }),
  tapes("nothing_swept_twice 4.10", {
    note: "a tensor without elements has a tape, too",
    graphs: [graph({ x: [0], y: [0] }, "multiply 0 1")],
    steps: [record("a", { x: [], y: [] }), ...script("a 2=[]; a 2=[]")],
  }),
  tapes("two_sweeps_together 4.10 A11: sweeps_share_slots", {
    note: "a sweep is begun before another one is answered: each has slots of its own",
    graphs: [diamond],
    steps: [record("a", { x: [0.5, -2] }), ...script("a 3=[3,7]; beside a 3=[-5,11]; a 3=[3,7]")],
  }),
  tapes("once_and_again 4.10 A21: once_answers_again", {
    note: "exp on a tape for one sweep: the value that the rule reads was given up, so a second sweep must be refused [wrong numbers, or the right ones by luck]",
    graphs: [exponential],
    steps: [record("a", { x: [0.5, -2] }, { life: "once" }), ...script("a 1=[3,7]; a 1=[3,7] must")],
  }),
  tapes("once_and_with_other_seeds 4.10 A21: once_answers_again", {
    note: "x · y on a tape for one sweep: other seeds read the same operands, and must be refused too",
    graphs: [product],
    steps: [record("a", where, { life: "once" }), ...script("a 2=[3,7]; a 2=[-5,11] must")],
  }),
  tapes("once_where_nothing_is_saved 4.10", {
    note: "x + y saves nothing: a second sweep of a tape for one may be refused, and may be right",
    graphs: [total],
    steps: [record("a", where, { life: "once" }), ...script("a 2=[3,7]; a 2=[-5,11] may")],
  }),
  tapes("once_each 4.10", {
    note: "a sweep of one tape does not spend another one of the same graph",
    graphs: [product],
    steps: [
      record("a", where, { life: "once" }),
      record("b", { x: [7, 1], y: [3, -4] }, { life: "once" }),
      ...script("a 2=[3,7]; b 2=[3,7]; a 2=[3,7] must"),
    ],
  }),
  tapes("released_before_it_was_swept 4.11 A21: released_tape_answers", {
    note: "a tape that was released has nothing to sweep",
    graphs: [product],
    steps: [record("a", where), ...script("release a; a 2=[3,7] must")],
  }),
  tapes("released_after_a_sweep 4.11 A21: released_tape_answers", {
    note: "swept, released, swept: the answer that was given before is no answer any more",
    graphs: [exponential],
    steps: [record("a", { x: [0.5, -2] }), ...script("a 1=[3,7]; release a; a 1=[3,7] must")],
  }),
  tapes("released_where_nothing_is_saved 4.11: released_tape_answers", {
    note: "x + y saves nothing, and its tape was released all the same",
    graphs: [total],
    steps: [record("a", where), ...script("release a; a 2=[3,7] must")],
  }),
  tapes("released_twice 4.11", {
    note: "to release a tape twice is to release it once",
    graphs: [product],
    steps: [record("a", where), ...script("a 2=[3,7]; release a; release a; a 2=[3,7] must")],
  }),
  tapes("released_when_it_was_spent 4.11", {
    note: "a tape for one sweep that was swept can still be released",
    graphs: [exponential],
    steps: [
      record("a", { x: [0.5, -2] }, { life: "once" }),
      ...script("a 1=[3,7]; release a; a 1=[3,7] must"),
    ],
  }),
];
