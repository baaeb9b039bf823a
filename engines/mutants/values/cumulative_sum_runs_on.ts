import { type Mutant, plant, withKernel } from "../mutant.ts";

export const cumulativeSumRunsOn: Mutant = plant(
  {
    name: "cumulative_sum_runs_on",
    fault: "A cumulative sum runs on from one row into the next.",
    source: "B12",
  },
  withKernel("cumulative_sum", {
    forward({ values }, { out, size, x, table }) {
      const [, inner = 0] = table;
      for (let i = 0; i < size; i++) {
        values[out + i] = (i < inner ? 0 : (values[out + i - inner] ?? 0)) + (values[x + i] ?? 0);
      }
    },
  }),
);
