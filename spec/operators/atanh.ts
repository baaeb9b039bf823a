import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const atanh: Signature<"real", NoAttributes> = elementwise("real", 1, {
  smoothness: "smooth",
  summary: "the inverse hyperbolic tangent of x",
  domain: "−1 < x < 1; at ±1 value and derivative are infinite. It is 1/((1−x)(1+x)): 1 − x² would cancel",
  convention: "none needed",
  source: arrayApi("atanh"),
});
