import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const pow: Signature<"orderedReal", NoAttributes> = elementwise("orderedReal", 2, {
  smoothness: "piecewise",
  summary:
    "x to the power y, with the values of IEEE 754's pow: 1 for y = 0 whatever x, for x = 1 whatever y",
  domain:
    "x > 0 with any y; x < 0 where y is an integer, and the derivative by y does not exist; x = 0 with y ≥ 0, and with y < 0 the value is infinite",
  convention:
    "the derivative by x is y x^(y−1), and 0 where y = 0; by y it is x^y log x, with 0 for log x where x = 0, as in JAX: the limit for y > 0, and 0 at x = y = 0, where the one-sided limit is −∞; forward, where x < 0, the part along y is 0 if the exponent's tangent is",
  source: arrayApi("pow"),
});
