import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const multiply: Signature<"semiring", NoAttributes> = elementwise("semiring", 2, {
  smoothness: "smooth",
  summary: "x · y",
  domain: "everywhere",
  convention: "none needed",
  source: arrayApi("multiply"),
});
