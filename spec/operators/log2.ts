import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const log2: Signature<"real", NoAttributes> = elementwise("real", 1, {
  smoothness: "smooth",
  summary: "the logarithm of x to base 2",
  domain: "x > 0; at 0 the value is −∞ and the derivative infinite, below there is none",
  convention: "none needed",
  source: arrayApi("log2"),
});
