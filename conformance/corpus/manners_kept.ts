import type { Graph } from "../../spec/graph/index.ts";
import { numbers } from "./case_text.ts";
import { type GraphText, graph, type MannersText, record, script, tapes } from "./manners_text.ts";

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
const writtenOut: GraphText = graph(
  { x: [2], c: [2] },
  "full shape=[2] value=3; multiply 0 0; multiply 2 3; multiply 4 1",
);

const scalarSquare: GraphText = graph({ v: [] }, "multiply 0 0");

function derivativeOnTape(mode: "vjp" | "jvp"): MannersText {
  return tapes(`derivative_on_a_tape_${mode} 6.6`, {
    note: `the ${mode} of u³ as a node, beside 3x²c written out: swept twice, the second derivative is the same`,
    graphs: [nested(mode), writtenOut],
    steps: [
      record("whole", { x: [2, -1.5], c: [3, 5] }),
      record("written", { x: [2, -1.5], c: [3, 5] }, { graph: 1 }),
      ...script("whole 2=[7,11]; written 5=[7,11]; whole 2=[-2,3]; written 5=[-2,3]; whole 2=[7,11]"),
    ],
  });
}

/** Vectors of what a tape keeps of the point, Δ, masks and values that rules captured. */
export const keeping: readonly MannersText[] = [
  derivativeOnTape("vjp"),
  derivativeOnTape("jvp"),
  tapes("derivatives_at_two_points 6.6: pullback_of_the_first_recording", {
    note: "two tapes of a derivative, each of the run within at its own point",
    graphs: [nested("vjp")],
    steps: [
      record("a", { x: [2, -1.5], c: [3, 5] }),
      record("b", { x: [7, 0.5], c: [3, 5] }),
      ...script("a 2=[7,11]; b 2=[7,11]; a 2=[7,11]"),
    ],
  }),
  tapes("mask_is_not_drawn_again 4.10 D17: mask_drawn_again", {
    note: "dropout on a tape: the second sweep has the mask of the first, and of the run",
    graphs: [
      graph({ x: [8] }, "bernoulli_mask shape=[8] key=key rate=0.5; multiply 0 1; sin 2", {
        indices: { key: [2] },
      }),
    ],
    steps: [
      record("a", { x: [2, 3, 5, 7, 11, 13, 17, 19], key: [7, 11] }),
      ...script("a 3=[3,5,7,11,13,17,19,23]; a 3=[3,5,7,11,13,17,19,23]; a 3=[1,2,3,4,5,6,7,8]"),
    ],
  }),
  tapes("masks_of_two_keys 4.10 D17: constants_of_the_first_recording mask_drawn_again", {
    note: "two tapes with masks of two keys, swept in turn: each has its own",
    graphs: [
      graph({ x: [8] }, "bernoulli_mask shape=[8] key=key rate=0.5; multiply 0 1", {
        indices: { key: [2] },
      }),
    ],
    steps: [
      record("a", { x: [2, 3, 5, 7, 11, 13, 17, 19], key: [7, 11] }),
      record("b", { x: [2, 3, 5, 7, 11, 13, 17, 19], key: [8, 11] }),
      ...script("a 2=[3,5,7,11,13,17,19,23]; b 2=[3,5,7,11,13,17,19,23]; a 2=[3,5,7,11,13,17,19,23]"),
    ],
  }),
  tapes("indices_are_the_callers_again 4.12 N57: indices_by_reference", {
    note: "a row is taken by an index that the caller uses for something else afterwards: the cotangent goes to the row that was taken",
    graphs: [
      graph({ x: [2, 2] }, "take 0 axis=0 indices=start; sum 1 axes=[0,1] keepdims=false", {
        indices: { start: [1] },
      }),
    ],
    steps: [
      record("a", { x: numbers("[1, 2], [3, 4]"), start: [0] }),
      record("b", { x: numbers("[1, 2], [3, 4]"), start: [1] }),
      ...script("a 2=1; b 2=10; a 2=1"),
    ],
  }),
  tapes("point_is_the_callers_again 4.12: inputs_by_reference", {
    note: "the arrays of the point are used for something else once the tape is recorded: it has read them",
    graphs: [graph({ x: [2] }, "constant name=a; multiply 0 0; multiply 1 2", { constants: { a: [2] } })],
    steps: [record("t", { x: [2, -3], a: [5, 0.5] }), ...script("t 3=[3,7]; t 3=[3,7]")],
  }),
  tapes("rule_of_its_own_beside_another_reader 4.10 N59", {
    note: "logsumexp m, which engines give a rule of their own, plus m: the rule adds to the cotangent that is there [it put its own in the place], in each sweep",
    graphs: [graph({ m: [2] }, "logsumexp 0 axes=[0] keepdims=true; broadcast_to 1 shape=[2]; add 2 0")],
    steps: [record("a", { m: [0.5, -1] }), ...script("a 3=[3,7]; a 3=[-5,11]")],
  }),
  tapes("rule_of_its_own_at_a_second_point 4.10 N61: pullback_of_the_first_recording", {
    note: "x³, recorded at 2 and at 3: 27 at 3 [12: the pullback of the first recording, with its 2, was kept]",
    graphs: [graph({ x: [] }, "full shape=[] value=3; pow 0 1")],
    steps: [record("a", { x: 2 }), ...script("a 2=1"), record("b", { x: 3 }), ...script("b 2=1")],
  }),
  tapes("constant_of_the_second_recording 4.10 N63: constants_of_the_first_recording", {
    note: "a · x · x at x = 2, recorded with a = 3 and with 3.5: 12, and then 14 [12 again: the 3 was baked into the tape]",
    graphs: [graph({ x: [] }, "constant name=a; multiply 1 0; multiply 2 0", { constants: { a: [] } })],
    steps: [
      record("a", { x: 2, a: 3 }),
      ...script("a 3=1"),
      record("b", { x: 2, a: 3.5 }),
      ...script("b 3=1; a 3=1"),
    ],
  }),
  tapes("gradients_are_held 4.12 N65: cotangents_share_a_buffer answers_share_a_buffer", {
    note: "3 w + 5 v: the gradients of w and v, and those of a second sweep, are held and compared in the end [5 and 5: one buffer for both]",
    graphs: [
      graph(
        { w: [2], v: [2] },
        "full shape=[2] value=3; full shape=[2] value=5; multiply 2 0; multiply 3 1; add 4 5",
      ),
    ],
    steps: [record("a", { w: [1, 2], v: [1, 2] }), ...script("a 6=[1,1]; a 6=[2,7]")],
  }),
  tapes("another_variable 4.10 N67: variables_of_the_first_recording pullback_of_the_first_recording", {
    note: "v · v at 3, and then of another variable that is 5: 6, and then 10 [nothing: the trace remembered which variable was watched]",
    graphs: [scalarSquare],
    steps: [record("a", { v: 3 }), ...script("a 1=1"), record("b", { v: 5 }), ...script("b 1=1")],
  }),
];
