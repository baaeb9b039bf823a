import { accumulating } from "./accumulating.ts";
import { type PlanMutant, plantPlan } from "./plan_mutant.ts";

export const partAddedToItself: PlanMutant = plantPlan(
  {
    name: "part_added_to_itself",
    fault: "A contribution to a part is added to the wrong one of the two summands, which is itself.",
    rewrite: "accumulation_in_place",
  },
  {
    passes: {
      accumulation_in_place: accumulating((accumulation, part) => ({ ...accumulation, base: part })),
    },
  },
);
