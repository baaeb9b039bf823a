import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const atan2: Signature<"real", NoAttributes> = elementwise("real", 2, {
  smoothness: "smooth",
  summary:
    "the angle from the positive x axis to the point (x, y), in [−π, π]; y is the first operand, x the second",
  domain:
    "everywhere, with a jump across y = 0, x < 0; at (0, 0) the value is IEEE 754's, by the signs of the zeros, and there is no derivative. It is (x/h)/h by y and −(y/h)/h by x with h = hypot(x, y), where no square overflows",
  convention: "none needed",
  source: arrayApi("atan2"),
});
