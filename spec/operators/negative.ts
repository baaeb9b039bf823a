import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const negative: Signature<"ring", NoAttributes> = elementwise("ring", 1, {
  smoothness: "linear",
  summary: "−x",
  domain: "everywhere",
  convention: "none needed",
  source: arrayApi("negative"),
});
