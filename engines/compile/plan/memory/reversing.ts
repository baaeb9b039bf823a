import { at, integerAt } from "../../../../spec/shapes/index.ts";
import { type LoopProgram, operandsOf, type ValueId } from "../program.ts";
import { withOperands } from "../rewrites/bodies.ts";
import { deadCode } from "../rewrites/dead_code.ts";
import type { Recomputing } from "./recomputing.ts";
import type { Reversal } from "./reversal.ts";
import type { Steps } from "./steps.ts";

/**
 * Writes `program` with its early steps computed as a plan says. Late instructions keep their order: each
 * comes when its steps have been computed again, and reads the latest copies. A copy is the same instruction
 * on copies of the same operands, so that every number keeps its bits. Cost: linear in the instructions made.
 */
export function reversing(program: LoopProgram, steps: Steps, reversal: Reversal): Recomputing {
  const { sources, results } = program;
  const instructions: LoopProgram["instructions"][number][] = [];
  const names = Int32Array.from({ length: sources.length + program.instructions.length }, (_, id) => id);
  const isMade = new Uint8Array(program.instructions.length);
  const make = (n: number): void => {
    if (isMade[n] === 1 && n < steps.cut && steps.stays[n] === 1) return;
    isMade[n] = 1;
    instructions.push(withOperands(at(program.instructions, n), (id) => integerAt(names, id)));
    names[sources.length + n] = sources.length + instructions.length - 1;
  };
  const beginningOf = (step: number): number => steps.starts[step] ?? steps.cut;
  const needs = firstNeeds(program, steps);
  let late = steps.cut;
  for (const { from, to, isWhole } of partsOf(reversal)) {
    for (let n = beginningOf(from); n < beginningOf(to); n++) make(n);
    if (!isWhole) continue;
    for (
      ;
      late < program.instructions.length && integerAt(needs, late - steps.cut) >= beginningOf(from);
      late++
    )
      make(late);
  }
  const named = (value: ValueId): ValueId => integerAt(names, value);
  const made = deadCode({ ...program, instructions, results: results.map(named) });
  return {
    program: made.program,
    recomputed: made.program.instructions.length - program.instructions.length,
  };
}

/** Yields the parts in order, without recursion: a plan may be as deep as its chain is long. */
function* partsOf(
  whole: Reversal,
): Generator<{ readonly from: number; readonly to: number; readonly isWhole: boolean }> {
  const pending = [whole];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.kind === "whole") yield { from: next.from, to: next.to, isWhole: true };
    else {
      yield { from: next.from, to: next.between, isWhole: false };
      pending.push(next.left, next.right);
    }
  }
}

/** Returns for each late instruction the first early one that it reads and that does not stay. */
function firstNeeds(program: LoopProgram, { cut, stays }: Steps): Int32Array {
  const count = program.sources.length;
  return Int32Array.from(program.instructions.slice(cut), (instruction) =>
    operandsOf(instruction).reduce((first, operand) => {
      const n = operand - count;
      return n < 0 || n >= cut || stays[n] === 1 ? first : Math.min(first, n);
    }, cut),
  );
}
