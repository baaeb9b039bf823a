import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const sinh: Signature<"real", NoAttributes> = elementwise("real", 1, {
  smoothness: "smooth",
  summary: "the hyperbolic sine of x",
  domain: "everywhere",
  convention: "none needed",
  source: arrayApi("sinh"),
});
