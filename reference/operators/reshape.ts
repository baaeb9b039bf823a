import type { ReshapeAttributes } from "../../spec/operators/index.ts";
import { operand, type Rule } from "./rule.ts";

/** The result has the same list of elements under another shape. */
export const reshape: Rule<"additive", ReshapeAttributes> = {
  forward: (application) => ({ shape: application.shape, data: operand(application, 0).data }),
  vjp: (application, cotangent) => [{ shape: operand(application, 0).shape, data: cotangent.data }],
};
