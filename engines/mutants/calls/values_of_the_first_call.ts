import type { Point } from "../../../spec/index.ts";
import { type Mutant, plantAround } from "../mutant.ts";

export const valuesOfTheFirstCall: Mutant = plantAround(
  {
    name: "values_of_the_first_call",
    fault:
      "A loaded program keeps the values of its first plain gradient and pulls back through them ever after.",
    source: "E09",
  },
  ({ program }) => {
    let first: Point | undefined;
    return {
      vjp(point, seeds) {
        first ??= point;
        return program.vjp(first, seeds);
      },
    };
  },
);
