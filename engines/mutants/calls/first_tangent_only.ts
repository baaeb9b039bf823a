import { type Mutant, plantAround } from "../mutant.ts";

export const firstTangentOnly: Mutant = plantAround(
  {
    name: "first_tangent_only",
    fault: "Forward mode uses the tangent of the first input and takes those of the others for zero.",
    source: "F03",
  },
  ({ program }) => ({
    jvp: (point, tangents) =>
      program.jvp(
        point,
        tangents.map(({ shape, data }, n) => ({ shape, data: data.map((x) => (n === 0 ? x : 0)) })),
      ),
  }),
);
