import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const acos: Signature<"real", NoAttributes> = elementwise("real", 1, {
  smoothness: "smooth",
  summary: "the arc cosine of x, in [0, π]",
  domain: "−1 ≤ x ≤ 1; at ±1 the derivative is infinite. It is −1/√((1−x)(1+x)): 1 − x² would cancel",
  convention: "none needed",
  source: arrayApi("acos"),
});
