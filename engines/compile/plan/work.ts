import { sizeOf } from "../../../spec/shapes/index.ts";
import { applicationsOf, type Expression } from "./expression.ts";
import { elementaryFunctions } from "./functions/functions.ts";
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

/** A loop of so many operations is worth sharing by threads, a program of so many worth waking them. */
export const SHARED: number = 2 ** 16;
const WAKING = 2 ** 20;

/** Says whether a program has enough to do for several threads. */
export function isWorthThreads({ instructions }: LoopProgram): boolean {
  const work = instructions
    .flatMap(bodiesOf)
    .map(({ extents, body }) => sizeOf(extents) * costOf(body.expression));
  return work.filter((some) => some >= SHARED).reduce((sum, some) => sum + some, 0) >= WAKING;
}

/** Counts operations roughly: an elementary function is sixteen of them. */
export function costOf(expression: Expression): number {
  const functions = applicationsOf(expression).map((part) => part.function);
  return 1 + functions.reduce((sum, name) => sum + (Object.hasOwn(elementaryFunctions, name) ? 16 : 1), 0);
}
