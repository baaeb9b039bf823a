import { type LaidOut, type LayoutOptions, layOut } from "../../plan/memory/layout.ts";
import type { Instruction } from "../../plan/program.ts";
import { type LoopProgram, operandsOf } from "../../plan/program.ts";
import { loops, type PlanMutant, plantPlan } from "./plan_mutant.ts";

/** The layout with that fault. */
export function layOutEarly(program: LoopProgram, options: LayoutOptions): LaidOut {
  // What an instruction reads is what the next one needs: that is how long the layout keeps it.
  const instructions = program.instructions.map(({ shape }, n): Instruction => {
    const next = program.instructions[n + 1];
    const operands = next === undefined ? [] : operandsOf(next);
    return { kind: "routine", shape, operands, routine: { kind: "determinant", n: 0 } };
  });
  return layOut({ ...program, instructions }, options);
}

export const lifeEndsEarly: PlanMutant = plantPlan(
  {
    name: "life_ends_early",
    fault: "The place of a value is given away one instruction before the last that reads it.",
    rewrite: "buffer_reuse",
  },
  { passes: { layOut: layOutEarly } },
  { backend: loops },
);
