import { javascript } from "../../javascript/index.ts";
import type { Backend } from "../../plan/executable.ts";
import type { Instruction } from "../../plan/program.ts";
import { allows } from "../../plan/rewrite.ts";
import { type PlanMutant, plantPlan } from "./plan_mutant.ts";

const parts = 16;

/** A sum along one axis without what does not fill a last round of all parts. */
export function withoutLastRound(instruction: Instruction): Instruction {
  if (instruction.kind !== "fold" || instruction.over.length !== 1) return instruction;
  const [extent = 0] = instruction.over;
  return extent < parts ? instruction : { ...instruction, over: [extent - (extent % parts)] };
}

const backend: Backend = {
  name: "javascript, folds in parts",
  build(order) {
    const { program, profile } = order;
    if (!allows(profile, "reassociation")) return javascript.build(order);
    const instructions = program.instructions.map(withoutLastRound);
    return javascript.build({ ...order, program: { ...program, instructions } });
  },
};

export const lastRoundLost: PlanMutant = plantPlan(
  {
    name: "last_round_lost",
    fault: "A long fold in sixteen parts lacks the elements that do not fill a last round of all sixteen.",
    rewrite: "reassociation",
  },
  { backend },
);
