import { array, type NodeText, question } from "./case_text.ts";
import { type VectorText, vectors } from "./vector_text.ts";

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
export const functions: readonly VectorText[] = vectors({
  "sigmoid_in_its_tail (7.3, C30): sigmoid at −200: flat, where exp(200)/(1 + exp(200))² is ∞/∞ in float32": {
    ...question("sigmoid 0 at x=-200"),
    dtype: "float32",
    flags: ["overflow", "underflow"],
    probe: { right: { x: [0] }, wrong: { x: [nan] } },
  },
  "sigmoid_on_both_sides (7.3, C30): sigmoid at ±20 and 0": "sigmoid 0 at x=[20,-20,0]",
  "softplus_above (7.3, C31): softplus at 100 has slope 1: exp(100) overflows in float32": {
    ...question("softplus 0 at x=100"),
    dtype: "float32",
    flags: ["overflow"],
    probe: { right: { x: [1] }, wrong: { x: [nan] } },
  },
  "softplus_below (7.3, C31): softplus at −80: value and slope are exp(−80), small but not 0": {
    ...question("softplus 0 at x=-80"),
    dtype: "float32",
    flags: ["underflow"],
    probe: { right: { x: [Math.exp(-80)] }, wrong: { x: [0] } },
  },
  "silu_on_both_sides (7.3): x·sigmoid(x) at ±3 and 0": "silu 0 at x=[3,-3,0]",
  "leak_turned_round (2.5, D31): a leaky ramp of slope −2: its output is positive on both sides and cannot tell them apart":
    {
      ...question("leaky_relu 0 slope=-2 at x=[-1,1]"),
      probe: { right: { x: [-2, 1] }, wrong: { x: [1, 1] } },
    },
  "leak_of_zero (2.5, D31): a leaky ramp of slope 0: no quotient by the slope": {
    ...question("leaky_relu 0 slope=0 at x=[-1,1]"),
    probe: { right: { x: [0, 1] }, wrong: { x: [1, 1] } },
  },
  "elu_below_zero (2.5): elu with alpha 2 at −1 and 1": "elu 0 alpha=2 at x=[-1,1]",
  "gelu_exact (2.5, D29): gelu by the error function at ±1: its derivative is not that of the tanh form":
    "gelu 0 approximate=none at x=[1,-1]",
  "gelu_by_tanh (2.5, D29): gelu in its tanh form at ±1: its derivative is that of the same form":
    "gelu 0 approximate=tanh at x=[1,-1]",
  "gelu_by_sigmoid (2.5, D29): x·sigmoid(1.702·x) at 1, whose derivative another form of gelu misses by a fifth":
    {
      ...question("constant name=scale; multiply 1 0; sigmoid 2; multiply 0 3 at x=1"),
      constants: { scale: array(1.702) },
    },
  "signs_copied (2.5, C27): copysign in the four combinations of signs: the slope is the product of both": {
    ...question("copysign 0 1 at x=[-5,-5,5,5] y=[3,-3,3,-3]"),
    probe: { right: { x: [-1, 1, 1, -1] }, wrong: { x: [1, -1, 1, -1] } },
  },
  "remainder_of_a_stretched_number (2.5, B02): [1] against [2,1] under remainder: the sum over the stretched axis, in this operator too":
    {
      ...question("broadcast_to 0 shape=[2,1]; remainder 2 1 at x=[5] y=[[2],[2]]"),
      probe: { right: { x: [2] }, wrong: { x: [1] } },
    },
  "logaddexp_of_a_batch (2.5, B21): logaddexp elementwise on two vectors: as many cotangents as elements, without an axis more":
    "logaddexp 0 1 at x=[1,2] y=[3,-4]",
  "logaddexp_far_apart (7.3, B21): logaddexp of 1000 and −1000: the exponentials overflow, the result does not":
    {
      ...question("logaddexp 0 1 at x=1000 y=-1000"),
      flags: ["overflow"],
      probe: { right: { x: [1], y: [0] }, wrong: { x: [nan], y: [nan] } },
    },
  "flat_sign (2.2, F10): sign away from 0: a tangent of zero and a cotangent of zero, neither of them missing":
    { ...question("sign 0 at x=[3,-4]"), probe: { right: { x: [0, 0] }, wrong: { x: [1, -1] } } },
  "clipped_inside_and_out (2.5, C23): clip below, within and above its bounds; the bounds are inputs too": {
    ...question("clip 0 1 2 at x=[-2,0.5,9] low=[-1,-1,-1] high=[1,1,1]"),
    probe: { right: { x: [0, 1, 0], low: [1, 0, 0], high: [0, 0, 1] }, wrong: { x: [1, 1, 1] } },
  },
  "straight_through_rounding (2.6, C23): x + stop(round(x) − x): rounds forwards, passes backwards": {
    ...question("round 0; subtract 1 0; stop_gradient 2; add 0 3 at x=[1.25,-2.75]"),
    probe: { right: { x: [1, 1] }, wrong: { x: [0, 0] } },
  },
  "absolute_value_corner (6.5, C24): |x| at 0: any slope from −1 to 1 is a subgradient, engines take one of the ends or the middle":
    {
      ...question("abs 0 at x=0"),
      flags: ["kink"],
      ...slopes("absAtZero", { minus_one: -1, zero: 0, one: 1 }),
    },
  "clip_corner (6.5, C22, C23): clip at its lower bound 0: the ramp's corner under another name, and whether a saturated code still learns":
    {
      ...question("constant name=low; constant name=high; clip 0 1 2 at x=0"),
      flags: ["kink", "tie"],
      ...clipCorner(),
    },
});

/** Offers the slopes of clip at its lower bound 0. */
function clipCorner(): Pick<VectorText, "constants" | "policy"> {
  const { constants = {}, policy } = slopes("clipAtBound", { closed: 0, half: 0.5, open: 1 });
  const named = { ...constants, low: array(0), high: array(6) };
  return policy === undefined ? { constants: named } : { constants: named, policy };
}
