import { type Mutant, plant, withKernel } from "../mutant.ts";

export const permutedViewNotMoved: Mutant = plant(
  {
    name: "permuted_view_not_moved",
    fault: "permute_dims changes the shape and leaves the elements where they are.",
    source: "B15",
  },
  withKernel("permute_dims", {
    forward({ values }, { out, size, x }) {
      for (let i = 0; i < size; i++) values[out + i] = values[x + i] ?? 0;
    },
  }),
);
