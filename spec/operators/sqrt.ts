import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const sqrt: Signature<"real", NoAttributes> = elementwise("real", 1, {
  smoothness: "smooth",
  summary: "the principal square root of x",
  domain: "x ≥ 0; at 0 the derivative is infinite",
  convention: "none needed",
  source: arrayApi("sqrt"),
});
