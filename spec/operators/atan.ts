import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const atan: Signature<"real", NoAttributes> = elementwise("real", 1, {
  smoothness: "smooth",
  summary: "the arc tangent of x, in [−π/2, π/2]",
  domain: "everywhere; the derivative is 1/(1 + x²), which is 0 in floats where x² overflows",
  convention: "none needed",
  source: arrayApi("atan"),
});
