import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const sin: Signature<"real", NoAttributes> = elementwise("real", 1, {
  smoothness: "smooth",
  summary: "the sine of x in radians",
  domain: "finite x",
  convention: "none needed",
  source: arrayApi("sin"),
});
