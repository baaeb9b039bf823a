import { sizeOf } from "../../../spec/shapes/index.ts";
import { applicationsOf } from "./expression.ts";
import { bodiesOf, type Instruction, type LoopProgram } from "./program.ts";

/** Estimates a program's cost: for each element of each loop, its applications and reads. */
export function workOf(program: LoopProgram): number {
  return program.instructions.reduce((sum, instruction) => sum + workOfInstruction(instruction), 0);
}

/** Estimates the cost of one instruction. */
export function workOfInstruction(instruction: Instruction): number {
  return bodiesOf(instruction).reduce(
    (sum, { extents, body }) =>
      sum + sizeOf(extents) * (1 + body.reads.length + applicationsOf(body.expression).length),
    sizeOf(instruction.shape),
  );
}
