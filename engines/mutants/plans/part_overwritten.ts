import { read } from "../../plan/expression.ts";
import { identity } from "../../plan/lower/draft.ts";
import type { Instruction } from "../../plan/program.ts";
import { accumulating } from "./accumulating.ts";
import { type PlanMutant, plantPlan } from "./plan_mutant.ts";

export const partOverwritten: PlanMutant = plantPlan(
  {
    name: "part_overwritten",
    fault: "A contribution to a part is stored over what is there and not added to it.",
    rewrite: "accumulation_in_place",
  },
  {
    passes: {
      accumulation_in_place: accumulating((accumulation): Instruction => {
        const { shape, base, over, place, reads, expression } = accumulation;
        if (place.indirections.length > 0) return accumulation;
        const whole = {
          shape,
          place: identity(shape),
          reads: [{ value: base, ...identity(shape) }],
          expression: read(0),
        };
        const part = { shape: over, place, reads, expression };
        return { kind: "assemble", shape, isCovered: true, pieces: [whole, part] };
      }),
    },
  },
);
