import { at, present, sizeOf } from "../../../../spec/shapes/index.ts";
import { literal, read, substitute } from "../expression.ts";
import { type Body, type Instruction, type LoopProgram, operandsOf, type ValueId } from "../program.ts";
import { withBodies, withOperands } from "./bodies.ts";
import { readsIn } from "./expressions.ts";
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
  const names: number[] = program.sources.map((_, id) => id);
  const kept: Instruction[] = [];
  for (const [n, instruction] of lean.entries()) {
    names.push(count + kept.length);
    if (isNeeded.has(count + n)) kept.push(withOperands(instruction, (value) => at(names, value)));
    else fired += 1;
  }
  if (fired === 0) return { program, fired };
  const results = program.results.map((value) => at(names, value));
  return { program: { ...program, instructions: kept, results }, fired };
}

/** Returns the values that a result depends on. */
function needed(
  instructions: readonly Instruction[],
  sources: number,
  results: LoopProgram["results"],
): ReadonlySet<ValueId> {
  const found = new Set(results);
  for (const [n, instruction] of [...instructions.entries()].toReversed())
    if (found.has(sources + n)) for (const operand of operandsOf(instruction)) found.add(operand);
  return found;
}

const runningForNothing: Body = { reads: [], expression: literal(0) };

function withUsedReads(body: Body): Body {
  const used = readsIn(body.expression);
  if (used.size === body.reads.length) return body;
  const places = new Map<number, number>();
  const reads = body.reads.filter((_, n) => used.has(n) && places.set(n, places.size));
  return {
    reads,
    expression: substitute(body.expression, (n) => read(present(places.get(n), "place of a read"))),
  };
}

function withoutEmptyPieces(instruction: Instruction): Instruction {
  if (instruction.kind !== "assemble") return instruction;
  const pieces = instruction.pieces.filter(({ shape }) => sizeOf(shape) > 0);
  return pieces.length === instruction.pieces.length ? instruction : { ...instruction, pieces };
}
