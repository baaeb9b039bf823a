import { ok } from "../result.ts";
import type { Shape } from "../shape.ts";
import { arrayApi, type Signature, shapeSchema } from "./signature.ts";

/** The shape of the value, and the number that every element is. */
export interface FullAttributes {
  readonly shape: Shape;
  readonly value: number;
}

export const full: Signature<"semiring", FullAttributes> = {
  needs: "semiring",
  arity: 0,
  attributes: {
    shape: shapeSchema,
    value: { type: "number", minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE },
  },
  smoothness: "linear",
  shape: ({ shape }) => ok(shape),
  summary:
    "one number everywhere: the float64 that the attribute denotes, rounded to the precision computed in",
  domain: "everywhere; a value of −0 is read as 0",
  convention: "none needed",
  source: arrayApi("full"),
};
