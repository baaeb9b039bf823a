import { type Mutant, plant, withKernel } from "../mutant.ts";

export const whereTakesPositive: Mutant = plant(
  {
    name: "where_takes_positive",
    fault: "The condition of where holds if it is positive, not if it is other than zero.",
    source: "",
  },
  withKernel("where", {
    forward({ values }, { out, size, x: condition, y: x, z: y }) {
      for (let i = 0; i < size; i++) {
        values[out + i] = values[(0 < (values[condition + i] ?? 0) ? x : y) + i] ?? 0;
      }
    },
  }),
);
