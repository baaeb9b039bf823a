import { type Mutant, plant, withKernel } from "../mutant.ts";

export const whereTangentUnconditional: Mutant = plant(
  {
    name: "where_tangent_unconditional",
    fault: "In forward mode the tangent of where is always that of its first branch.",
    source: "F04",
  },
  withKernel("where", {
    jvp({ tangents }, { out, size, y: x }) {
      for (let i = 0; i < size; i++) tangents[out + i] = tangents[x + i] ?? 0;
    },
  }),
);
