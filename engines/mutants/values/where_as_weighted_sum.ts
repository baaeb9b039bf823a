import { type Mutant, plant, withKernel } from "../mutant.ts";

export const whereAsWeightedSum: Mutant = plant(
  {
    name: "where_as_weighted_sum",
    fault: "where is computed as m·x + (1 − m)·y, so that an infinity it did not choose makes it NaN.",
    source: "C01",
  },
  withKernel("where", {
    forward({ values }, { out, size, x: condition, y: x, z: y }) {
      for (let i = 0; i < size; i++) {
        const mask = values[condition + i] === 0 ? 0 : 1;
        values[out + i] = mask * (values[x + i] ?? 0) + (1 - mask) * (values[y + i] ?? 0);
      }
    },
  }),
);
