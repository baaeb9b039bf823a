import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const subtract: Signature<"ring", NoAttributes> = elementwise("ring", 2, {
  smoothness: "linear",
  summary: "x − y",
  domain: "everywhere",
  convention: "none needed",
  source: arrayApi("subtract"),
});
