import { at, integerAt } from "../../../spec/shapes/index.ts";
import { eachOperand, type LoopProgram, type ValueId } from "./program.ts";

/**
 * Returns each value's last reader, by number; without one the instruction that makes it (−1 for a source);
 * for a result the number of instructions, as it is read after all. Cost: linear in the reads.
 */
export function lastReaders(program: LoopProgram): Int32Array {
  const count = program.sources.length;
  const last = new Int32Array(count + program.instructions.length);
  for (let value = 0; value < last.length; value++) last[value] = Math.max(-1, value - count);
  let n = 0;
  const hear = (operand: ValueId): void => {
    last[operand] = n;
  };
  for (; n < program.instructions.length; n++) eachOperand(at(program.instructions, n), hear);
  for (const result of program.results) last[result] = program.instructions.length;
  return last;
}

/** Lists for each instruction the instruction values that nothing reads after it; see {@link lastReaders}. */
export function deathsAfter(program: LoopProgram, last: Int32Array): readonly (readonly ValueId[])[] {
  const deaths: ValueId[][] = program.instructions.map(() => []);
  for (let value = program.sources.length; value < last.length; value++)
    // A result outlives all instructions.
    deaths[integerAt(last, value)]?.push(value);
  return deaths;
}
