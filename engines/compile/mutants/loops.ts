import { at, type Shape, sizeOf } from "../../../spec/shapes/index.ts";
import {
  apply,
  bodiesOf,
  commonSubexpressions,
  deadCode,
  foldFusion,
  type Instruction,
  isIdentity,
  type LoopProgram,
  mapFusion,
  operandsOf,
  type Pass,
  type Read,
  read,
  readsThrough,
  shapeOfValue,
  type ValueId,
  viewComposition,
  wholeProducer,
  withBodies,
} from "../plan/index.ts";
import { identity } from "../plan/lower/index.ts";
import { type Blindness, mergedBlindly } from "./merging.ts";
import { type PlanMutant, planMutantTable } from "./plan_mutant.ts";
import { computing, readingThrough, readOnce } from "./reading_through.ts";

/** Returns the values that are needed otherwise than as the base of a scatter. */
function readElsewhere({ instructions, results }: LoopProgram): ReadonlySet<number> {
  const read = instructions.flatMap((instruction) =>
    instruction.kind === "routine"
      ? operandsOf(instruction)
      : bodiesOf(instruction).flatMap(({ body }) => body.reads.map(({ value }) => value)),
  );
  return new Set([...read, ...results]);
}

/** Searches for common subexpressions, and then again blind to a difference. */
function alsoMerging(blindness: Blindness): Pass {
  return (program) => {
    const { program: sound, fired } = commonSubexpressions(program);
    return { program: mergedBlindly(sound, blindness), fired };
  };
}

/** Reads the operand of a permutation, if the two sets of axes do not match; else reads as before. */
function unpermuted(read: Read, extents: Shape, program: LoopProgram): Read {
  const made = program.instructions[read.value - program.sources.length];
  if (made?.kind !== "map" || made.expression.kind !== "read" || sizeOf(made.shape) === 0) return read;
  const [from] = made.reads;
  if (from === undefined || isIdentity(from, made.shape) || from.offset !== 0) return read;
  if (from.indirections.length > 0 || sizeOf(shapeOfValue(program, from.value)) !== sizeOf(made.shape))
    return read;
  const isComposed = readsThrough(wholeProducer(made, made.shape), read, extents) !== undefined;
  return isComposed ? read : { ...read, value: from.value };
}

/** Exchanges a map of one tensor and the sum that alone reads it: first the sum, then the function. */
function exchanged(
  program: LoopProgram,
  fold: Instruction,
  isReadOnce: ReadonlySet<ValueId>,
): { readonly place: number; readonly sum: Instruction; readonly applied: Instruction } | undefined {
  if (fold.kind !== "fold" || fold.operation !== "add" || fold.expression.kind !== "read") return undefined;
  const { value } = at(fold.reads, fold.expression.read);
  const place = value - program.sources.length;
  const map = program.instructions[place];
  if (map?.kind !== "map" || map.expression.kind !== "apply" || !isReadOnce.has(value)) return undefined;
  const [operand, another] = map.expression.operands;
  const [from] = map.reads;
  const isPlain = operand?.kind === "read" && another === undefined && map.reads.length === 1;
  if (!isPlain || from === undefined || !isIdentity(from, map.shape)) return undefined;
  const sum: Instruction = { ...fold, reads: fold.reads.map((one) => ({ ...one, value: from.value })) };
  const applied: Instruction = {
    kind: "map",
    shape: fold.shape,
    reads: [{ value, ...identity(fold.shape) }],
    expression: apply(map.expression.function, read(0)),
  };
  return { place, sum, applied };
}

