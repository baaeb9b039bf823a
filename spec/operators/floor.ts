import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const floor: Signature<"ordered", NoAttributes> = elementwise("ordered", 1, {
  smoothness: "piecewise",
  summary: "the greatest integer that is not greater than x",
  domain: "everywhere",
  convention: "not differentiated: the cotangent is zero, at the jumps too",
  source: arrayApi("floor"),
});
