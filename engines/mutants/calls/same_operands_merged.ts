import { shapesOf } from "../../../spec/index.ts";
import { type Mutant, plantRewrite } from "../mutant.ts";
import { merged } from "./merged.ts";

export const sameOperandsMerged: Mutant = plantRewrite(
  {
    name: "same_operands_merged",
    fault:
      "Two nodes of one operator and one list of operands are merged, whatever their attributes, if their shapes agree.",
    source: "A07",
  },
  (graph) => {
    const shapes = shapesOf(graph);
    return merged(graph, ({ op, parents }, id) => `${op} ${parents} ${shapes[id]}`);
  },
);
