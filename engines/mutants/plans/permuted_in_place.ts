import { identity } from "../../plan/lower/draft.ts";
import { type LaidOut, type LayoutOptions, layOut } from "../../plan/memory/layout.ts";
import type { LoopProgram } from "../../plan/program.ts";
import { withBodies } from "../../plan/rewrites/bodies.ts";
import { loops, type PlanMutant, plantPlan } from "./plan_mutant.ts";

/** The layout with that fault. */
export function layOutPermuted(program: LoopProgram, options: LayoutOptions): LaidOut {
  const instructions = program.instructions.map((instruction) =>
    withBodies(instruction, (body, extents) => ({
      ...body,
      reads: body.reads.map(({ value }) => ({ value, ...identity(extents) })),
    })),
  );
  return layOut({ ...program, instructions }, options);
}

export const permutedInPlace: PlanMutant = plantPlan(
  {
    name: "permuted_in_place",
    fault: "A map writes over an operand of as many elements although it reads them in another order.",
    rewrite: "in_place",
  },
  { passes: { layOut: layOutPermuted } },
  { backend: loops },
);
