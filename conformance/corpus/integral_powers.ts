import { array, question } from "./case_text.ts";
import { type VectorText, vectors } from "./vector_text.ts";

const nan = Number.NaN;

/** Vectors of powers whose base is not positive: value and slope exist though no logarithm does. */
export const integralPowers: readonly VectorText[] = vectors({
  "exponent_of_base_zero (2.5, C08): 0ʸ at y = 2 does not move with y, unless 0·log 0 is computed": {
    ...question("constant name=base; pow 1 0 at y=2"),
    flags: ["singular"],
    constants: { base: array(0) },
    probe: { right: { y: [0] }, wrong: { y: [nan] } },
  },
  "negative_base_squared (2.5, C09): the square of −2: no logarithm of a negative number is needed": {
    ...question("square 0 at x=-2"),
    probe: { right: { x: [-4] }, wrong: { x: [nan] } },
  },
  "negative_base (2.5, C09): (−2)² and (−2)³ with constant exponents: no logarithm of a negative number is needed":
    {
      ...question("constant name=exponents; pow 0 1 at x=[-2,-2]"),
      constants: { exponents: array([2, 3]) },
      probe: { right: { x: [-4, 12] }, wrong: { x: [nan, nan] } },
    },
  "power_two_at_zero (2.5, C41): x² at 0 as a power: slope 0, not exp(2·log 0)·2/0": {
    ...question("constant name=two; pow 0 1 at x=0"),
    constants: { two: array(2) },
    probe: { right: { x: [0] }, wrong: { x: [nan] } },
  },
  "slope_of_a_square (2.5, C10): 2·x¹ at 0, which is the derivative of x² by the power rule: its own slope is 2, not 0·0⁻¹ and not a guard's 0":
    {
      ...question("constant name=one; pow 0 1; constant name=two; multiply 3 2 at x=0"),
      constants: { one: array(1), two: array(2) },
      probe: { right: { x: [2] }, wrong: { x: [nan] } },
    },
});
