import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const equal: Signature<"ordered", NoAttributes> = elementwise("ordered", 2, {
  smoothness: "piecewise",
  summary: "1 where x = y, else 0",
  domain: "everywhere; 0 and −0 are equal; comparison with a NaN is false, so 0",
  convention: "not differentiated: both cotangents are zero, at ties too",
  source: arrayApi("equal"),
});
