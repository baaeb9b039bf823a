import { arrayApi, type NoAttributes } from "../operators/signature.ts";
import { type Composite, elementwiseComposite } from "./composite.ts";

/** x · x: both factors are the same id, and both pull back. */
export const square: Composite<NoAttributes> = elementwiseComposite(1, {
  smoothness: "smooth",
  summary: "x · x",
  domain: "everywhere",
  convention: "none needed",
  source: arrayApi("square"),
  expand: (_scope, _attributes, x) => x.multiply(x),
});
