import { type Mutant, plantAround } from "../mutant.ts";

export const inputSeedIgnored: Mutant = plantAround(
  { name: "input_seed_ignored", fault: "The plain gradient leaves out the seeds on inputs.", source: "A17" },
  ({ graph, program }) => ({
    vjp: (point, seeds) =>
      program.vjp(
        point,
        seeds.filter(({ id }) => id >= graph.inputs.length),
      ),
  }),
);
