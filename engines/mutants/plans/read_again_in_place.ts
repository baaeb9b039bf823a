import { type LaidOut, type LayoutOptions, layOut } from "../../plan/memory/layout.ts";
import type { LoopProgram } from "../../plan/program.ts";
import { isIdentity } from "../../plan/rewrites/access.ts";
import { withBodies } from "../../plan/rewrites/bodies.ts";
import { loops, type PlanMutant, plantPlan } from "./plan_mutant.ts";

/** The layout with that fault. */
export function layOutBySome(program: LoopProgram, options: LayoutOptions): LaidOut {
  const instructions = program.instructions.map((instruction) =>
    withBodies(instruction, (body, extents) => {
      const inOrder = new Set(
        body.reads.filter((read) => isIdentity(read, extents)).map(({ value }) => value),
      );
      const reads = body.reads.filter((read) => isIdentity(read, extents) || !inOrder.has(read.value));
      return reads.length === body.reads.length ? body : { ...body, reads };
    }),
  );
  return layOut({ ...program, instructions }, options);
}

export const readAgainInPlace: PlanMutant = plantPlan(
  {
    name: "read_again_in_place",
    fault: "A map writes over an operand if one of its reads is in order, although another is not.",
    rewrite: "in_place",
  },
  { passes: { layOut: layOutBySome } },
  { backend: loops },
);
