import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const cosh: Signature<"real", NoAttributes> = elementwise("real", 1, {
  smoothness: "smooth",
  summary: "the hyperbolic cosine of x",
  domain: "everywhere",
  convention: "none needed",
  source: arrayApi("cosh"),
});
