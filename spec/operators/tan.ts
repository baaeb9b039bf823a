import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const tan: Signature<"real", NoAttributes> = elementwise("real", 1, {
  smoothness: "smooth",
  summary: "the tangent of x, in radians",
  domain: "everywhere but at odd multiples of π/2, none of which is a float; the derivative is 1 + tan² x",
  convention: "none needed",
  source: arrayApi("tan"),
});
