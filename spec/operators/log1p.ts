import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const log1p: Signature<"real", NoAttributes> = elementwise("real", 1, {
  smoothness: "smooth",
  summary: "the natural logarithm of 1 + x, with all its digits near 0",
  domain: "x > −1; at −1 the value is −∞ and the derivative infinite, below there is none",
  convention: "none needed",
  source: arrayApi("log1p"),
});
