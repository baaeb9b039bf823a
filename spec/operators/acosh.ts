import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const acosh: Signature<"real", NoAttributes> = elementwise("real", 1, {
  smoothness: "smooth",
  summary: "the inverse hyperbolic cosine of x, not negative",
  domain:
    "x ≥ 1; at 1 the derivative is infinite. It is 1/(√(x−1) √(x+1)): nothing cancels, no square overflows",
  convention: "none needed",
  source: arrayApi("acosh"),
});
