import type { Point } from "../../../spec/index.ts";
import { type Mutant, plantAround } from "../mutant.ts";

export const environmentOfTheFirstCall: Mutant = plantAround(
  {
    name: "environment_of_the_first_call",
    fault:
      "A loaded program keeps the constants of its first plain gradient, as if they were part of the graph.",
    source: "E01",
  },
  ({ program }) => {
    let first: Point["environment"] | undefined;
    return {
      vjp(point, seeds) {
        first ??= point.environment;
        return program.vjp({ inputs: point.inputs, environment: first }, seeds);
      },
    };
  },
);
