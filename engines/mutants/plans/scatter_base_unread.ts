import { bodiesOf, type Instruction, type LoopProgram, operandsOf } from "../../plan/program.ts";
import { deadCode } from "../../plan/rewrites/dead_code.ts";
import { type PlanMutant, plantPlan } from "./plan_mutant.ts";

/** The values that the program needs but as what a scatter starts from. */
function readElsewhere({ instructions, results }: LoopProgram): ReadonlySet<number> {
  const read = instructions.flatMap((instruction) =>
    instruction.kind === "routine"
      ? operandsOf(instruction)
      : bodiesOf(instruction).flatMap(({ body }) => body.reads.map(({ value }) => value)),
  );
  return new Set([...read, ...results]);
}

export const scatterBaseUnread: PlanMutant = plantPlan(
  {
    name: "scatter_base_unread",
    fault: "What only a scatter starts from is taken for dead, and the scatter starts from zeros.",
    rewrite: "dead_code",
  },
  {
    passes: {
      dead_code(program) {
        const isRead = readElsewhere(program);
        const instructions = program.instructions.map((instruction): Instruction => {
          const { length } = program.sources;
          if (instruction.kind !== "scatter" || instruction.base === undefined) return instruction;
          const isKept = instruction.base < length || isRead.has(instruction.base);
          return isKept ? instruction : { ...instruction, base: undefined };
        });
        return deadCode({ ...program, instructions });
      },
    },
  },
);
