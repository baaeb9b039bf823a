import { at, integerAt, isSameShape, sizeOf } from "../../../../spec/shapes/index.ts";
import {
  eachOperand,
  type Instruction,
  type LoopProgram,
  type Read,
  type ScatterInstruction,
  shapeOfValue,
  type ValueId,
} from "../program.ts";
import { isIdentity } from "./access.ts";
import { type Rewritten, rewritten } from "./rewritten.ts";

/**
 * Adds a part in place: `x + a`, where `a` is zero outside a part, becomes a scatter of that part with base
 * `x`. `a` is an assembly of one piece, or a scatter without base, that nothing else reads. The part must be
 * at most half of the whole; if `x` is not needed later, the layout adds in its very place.
 * Exact: monoid. Cost: linear. `fired` counts sums.
 */
export function accumulationInPlace(program: LoopProgram): Rewritten {
  const count = program.sources.length;
  const readers = readerCounts(program);
  let fired = 0;
  const instructions = program.instructions.map((instruction): Instruction => {
    const [x, y] = summands(instruction, program) ?? [];
    if (x === undefined || y === undefined) return instruction;
    for (const [base, part] of [
      [x, y],
      [y, x],
    ] as const) {
      const made = program.instructions[part - count];
      if (made === undefined || readers[part] !== 1) continue;
      const contribution = contributionOf(made);
      if (contribution === undefined || 2 * sizeOf(contribution.over) > sizeOf(instruction.shape)) continue;
      fired += 1;
      return { ...contribution, base };
    }
    return instruction;
  });
  return rewritten(program, instructions, fired);
}

/** Returns the two values of its own shape that a map adds element by element. */
function summands(instruction: Instruction, program: LoopProgram): readonly [ValueId, ValueId] | undefined {
  if (instruction.kind !== "map") return undefined;
  const { reads, expression, shape } = instruction;
  if (expression.kind !== "apply" || expression.function !== "add") return undefined;
  const [x, y] = expression.operands;
  if (x?.kind !== "read" || y?.kind !== "read") return undefined;
  const isWhole = (read: Read): boolean =>
    isIdentity(read, shape) && isSameShape(shapeOfValue(program, read.value), shape);
  const [a, b] = [at(reads, x.read), at(reads, y.read)];
  return a.value !== b.value && isWhole(a) && isWhole(b) ? [a.value, b.value] : undefined;
}

/** Returns what an instruction adds to zeros, as a scatter. */
function contributionOf(instruction: Instruction): ScatterInstruction | undefined {
  if (instruction.kind === "scatter") return instruction.base === undefined ? instruction : undefined;
  if (instruction.kind !== "assemble") return undefined;
  const [piece, another] = instruction.pieces;
  if (piece === undefined || another !== undefined) return undefined;
  const { shape, place, reads, expression } = piece;
  return {
    kind: "scatter",
    shape: instruction.shape,
    base: undefined,
    over: shape,
    place,
    reads,
    expression,
  };
}

/** Counts how often each value is read; a result once more. */
function readerCounts(program: LoopProgram): Int32Array {
  const readers = new Int32Array(program.sources.length + program.instructions.length);
  const count = (value: ValueId): void => {
    readers[value] = integerAt(readers, value) + 1;
  };
  for (const instruction of program.instructions) eachOperand(instruction, count);
  program.results.forEach(count);
  return readers;
}