/** These faults concern the passes that drop, merge and fuse loops. */
export const loopMutants: readonly PlanMutant[] = planMutantTable({
  // These concern what is dropped.
  piece_of_one_dropped: {
    fault: "A piece of an assembly that has one element counts as one that has none, and is left out.",
    rewrite: "dead_code",
    passes: {
      dead_code(program) {
        const instructions = program.instructions.map(
          (instruction): Instruction =>
            instruction.kind === "assemble"
              ? { ...instruction, pieces: instruction.pieces.filter(({ shape }) => sizeOf(shape) > 1) }
              : instruction,
        );
        return deadCode({ ...program, instructions });
      },
    },
  },
  scatter_base_unread: {
    fault: "What only a scatter starts from is taken for dead, and the scatter starts from zeros.",
    rewrite: "dead_code",
    passes: {
      dead_code(program) {
        const isRead = readElsewhere(program);
        const instructions = program.instructions.map((instruction): Instruction => {
          const { length } = program.sources;
          if (instruction.kind !== "scatter" || instruction.base === undefined) return instruction;
          const isKept = instruction.base < length || isRead.has(instruction.base);
          return isKept ? instruction : { ...instruction, base: undefined };
        });
        return deadCode({ ...program, instructions });
      },
    },
  },

  // These concern what is merged.
  difference_unordered: {
    fault: "The operands of a difference have no order, as those of a sum.",
    rewrite: "common_subexpressions",
    passes: { common_subexpressions: alsoMerging({ unordered: "subtract" }) },
  },
  index_not_compared: {
    fault: "Two lookups are one if they differ only in which indices they look up.",
    rewrite: "common_subexpressions",
    passes: {
      common_subexpressions: alsoMerging({ number: (name, value) => (name === "index" ? 0 : value) }),
    },
  },
  offset_not_compared: {
    fault: "Two loops are one if they differ only in where they begin to read.",
    rewrite: "common_subexpressions",
    passes: {
      common_subexpressions: alsoMerging({ number: (name, value) => (name === "offset" ? 0 : value) }),
    },
  },
  signs_of_zeros_merged: {
    fault: "Two literals are one if they are equal numbers, as +0 and −0 are.",
    rewrite: "common_subexpressions",
    passes: { common_subexpressions: alsoMerging({ number: (_, value) => value + 0 }) },
    setting: { regime: "bit_exact" },
  },

  // These concern views.
  inner_offset_forgotten: {
    fault: "What reads a slice reads its operand from the operand's first element on.",
    rewrite: "view_composition",
    passes: {
      view_composition: readingThrough(viewComposition, (read, made) => {
        if (made.kind !== "map" || made.expression.kind !== "read") return undefined;
        const [from] = made.reads;
        if (from === undefined || from.offset === 0 || from.strides.some((stride) => stride < 0))
          return undefined;
        return { read, producer: wholeProducer({ ...made, reads: [{ ...from, offset: 0 }] }, made.shape) };
      }),
    },
  },
  strided_view_reshaped: {
    fault: "A reshape of a permuted tensor is read as one of the tensor before it was permuted.",
    rewrite: "view_composition",
    passes: {
      view_composition(program) {
        const instructions = program.instructions.map((instruction) =>
          withBodies(instruction, (body, extents) => {
            if (sizeOf(extents) === 0) return body;
            const reads = body.reads.map((read) => unpermuted(read, extents, program));
            return reads.every((read, n) => read === body.reads[n]) ? body : { ...body, reads };
          }),
        );
        return viewComposition({ ...program, instructions });
      },
    },
  },

  // These concern fusion.
  lookup_lost_in_fusion: {
    fault: "A loop that looks up elements of a map computes the map's first element in their place.",
    rewrite: "map_fusion",
    passes: {
      map_fusion: readingThrough(mapFusion, (read, made, { instruction, isOnlyReader }) => {
        const isLookup = read.indirections.length > 0 && isOnlyReader;
        const producer = instruction.kind !== "fold" && isLookup && computing(made);
        return producer ? { read: { ...read, indirections: [] }, producer } : undefined;
      }),
    },
  },
  offset_lost_in_fusion: {
    fault: "A loop that reads a part of a map computes the map from its first element on.",
    rewrite: "map_fusion",
    passes: {
      map_fusion: readingThrough(mapFusion, (read, made, { instruction, isOnlyReader }) => {
        const isPart = read.offset > 0 && read.strides.every((stride) => stride >= 0);
        const producer = instruction.kind !== "fold" && isPart && isOnlyReader && computing(made);
        return producer ? { read: { ...read, offset: 0 }, producer } : undefined;
      }),
    },
  },
  applied_after_sum: {
    fault: "A function inside a sum is applied to the sum and not to its terms.",
    rewrite: "fold_fusion",
    passes: {
      fold_fusion(program) {
        const isReadOnce = readOnce(program);
        const instructions = [...program.instructions];
        for (const [n, instruction] of program.instructions.entries()) {
          const pair = exchanged(program, instruction, isReadOnce);
          if (pair !== undefined) [instructions[pair.place], instructions[n]] = [pair.sum, pair.applied];
        }
        return foldFusion({ ...program, instructions });
      },
    },
  },
  hoisted_out_of_fold: {
    fault:
      "A map inside a fold is computed once for each result, as if it did not change along the folded axes.",
    rewrite: "fold_fusion",
    passes: {
      fold_fusion: readingThrough(foldFusion, (read, made, { instruction, isOnlyReader }) => {
        if (instruction.kind !== "fold" || !isOnlyReader) return undefined;
        const producer = computing(made);
        const free = instruction.shape.length;
        const strides = read.strides.map((stride, axis) => (axis < free ? stride : 0));
        return producer && { read: { ...read, strides }, producer };
      }),
    },
  },
});
