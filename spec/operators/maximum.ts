import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const maximum: Signature<"ordered", NoAttributes> = elementwise("ordered", 2, {
  smoothness: "piecewise",
  summary: "the larger of x and y",
  domain: "everywhere; NaN where x or y is, and the cotangent goes to it, to y if both are",
  convention: "at a tie the whole cotangent goes to the first operand",
  source: arrayApi("maximum"),
});
