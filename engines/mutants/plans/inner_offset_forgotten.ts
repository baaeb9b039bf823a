import { wholeProducer } from "../../plan/rewrites/composition.ts";
import { viewComposition } from "../../plan/rewrites/view_composition.ts";
import { type PlanMutant, plantPlan } from "./plan_mutant.ts";
import { readThrough, type Through } from "./reading_through.ts";

const through: Through = (read, made) => {
  if (made.kind !== "map" || made.expression.kind !== "read") return undefined;
  const [from] = made.reads;
  if (from === undefined || from.offset === 0 || from.strides.some((stride) => stride < 0)) return undefined;
  return { read, producer: wholeProducer({ ...made, reads: [{ ...from, offset: 0 }] }, made.shape) };
};

export const innerOffsetForgotten: PlanMutant = plantPlan(
  {
    name: "inner_offset_forgotten",
    fault: "What reads a slice reads its operand from the operand's first element on.",
    rewrite: "view_composition",
  },
  {
    passes: {
      view_composition(program) {
        const { program: wrong, fired } = readThrough(program, through);
        const { program: composed, fired: more } = viewComposition(wrong);
        return { program: composed, fired: fired + more };
      },
    },
  },
);
