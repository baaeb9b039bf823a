import { type Mutant, plantAround } from "../mutant.ts";

export const seedMaskOfOnes: Mutant = plantAround(
  {
    name: "seed_mask_of_ones",
    fault: "A plain gradient treats every seed with a zero in it as no seed.",
    source: "A14",
  },
  ({ program }) => ({
    vjp: (point, seeds) =>
      program.vjp(
        point,
        seeds.filter(({ cotangent: { data } }) => !data.includes(0)),
      ),
  }),
);
