import { array, question } from "./case_text.ts";
import { type VectorText, vectors } from "./vector_text.ts";

const nan = Number.NaN;

/** Vectors of powers, quotients and angles whose usual formula divides by zero, overflows or has no log. */
export const powers: readonly VectorText[] = vectors({
  "exponent_zero_at_base_zero (2.5, C07): x⁰ at x = 0: constant 1, unless 0·0⁻¹ is computed": {
    ...question("constant name=exponent; pow 0 1 at x=0"),
    flags: ["singular"],
    constants: { exponent: array(0) },
    probe: { right: { x: [0] }, wrong: { x: [nan] } },
  },
  "both_operands (2.5): xʸ for positive x: the base's slope y·xʸ⁻¹ and the exponent's xʸ·log x":
    "pow 0 1 at x=[2,3] y=[0.5,-2]",
  "angle_near_the_origin (7.3, C28): atan2(y, x) at x = y = 2⁻¹⁰⁰: x² + y² underflows in float32, the slopes ±2⁹⁹ do not overflow":
    {
      dtype: "float32",
      flags: ["underflow"],
      inputs: { y: array(2 ** -100), x: array(2 ** -100) },
      nodes: "atan2 0 1",
      probe: { right: { y: [2 ** 99], x: [-(2 ** 99)] }, wrong: { y: [nan], x: [nan] } },
    },
  "angles_in_every_quadrant (2.5, C28): atan2 in the four quadrants: neither y/x alone nor positive operands tell them apart":
    "atan2 0 1 at y=[1,1,-1,-1] x=[2,-2,2,-2]",
  "hypotenuse_of_large_legs (7.3): hypot of 3·2⁶⁰⁰ and 4·2⁶⁰⁰: the squares overflow, the length and its slopes 3/5 and 4/5 do not":
    {
      flags: ["overflow"],
      inputs: { x: array(3 * 2 ** 600), y: array(4 * 2 ** 600) },
      tangents: [array(3), array(5)],
      nodes: "hypot 0 1",
      probe: { right: { x: [0.6], y: [0.8] }, wrong: { x: [0], y: [0] } },
    },
  "odd_functions_at_zero (2.5, C25): asinh at 0, −0 and ±2: an odd function has its slope at 0, though sign(0) is 0":
    {
      ...question("asinh 0 at x=[0,-0,2,-2]"),
      probe: {
        right: { x: [1, 1, 1 / Math.sqrt(5), 1 / Math.sqrt(5)] },
        wrong: { x: [0, 0, 1 / Math.sqrt(5), 1 / Math.sqrt(5)] },
      },
    },
  "sinh_at_zero (2.5, C25): sinh at 0: slope 1": {
    ...question("sinh 0 at x=0"),
    probe: { right: { x: [1] }, wrong: { x: [0] } },
  },
});
