import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const add: Signature<"additive", NoAttributes> = elementwise("additive", 2, {
  smoothness: "linear",
  summary: "x + y",
  domain: "everywhere",
  convention: "none needed",
  source: arrayApi("add"),
});
