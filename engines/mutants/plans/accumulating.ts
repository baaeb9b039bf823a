import type { Instruction, ScatterInstruction, ValueId } from "../../plan/program.ts";
import { accumulationInPlace } from "../../plan/rewrites/accumulation_in_place.ts";
import { type Pass, rewritten } from "../../plan/rewrites/rewritten.ts";

/** A sum that has become an addition in place. */
export interface Accumulation extends ScatterInstruction {
  readonly base: ValueId;
}

/** The pass with something else for each sum that has become an addition in place; `part` is the other summand. */
export function accumulating(wrong: (accumulation: Accumulation, part: ValueId) => Instruction): Pass {
  return (program) => {
    const step = accumulationInPlace(program);
    const instructions = step.program.instructions.map((instruction, n) => {
      const before = program.instructions[n];
      if (instruction === before || instruction.kind !== "scatter" || before?.kind !== "map")
        return instruction;
      const { base } = instruction;
      const part = before.reads.find(({ value }) => value !== base)?.value;
      return base === undefined || part === undefined ? instruction : wrong({ ...instruction, base }, part);
    });
    return rewritten(step.program, instructions, step.fired);
  };
}
