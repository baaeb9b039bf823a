import { type Shape, sizeOf } from "../../../spec/index.ts";
import { type LoopProgram, type Read, shapeOfValue } from "../../plan/program.ts";
import { isIdentity } from "../../plan/rewrites/access.ts";
import { withBodies } from "../../plan/rewrites/bodies.ts";
import { readsThrough, wholeProducer } from "../../plan/rewrites/composition.ts";
import { viewComposition } from "../../plan/rewrites/view_composition.ts";
import { type PlanMutant, plantPlan } from "./plan_mutant.ts";

/** The read of what a permutation was made of, where the two sets of axes do not match; else the read itself. */
function unpermuted(read: Read, extents: Shape, program: LoopProgram): Read {
  const made = program.instructions[read.value - program.sources.length];
  if (made?.kind !== "map" || made.expression.kind !== "read" || sizeOf(made.shape) === 0) return read;
  const [from] = made.reads;
  if (from === undefined || isIdentity(from, made.shape) || from.offset !== 0) return read;
  if (from.indirections.length > 0 || sizeOf(shapeOfValue(program, from.value)) !== sizeOf(made.shape))
    return read;
  const isComposed = readsThrough(wholeProducer(made, made.shape), read, extents) !== undefined;
  return isComposed ? read : { ...read, value: from.value };
}

export const stridedViewReshaped: PlanMutant = plantPlan(
  {
    name: "strided_view_reshaped",
    fault: "A reshape of a permuted tensor is read as one of the tensor before it was permuted.",
    rewrite: "view_composition",
  },
  {
    passes: {
      view_composition(program) {
        const instructions = program.instructions.map((instruction) =>
          withBodies(instruction, (body, extents) => {
            if (sizeOf(extents) === 0) return body;
            const reads = body.reads.map((read) => unpermuted(read, extents, program));
            return reads.every((read, n) => read === body.reads[n]) ? body : { ...body, reads };
          }),
        );
        return viewComposition({ ...program, instructions });
      },
    },
  },
);
