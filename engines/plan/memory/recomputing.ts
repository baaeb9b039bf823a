import { type Instruction, type LoopProgram, operandsOf, type ValueId } from "../program.ts";
import { withOperands } from "../rewrites/bodies.ts";

/** Which values to compute again. */
export interface Segments {
  /** Instructions from this one on are late: they are the readers that get copies. */
  readonly cut: number;
  /** First instruction of each segment of the early ones; the first is 0, and they grow. */
  readonly starts: readonly number[];
  /** How many segments, from the first, are computed again. */
  readonly count: number;
}

/** A program that computes some values again, with the number of instructions that it has more. */
export interface Recomputing {
  readonly program: LoopProgram;
  readonly recomputed: number;
}

/**
 * `program` where late instructions read copies of the values of the first segments, made just before the first of them needs one. A value
 * that another segment reads, or that is a result, is kept: copies start from those. A copy is the same instruction, so that every number
 * is the same, bit for bit. Cost: linear.
 */
export function recomputing(program: LoopProgram, segments: Segments): Recomputing {
  const count = program.sources.length;
  const { cut } = segments;
  const isKept = keptValues(program, segments);
  const instructions: Instruction[] = program.instructions.slice(0, cut);
  const names = Int32Array.from({ length: count + program.instructions.length }, (_, id) => id);
  const isCopied = new Uint8Array(names.length);
  const append = (instruction: Instruction, value: ValueId): void => {
    instructions.push(withOperands(instruction, (operand) => names[operand] ?? operand));
    names[value] = count + instructions.length - 1;
  };
  /** The values that must be copied for `instruction` to read copies alone, each after what it reads. */
  const missingFor = (instruction: Instruction): readonly ValueId[] => {
    const missing: ValueId[] = [];
    const waiting = [...operandsOf(instruction)];
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
      const original = program.instructions[value - count];
      if (original === undefined || isKept[value] === 1 || isCopied[value] === 1) continue;
      isCopied[value] = 1;
      missing.push(value);
      waiting.push(...operandsOf(original));
    }
    return missing.sort((a, b) => a - b);
  };
  for (const [n, instruction] of program.instructions.entries()) {
    if (n < cut) continue;
    for (const value of missingFor(instruction)) {
      const original = program.instructions[value - count];
      if (original !== undefined) append(original, value);
    }
    append(instruction, count + n);
  }
  const results = program.results.map((value) => names[value] ?? value);
  return {
    program: { ...program, instructions, results },
    recomputed: instructions.length - program.instructions.length,
  };
}

/** 1 for each value that late instructions read as it is. */
function keptValues(program: LoopProgram, { cut, starts, count: repeated }: Segments): Uint8Array {
  const count = program.sources.length;
  const end = Math.min(cut, repeated < starts.length ? (starts[repeated] ?? cut) : cut);
  const isKept = new Uint8Array(count + program.instructions.length).fill(1);
  isKept.fill(0, count, count + end);
  const segmentOf = new Int32Array(cut);
  for (const [segment, start] of starts.entries()) segmentOf.fill(segment, start, cut);
  for (let n = 0; n < cut; n++) {
    const instruction = program.instructions[n];
    if (instruction === undefined) break;
    for (const operand of operandsOf(instruction))
      if (operand >= count && segmentOf[operand - count] !== segmentOf[n]) isKept[operand] = 1;
  }
  for (const result of program.results) isKept[result] = 1;
  return isKept;
}
