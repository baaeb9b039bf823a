import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const exp: Signature<"real", NoAttributes> = elementwise("real", 1, {
  smoothness: "smooth",
  summary: "eˣ",
  domain: "everywhere",
  convention: "none needed",
  source: arrayApi("exp"),
});
