import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

export const unreachedInheritsSeed: Mutant = plant(
  {
    name: "unreached_inherits_seed",
    fault: "The cotangent of an input that nothing reached is the first seed, or as much of it as fits.",
    source: "A15",
  },
  withReverse({
    finish(machine, layout) {
      soundParts.reverse.finish(machine, layout);
      const { cotangents, reached } = machine;
      const last = layout.steps.at(-1) ?? { out: 0 };
      for (const id of layout.graph.inputs.keys()) {
        const [start, end] = [layout.offsets[id] ?? 0, layout.offsets[id + 1] ?? 0];
        if (reached[id] === 0) cotangents.copyWithin(start, last.out, last.out + end - start);
      }
    },
  }),
);
