import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const asinh: Signature<"real", NoAttributes> = elementwise("real", 1, {
  smoothness: "smooth",
  summary: "the inverse hyperbolic sine of x",
  domain: "everywhere; the derivative is 1/hypot(1, x), where no square overflows",
  convention: "none needed",
  source: arrayApi("asinh"),
});
