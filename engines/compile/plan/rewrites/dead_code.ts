import { at, integerAt, sizeOf } from "../../../../spec/shapes/index.ts";
import { type Expression, literal, read, substitute } from "../expression.ts";
import {
  type Body,
  eachOperand,
  type Instruction,
  type LoopProgram,
  type Read,
  type ValueId,
} from "../program.ts";
import { withBodies, withOperands } from "./bodies.ts";
import { usesAll, usesOf } from "./expressions.ts";
import type { Rewritten } from "./rewritten.ts";

/**
 * Drops instructions that no result needs, reads that no expression uses, and bodies of empty loops. Sources
 * stay; instructions are renumbered.
 * Exact: any. Cost: linear. `fired` counts instructions and reads.
 */
export function deadCode(program: LoopProgram): Rewritten {
  const count = program.sources.length;
  let fired = 0;
  const lean = program.instructions.map((instruction) =>
    withoutEmptyPieces(
      withBodies(instruction, (body, extents) => {
        const used = sizeOf(extents) === 0 ? runningForNothing : withUsedReads(body);
        fired += body.reads.length - used.reads.length;
        return used;
      }),
    ),
  );
  const isNeeded = needed(lean, count, program.results);
  const names = Int32Array.from(isNeeded, (_, id) => id);
  const kept: Instruction[] = [];
  const name = (value: ValueId): ValueId => integerAt(names, value);
  for (let n = 0; n < lean.length; n++) {
    const instruction = at(lean, n);
    names[count + n] = count + kept.length;
    if (isNeeded[count + n] === 0) fired += 1;
    // As long as nothing is gone, names are as before.
    else kept.push(kept.length === n ? instruction : withOperands(instruction, name));
  }
  if (fired === 0) return { program, fired };
  return { program: { ...program, instructions: kept, results: program.results.map(name) }, fired };
}

/** Marks the values that a result depends on with 1. */
function needed(
  instructions: readonly Instruction[],
  sources: number,
  results: LoopProgram["results"],
): Uint8Array {
  const found = new Uint8Array(sources + instructions.length);
  const mark = (value: ValueId): void => {
    found[value] = 1;
  };
  results.forEach(mark);
  for (let n = instructions.length - 1; n >= 0; n--)
    if (found[sources + n] === 1) eachOperand(at(instructions, n), mark);
  return found;
}

const runningForNothing: Body = { reads: [], expression: literal(0) };

const unread: Expression = literal(0);

function withUsedReads(body: Body): Body {
  if (usesAll(body.expression, body.reads.length)) return body;
  const isUsed = usesOf(body.expression, body.reads.length);
  const reads: Read[] = [];
  const parts = body.reads.map((one, n) => (isUsed[n] ? read(reads.push(one) - 1) : unread));
  return { reads, expression: substitute(body.expression, (n) => at(parts, n)) };
}

function withoutEmptyPieces(instruction: Instruction): Instruction {
  if (instruction.kind !== "assemble") return instruction;
  const pieces = instruction.pieces.filter(({ shape }) => sizeOf(shape) > 0);
  return pieces.length === instruction.pieces.length ? instruction : { ...instruction, pieces };
}
