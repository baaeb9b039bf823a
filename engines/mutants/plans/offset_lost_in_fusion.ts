import { mapFusion } from "../../plan/rewrites/map_fusion.ts";
import { type PlanMutant, plantPlan } from "./plan_mutant.ts";
import { computing, readOnce, readThrough } from "./reading_through.ts";

export const offsetLostInFusion: PlanMutant = plantPlan(
  {
    name: "offset_lost_in_fusion",
    fault: "A loop that reads a part of a map computes the map from its first element on.",
    rewrite: "map_fusion",
  },
  {
    passes: {
      map_fusion(program) {
        const isFused = readOnce(program);
        const { program: wrong, fired } = readThrough(program, (read, made, { instruction }) => {
          const isPart = read.offset > 0 && read.strides.every((stride) => stride >= 0);
          const producer =
            instruction.kind !== "fold" && isPart && isFused.has(read.value) && computing(made);
          return producer ? { read: { ...read, offset: 0 }, producer } : undefined;
        });
        const { program: fused, fired: more } = mapFusion(wrong);
        return { program: fused, fired: fired + more };
      },
    },
  },
);
