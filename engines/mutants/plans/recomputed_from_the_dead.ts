import { type LaidOut, type LayoutOptions, layOut } from "../../plan/memory/layout.ts";
import type { Instruction, LoopProgram } from "../../plan/program.ts";
import { repetitionsIn } from "./merging.ts";
import { loops, type PlanMutant, plantPlan } from "./plan_mutant.ts";

/** The layout with that fault. */
export function layOutForgettingCopies(program: LoopProgram, options: LayoutOptions): LaidOut {
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
}

export const recomputedFromTheDead: PlanMutant = plantPlan(
  {
    name: "recomputed_from_the_dead",
    fault: "A value is computed again from operands whose places were given away in between.",
    rewrite: "checkpointing",
  },
  { passes: { layOut: layOutForgettingCopies } },
  { backend: loops, memory: 1 },
);
