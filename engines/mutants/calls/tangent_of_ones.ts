import { type Mutant, plantAround } from "../mutant.ts";

export const tangentOfOnes: Mutant = plantAround(
  {
    name: "tangent_of_ones",
    fault: "Whatever the tangents, forward mode is taken along ones.",
    source: "A17",
  },
  ({ program }) => ({
    jvp: (point, tangents) =>
      program.jvp(
        point,
        tangents.map(({ shape, data }) => ({ shape, data: data.map(() => 1) })),
      ),
  }),
);
