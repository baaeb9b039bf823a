import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const logicalOrAdded: Mutant = plant(
  { name: "logical_or_added", fault: "logical_or adds its operands.", source: "" },
  withExpansion("logical_or", (_scope, _attributes, x, y) => x.add(y).stop_gradient()),
);
