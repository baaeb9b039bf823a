import { type Mutant, plant, withKernel } from "../mutant.ts";

export const permutationTangentInverse: Mutant = plant(
  {
    name: "permutation_tangent_inverse",
    fault: "In forward mode permute_dims applies the inverse permutation.",
    source: "B12",
  },
  withKernel("permute_dims", {
    jvp({ tangents }, { out, size, x, table }) {
      for (let i = 0; i < size; i++) tangents[out + (table[i] ?? 0)] = tangents[x + i] ?? 0;
    },
  }),
);
