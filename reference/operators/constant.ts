import type { ConstantAttributes } from "../../spec/operators/index.ts";
import { realEntry } from "../environment.ts";
import type { Rule } from "./rule.ts";

/** The entry of Δ; there is nothing to pull back to. */
export const constant: Rule<"additive", ConstantAttributes> = {
  forward: ({ attributes, environment }) => realEntry(environment, attributes.name),
  vjp: () => [],
};
