import { type Mutant, plant, withKernel } from "../mutant.ts";

export const broadcastTangentOnce: Mutant = plant(
  {
    name: "broadcast_tangent_once",
    fault: "In forward mode only the first copy of a repeated element has its tangent, the others have none.",
    source: "F10",
  },
  withKernel("broadcast_to", {
    jvp({ tangents }, { out, size, x, table }) {
      for (let i = 0; i < size; i++) {
        const position = table[i] ?? 0;
        tangents[out + i] = table.indexOf(position) === i ? (tangents[x + position] ?? 0) : 0;
      }
    },
  }),
);
