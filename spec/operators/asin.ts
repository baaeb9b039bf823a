import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const asin: Signature<"real", NoAttributes> = elementwise("real", 1, {
  smoothness: "smooth",
  summary: "the arc sine of x, in [−π/2, π/2]",
  domain: "−1 ≤ x ≤ 1; at ±1 the derivative is infinite. It is 1/√((1−x)(1+x)): 1 − x² would cancel",
  convention: "none needed",
  source: arrayApi("asin"),
});
