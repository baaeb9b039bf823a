import { type Checkpointed, type CheckpointOptions, checkpointed } from "../../plan/memory/checkpointed.ts";
import type { Instruction, LoopProgram } from "../../plan/program.ts";
import { repetitionsIn } from "./merging.ts";
import { loops, type PlanMutant, plantPlan } from "./plan_mutant.ts";

/** Checkpointing with that fault. */
export function checkpointedWithoutBases(program: LoopProgram, options: CheckpointOptions): Checkpointed {
  const made = checkpointed(program, options);
  const isAgain = repetitionsIn(made.program);
  const instructions = made.program.instructions.map(
    (instruction, n): Instruction =>
      isAgain.has(n) && instruction.kind === "scatter" ? { ...instruction, base: undefined } : instruction,
  );
  return { ...made, program: { ...made.program, instructions } };
}

export const copyWithoutBase: PlanMutant = plantPlan(
  {
    name: "copy_without_base",
    fault: "Additions into a value that are computed again begin with zeros, not with the value.",
    rewrite: "checkpointing",
  },
  { passes: { checkpointing: checkpointedWithoutBases } },
  { backend: loops, memory: 1 },
);
