import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const expm1: Signature<"real", NoAttributes> = elementwise("real", 1, {
  smoothness: "smooth",
  summary: "eˣ − 1, with all its digits near 0",
  domain: "everywhere; the derivative is taken as eˣ, which is the value plus 1 without a cancellation",
  convention: "none needed",
  source: arrayApi("expm1"),
});
