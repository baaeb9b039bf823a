import { type Mutant, plantRewrite } from "../mutant.ts";
import { merged } from "./merged.ts";

export const operandOrderIgnored: Mutant = plantRewrite(
  {
    name: "operand_order_ignored",
    fault: "Two nodes of one operator are merged if they have the same operands in any order.",
    source: "A07",
  },
  (graph) =>
    merged(
      graph,
      ({ op, attributes, parents }) => `${op} ${JSON.stringify(attributes)} ${parents.toSorted()}`,
    ),
);
