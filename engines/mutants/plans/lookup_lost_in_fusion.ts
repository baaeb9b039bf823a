import { mapFusion } from "../../plan/rewrites/map_fusion.ts";
import { type PlanMutant, plantPlan } from "./plan_mutant.ts";
import { computing, readOnce, readThrough } from "./reading_through.ts";

export const lookupLostInFusion: PlanMutant = plantPlan(
  {
    name: "lookup_lost_in_fusion",
    fault: "A loop that looks up elements of a map computes the map's first element in their place.",
    rewrite: "map_fusion",
  },
  {
    passes: {
      map_fusion(program) {
        const isFused = readOnce(program);
        const { program: wrong, fired } = readThrough(program, (read, made, { instruction }) => {
          const isLookup = read.indirections.length > 0 && isFused.has(read.value);
          const producer = instruction.kind !== "fold" && isLookup && computing(made);
          return producer ? { read: { ...read, indirections: [] }, producer } : undefined;
        });
        const { program: fused, fired: more } = mapFusion(wrong);
        return { program: fused, fired: fired + more };
      },
    },
  },
);
