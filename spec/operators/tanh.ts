import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const tanh: Signature<"real", NoAttributes> = elementwise("real", 1, {
  smoothness: "smooth",
  summary: "the hyperbolic tangent of x",
  domain: "everywhere",
  convention: "none needed",
  source: arrayApi("tanh"),
});
