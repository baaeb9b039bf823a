import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const divide: Signature<"field", NoAttributes> = elementwise("field", 2, {
  smoothness: "smooth",
  summary: "x / y",
  domain: "y ≠ 0; at 0 there is no value in a field, and IEEE 754's quotient over floats",
  convention: "none needed",
  source: arrayApi("divide"),
});
