import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

export const cotangentOverwritesAlias: Mutant = plant(
  {
    name: "cotangent_overwrites_alias",
    fault:
      "The result of reshape shares its slot with the operand, so it also shows what came to that later.",
    source: "E05",
  },
  withReverse({
    finish(machine, layout) {
      soundParts.reverse.finish(machine, layout);
      const { cotangents } = machine;
      for (const [n, { op, parents }] of layout.graph.nodes.entries()) {
        const start = layout.offsets[parents[0] ?? 0] ?? 0;
        const { out, size } = layout.steps[n] ?? { out: 0, size: 0 };
        if (op === "reshape") cotangents.copyWithin(out, start, start + size);
      }
    },
  }),
);
