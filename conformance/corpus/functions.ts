import { array, type NodeText } from "./case_text.ts";
import type { VectorText } from "./vector_text.ts";

const nan = Number.NaN;

/** Defines the slope at a corner as a choice of programs: constant multiples of x at x = 0. */
function slopes(
  name: string,
  choices: Readonly<Record<string, number>>,
): Pick<VectorText, "constants" | "policy"> {
  const programs = Object.entries(choices).map(([choice, slope]): [string, NodeText[]] => [
    choice,
    [
      ["constant", [], { name: `slope ${slope}` }],
      ["multiply", [1, 0]],
    ],
  ]);
  return {
    constants: Object.fromEntries(Object.values(choices).map((slope) => [`slope ${slope}`, array(slope)])),
    policy: { name, join: "one_of", choices: Object.fromEntries(programs) },
  };
}

/** Vectors of elementwise functions in their tails, at their corners, and on both sides of zero. */
export const functions: readonly VectorText[] = [
  {
    name: "sigmoid_in_its_tail",
    clause: "7.3",
    defects: ["C30"],
    dtype: "float32",
    flags: ["overflow", "underflow"],
    note: "sigmoid at −200: flat, where exp(200)/(1 + exp(200))² is ∞/∞ in float32",
    inputs: { x: array(-200) },
    nodes: [["sigmoid", [0]]],
    probe: { right: { x: [0] }, wrong: { x: [nan] } },
  },
  {
    name: "sigmoid_on_both_sides",
    clause: "7.3",
    defects: ["C30"],
    note: "sigmoid at ±20 and 0",
    inputs: { x: array([20, -20, 0]) },
    nodes: [["sigmoid", [0]]],
  },
  {
    name: "softplus_above",
    clause: "7.3",
    defects: ["C31"],
    dtype: "float32",
    flags: ["overflow"],
    note: "softplus at 100 has slope 1: exp(100) overflows in float32",
    inputs: { x: array(100) },
    nodes: [["softplus", [0]]],
    probe: { right: { x: [1] }, wrong: { x: [nan] } },
  },
  {
    name: "softplus_below",
    clause: "7.3",
    defects: ["C31"],
    dtype: "float32",
    flags: ["underflow"],
    note: "softplus at −80: value and slope are exp(−80), small but not 0",
    inputs: { x: array(-80) },
    nodes: [["softplus", [0]]],
    probe: { right: { x: [Math.exp(-80)] }, wrong: { x: [0] } },
  },
  {
    name: "silu_on_both_sides",
    clause: "7.3",
    note: "x·sigmoid(x) at ±3 and 0",
    inputs: { x: array([3, -3, 0]) },
    nodes: [["silu", [0]]],
  },
  {
    name: "leak_turned_round",
    clause: "2.5",
    defects: ["D31"],
    note: "a leaky ramp of slope −2: its output is positive on both sides and cannot tell them apart",
    inputs: { x: array([-1, 1]) },
    nodes: [["leaky_relu", [0], { slope: -2 }]],
    probe: { right: { x: [-2, 1] }, wrong: { x: [1, 1] } },
  },
  {
    name: "leak_of_zero",
    clause: "2.5",
    defects: ["D31"],
    note: "a leaky ramp of slope 0: no quotient by the slope",
    inputs: { x: array([-1, 1]) },
    nodes: [["leaky_relu", [0], { slope: 0 }]],
    probe: { right: { x: [0, 1] }, wrong: { x: [1, 1] } },
  },
  {
    name: "elu_below_zero",
    clause: "2.5",
    note: "elu with alpha 2 at −1 and 1",
    inputs: { x: array([-1, 1]) },
    nodes: [["elu", [0], { alpha: 2 }]],
  },
  {
    name: "gelu_exact",
    clause: "2.5",
    defects: ["D29"],
    note: "gelu by the error function at ±1: its derivative is not that of the tanh form",
    inputs: { x: array([1, -1]) },
    nodes: [["gelu", [0], { approximate: "none" }]],
  },
  {
    name: "gelu_by_tanh",
    clause: "2.5",
    defects: ["D29"],
    note: "gelu in its tanh form at ±1: its derivative is that of the same form",
    inputs: { x: array([1, -1]) },
    nodes: [["gelu", [0], { approximate: "tanh" }]],
  },
  {
    name: "gelu_by_sigmoid",
    clause: "2.5",
    defects: ["D29"],
    note: "x·sigmoid(1.702·x) at 1, whose derivative another form of gelu misses by a fifth",
    inputs: { x: array(1) },
    constants: { scale: array(1.702) },
    nodes: [
      ["constant", [], { name: "scale" }],
      ["multiply", [1, 0]],
      ["sigmoid", [2]],
      ["multiply", [0, 3]],
    ],
  },
  {
    name: "signs_copied",
    clause: "2.5",
    defects: ["C27"],
    note: "copysign in the four combinations of signs: the slope is the product of both",
    inputs: { x: array([-5, -5, 5, 5]), y: array([3, -3, 3, -3]) },
    nodes: [["copysign", [0, 1]]],
    probe: { right: { x: [-1, 1, 1, -1] }, wrong: { x: [1, -1, 1, -1] } },
  },
  {
    name: "remainder_of_a_stretched_number",
    clause: "2.5",
    defects: ["B02"],
    note: "[1] against [2,1] under remainder: the sum over the stretched axis, in this operator too",
    inputs: { x: array([5]), y: array([[2], [2]]) },
    nodes: [
      ["broadcast_to", [0], { shape: [2, 1] }],
      ["remainder", [2, 1]],
    ],
    probe: { right: { x: [2] }, wrong: { x: [1] } },
  },
  {
    name: "logaddexp_of_a_batch",
    clause: "2.5",
    defects: ["B21"],
    note: "logaddexp elementwise on two vectors: as many cotangents as elements, without an axis more",
    inputs: { x: array([1, 2]), y: array([3, -4]) },
    nodes: [["logaddexp", [0, 1]]],
  },
  {
    name: "logaddexp_far_apart",
    clause: "7.3",
    defects: ["B21"],
    flags: ["overflow"],
    note: "logaddexp of 1000 and −1000: the exponentials overflow, the result does not",
    inputs: { x: array(1000), y: array(-1000) },
    nodes: [["logaddexp", [0, 1]]],
    probe: { right: { x: [1], y: [0] }, wrong: { x: [nan], y: [nan] } },
  },
  {
    name: "flat_sign",
    clause: "2.2",
    defects: ["F10"],
    note: "sign away from 0: a tangent of zero and a cotangent of zero, neither of them missing",
    inputs: { x: array([3, -4]) },
    nodes: [["sign", [0]]],
    probe: { right: { x: [0, 0] }, wrong: { x: [1, -1] } },
  },
  {
    name: "clipped_inside_and_out",
    clause: "2.5",
    defects: ["C23"],
    note: "clip below, within and above its bounds; the bounds are inputs too",
    inputs: { x: array([-2, 0.5, 9]), low: array([-1, -1, -1]), high: array([1, 1, 1]) },
    nodes: [["clip", [0, 1, 2]]],
    probe: { right: { x: [0, 1, 0], low: [1, 0, 0], high: [0, 0, 1] }, wrong: { x: [1, 1, 1] } },
  },
  {
    name: "straight_through_rounding",
    clause: "2.6",
    defects: ["C23"],
    note: "x + stop(round(x) − x): rounds forwards, passes backwards",
    inputs: { x: array([1.25, -2.75]) },
    nodes: [
      ["round", [0]],
      ["subtract", [1, 0]],
      ["stop_gradient", [2]],
      ["add", [0, 3]],
    ],
    probe: { right: { x: [1, 1] }, wrong: { x: [0, 0] } },
  },
  {
    name: "absolute_value_corner",
    clause: "6.5",
    defects: ["C24"],
    flags: ["kink"],
    note: "|x| at 0: any slope from −1 to 1 is a subgradient, engines take one of the ends or the middle",
    inputs: { x: array(0) },
    nodes: [["abs", [0]]],
    ...slopes("absAtZero", { minus_one: -1, zero: 0, one: 1 }),
  },
  {
    name: "clip_corner",
    clause: "6.5",
    defects: ["C22", "C23"],
    flags: ["kink", "tie"],
    note: "clip at its lower bound 0: the ramp's corner under another name, and whether a saturated code still learns",
    inputs: { x: array(0) },
    nodes: [
      ["constant", [], { name: "low" }],
      ["constant", [], { name: "high" }],
      ["clip", [0, 1, 2]],
    ],
    ...clipCorner(),
  },
];

/** Offers the slopes of clip at its lower bound 0. */
function clipCorner(): Pick<VectorText, "constants" | "policy"> {
  const { constants = {}, policy } = slopes("clipAtBound", { closed: 0, half: 0.5, open: 1 });
  const named = { ...constants, low: array(0), high: array(6) };
  return policy === undefined ? { constants: named } : { constants: named, policy };
}
