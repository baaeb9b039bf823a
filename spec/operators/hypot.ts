import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const hypot: Signature<"real", NoAttributes> = elementwise("real", 2, {
  smoothness: "smooth",
  summary: "√(x² + y²), without overflow on the way",
  domain: "everywhere; at (0, 0) the value is 0 and there is no derivative: it is x/h and y/h, which is 0/0",
  convention: "none needed",
  source: arrayApi("hypot"),
});
