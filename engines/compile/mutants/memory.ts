import {
  type Checkpointed,
  type CheckpointOptions,
  checkpointed,
  type Instruction,
  isIdentity,
  type LaidOut,
  type LayoutOptions,
  type LoopProgram,
  layOut,
  operandsOf,
  withBodies,
} from "../plan/index.ts";
import { identity } from "../plan/lower/index.ts";
import { repetitionsIn } from "./merging.ts";
import { loops, type PlanMutant, planMutantTable } from "./plan_mutant.ts";

/** Gives places away one instruction before their last reader. */
export function layOutEarly(program: LoopProgram, options: LayoutOptions): LaidOut {
  // The layout sees what each instruction reads at the one before it, and keeps values so long.
  const instructions = program.instructions.map(({ shape }, n): Instruction => {
    const next = program.instructions[n + 1];
    const operands = next === undefined ? [] : operandsOf(next);
    return { kind: "routine", shape, operands, routine: { kind: "determinant", n: 0 } };
  });
  return layOut({ ...program, instructions }, options);
}

/** Gives the places of results away. */
export function layOutWithoutResults(program: LoopProgram, options: LayoutOptions): LaidOut {
  return layOut({ ...program, results: [] }, options);
}

/** Takes every read for one in order. */
export function layOutPermuted(program: LoopProgram, options: LayoutOptions): LaidOut {
  const instructions = program.instructions.map((instruction) =>
    withBodies(instruction, (body, extents) => ({
      ...body,
      reads: body.reads.map(({ value }) => ({ value, ...identity(extents) })),
    })),
  );
  return layOut({ ...program, instructions }, options);
}

/** Asks only one read of a value whether it is in order. */
export function layOutBySome(program: LoopProgram, options: LayoutOptions): LaidOut {
  const instructions = program.instructions.map((instruction) =>
    withBodies(instruction, (body, extents) => {
      const inOrder = new Set(
        body.reads.filter((read) => isIdentity(read, extents)).map(({ value }) => value),
      );
      const reads = body.reads.filter((read) => isIdentity(read, extents) || !inOrder.has(read.value));
      return reads.length === body.reads.length ? body : { ...body, reads };
    }),
  );
  return layOut({ ...program, instructions }, options);
}

/** Starts what is computed again from zeros. */
export function checkpointedWithoutBases(program: LoopProgram, options: CheckpointOptions): Checkpointed {
  const made = checkpointed(program, options);
  const isAgain = repetitionsIn(made.program);
  const instructions = made.program.instructions.map(
    (instruction, n): Instruction =>
      isAgain.has(n) && instruction.kind === "scatter" ? { ...instruction, base: undefined } : instruction,
  );
  return { ...made, program: { ...made.program, instructions } };
}

/** Forgets what is read to compute a value again. */
export function layOutForgettingCopies(program: LoopProgram, options: LayoutOptions): LaidOut {
  const isAgain = repetitionsIn(program);
  const instructions = program.instructions.map(
    (instruction, n): Instruction =>
      isAgain.has(n)
        ? {
            kind: "routine",
            shape: instruction.shape,
            operands: [],
            routine: { kind: "determinant", n: 0 },
          }
        : instruction,
  );
  return layOut({ ...program, instructions }, options);
}

/** These faults concern where values lie, and for how long. */
export const memoryMutants: readonly PlanMutant[] = planMutantTable({
  // These concern how long a value is kept.
  life_ends_early: {
    fault: "The place of a value is given away one instruction before the last that reads it.",
    rewrite: "buffer_reuse",
    passes: { layOut: layOutEarly },
    setting: { backend: loops },
  },
  results_not_kept: {
    fault: "The place of a result is given away after the last instruction that reads it.",
    rewrite: "buffer_reuse",
    passes: { layOut: layOutWithoutResults },
    setting: { backend: loops },
  },

  // These concern what is written over its operand.
  permuted_in_place: {
    fault: "A map writes over an operand of as many elements although it reads them in another order.",
    rewrite: "in_place",
    passes: { layOut: layOutPermuted },
    setting: { backend: loops },
  },
  read_again_in_place: {
    fault: "A map writes over an operand if one of its reads is in order, although another is not.",
    rewrite: "in_place",
    passes: { layOut: layOutBySome },
    setting: { backend: loops },
  },

  // These concern what is computed again.
  copy_without_base: {
    fault: "Additions into a value that are computed again begin with zeros, not with the value.",
    rewrite: "checkpointing",
    passes: { checkpointing: checkpointedWithoutBases },
    setting: { backend: loops, memory: "least" },
  },
  recomputed_from_the_dead: {
    fault: "A value is computed again from operands whose places were given away in between.",
    rewrite: "checkpointing",
    passes: { layOut: layOutForgettingCopies },
    setting: { backend: loops, memory: "least" },
  },
});
