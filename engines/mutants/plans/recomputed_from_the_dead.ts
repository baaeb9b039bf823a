import { layOut } from "../../plan/memory/layout.ts";
import type { Instruction } from "../../plan/program.ts";
import { repetitionsIn } from "./merging.ts";
import { loops, type PlanMutant, plantPlan } from "./plan_mutant.ts";

export const recomputedFromTheDead: PlanMutant = plantPlan(
  {
    name: "recomputed_from_the_dead",
    fault: "A value is computed again from operands whose places were given away in between.",
    rewrite: "checkpointing",
  },
  {
    passes: {
      layOut(program, options) {
        const isAgain = repetitionsIn(program);
        const instructions = program.instructions.map(
          (instruction, n): Instruction =>
            isAgain.has(n)
              ? {
                  kind: "routine",
                  shape: instruction.shape,
                  operands: [],
                  routine: { kind: "determinant", n: 0 },
                }
              : instruction,
        );
        return layOut({ ...program, instructions }, options);
      },
    },
  },
  { backend: loops, memory: 1 },
);
