import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const where: Signature<"ordered", NoAttributes> = elementwise("ordered", 3, {
  smoothness: "piecewise",
  summary: "x where the condition is not zero, else y; parents are condition, x, y",
  domain: "everywhere; the operand not chosen contributes nothing, not even a NaN",
  convention: "the condition is not differentiated: its cotangent is zero",
  source: arrayApi("where"),
});
