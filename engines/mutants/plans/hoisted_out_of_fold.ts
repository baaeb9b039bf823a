import { foldFusion } from "../../plan/rewrites/fold_fusion.ts";
import { type PlanMutant, plantPlan } from "./plan_mutant.ts";
import { computing, readOnce, readThrough } from "./reading_through.ts";

export const hoistedOutOfFold: PlanMutant = plantPlan(
  {
    name: "hoisted_out_of_fold",
    fault:
      "A map inside a fold is computed once for each result, as if it did not change along the folded axes.",
    rewrite: "fold_fusion",
  },
  {
    passes: {
      fold_fusion(program) {
        const isFused = readOnce(program);
        const { program: wrong, fired } = readThrough(program, (read, made, { instruction }) => {
          if (instruction.kind !== "fold" || !isFused.has(read.value)) return undefined;
          const producer = computing(made);
          const free = instruction.shape.length;
          const strides = read.strides.map((stride, axis) => (axis < free ? stride : 0));
          return producer && { read: { ...read, strides }, producer };
        });
        const { program: fused, fired: more } = foldFusion(wrong);
        return { program: fused, fired: fired + more };
      },
    },
  },
);
