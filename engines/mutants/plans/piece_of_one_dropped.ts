import { sizeOf } from "../../../spec/index.ts";
import type { Instruction } from "../../plan/program.ts";
import { deadCode } from "../../plan/rewrites/dead_code.ts";
import { type PlanMutant, plantPlan } from "./plan_mutant.ts";

export const pieceOfOneDropped: PlanMutant = plantPlan(
  {
    name: "piece_of_one_dropped",
    fault: "A piece of an assembly that has one element counts as one that has none, and is left out.",
    rewrite: "dead_code",
  },
  {
    passes: {
      dead_code(program) {
        const instructions = program.instructions.map(
          (instruction): Instruction =>
            instruction.kind === "assemble"
              ? { ...instruction, pieces: instruction.pieces.filter(({ shape }) => sizeOf(shape) > 1) }
              : instruction,
        );
        return deadCode({ ...program, instructions });
      },
    },
  },
);
