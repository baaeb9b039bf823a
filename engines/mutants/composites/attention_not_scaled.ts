import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withExpansion } from "../mutant.ts";

const { scaled_dot_product_attention: attention } = soundParts.composites;

export const attentionNotScaled: Mutant = plant(
  {
    name: "attention_not_scaled",
    fault: "The scores of attention are not divided by the root of their inner extent.",
    source: "B09",
  },
  withExpansion("scaled_dot_product_attention", (scope, attributes, q, ...others) => {
    const root = scope.full({ shape: [], value: q.shape.at(-1) ?? 1 }).sqrt();
    return attention.expand(scope, attributes, q.multiply(root), ...others);
  }),
);
