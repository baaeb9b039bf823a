import { type Mutant, plant, withKernel } from "../mutant.ts";

export const concatTangentReversed: Mutant = plant(
  {
    name: "concat_tangent_reversed",
    fault: "In forward mode concat joins the tangents in the reverse order of its operands.",
    source: "",
  },
  withKernel("concat", {
    jvp({ tangents }, { out, operands, table }) {
      const [outer = 0, whole = 0, ...parts] = table;
      let start = out;
      for (const [n, part] of [...parts.entries()].toReversed()) {
        for (let i = 0; i < outer * part; i++) {
          const to = start + Math.floor(i / part) * whole + (i % part);
          tangents[to] = tangents[(operands[n] ?? 0) + i] ?? 0;
        }
        start += part;
      }
    },
  }),
);
