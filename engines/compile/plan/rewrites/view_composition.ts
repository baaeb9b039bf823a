import { at, isSameShape, type Shape } from "../../../../spec/shapes/index.ts";
import {
  type Body,
  type Instruction,
  type LoopProgram,
  type Read,
  shapeOfValue,
  type ValueId,
} from "../program.ts";
import { isIdentity } from "./access.ts";
import { withBodies, withOperands } from "./bodies.ts";
import { isReadThrough, type Producer, pieceProducer, wholeProducer } from "./composition.ts";
import { inlined, type Replacement } from "./inlining.ts";
import type { Rewritten } from "./rewritten.ts";

/**
 * Reads through values that only move elements: maps whose body is one read (broadcast, permutation, slice,
 * reshape, lookup), and pieces of assemblies that a read does not leave. The reader reads the original;
 * strides and lookups compose. A reshape is read through only where its axes match the reader's. A map that
 * copies a value of its own shape is that value, also for bases, routines and results.
 * Exact: any. Cost: linear in the reads and, for assemblies, their pieces. `fired` counts reads.
 */
export function viewComposition(program: LoopProgram): Rewritten {
  const count = program.sources.length;
  const moves: (readonly Producer[])[] = program.sources.map(() => none);
  const originals: ValueId[] = program.sources.map((_, id) => id);
  let fired = 0;
  const isMoved = ({ value }: Read): boolean => at(moves, value).length > 0;
  const change = (body: Body, extents: Shape): Body => {
    if (!body.reads.some(isMoved)) return body;
    const step = inlined(body, extents, 0, (read) => moveOf(read, extents, moves), noLimits);
    fired += step.fired;
    return step.body;
  };
  const original = (value: ValueId): ValueId => at(originals, value);
  const instructions = program.instructions.map((before, n) => {
    const read = withBodies(before, change);
    const instruction = withOperands(read, original);
    if (instruction !== read) fired += 1;
    moves.push(movesOf(instruction));
    originals.push(copied(instruction, program) ?? count + n);
    return instruction;
  });
  const results = program.results.map((value) => {
    const source = original(value);
    if (source === value || source < count) return value;
    fired += 1;
    return source;
  });
  return { program: fired === 0 ? program : { ...program, instructions, results }, fired };
}

const noLimits = { reads: Number.POSITIVE_INFINITY, applications: Number.POSITIVE_INFINITY };

function isMove({ reads, expression }: Body): boolean {
  return reads.length === 1 && expression.kind === "read";
}

const none: readonly Producer[] = [];

function movesOf(instruction: Instruction): readonly Producer[] {
  if (instruction.kind === "map")
    return isMove(instruction) ? [wholeProducer(instruction, instruction.shape)] : none;
  return instruction.kind === "assemble" ? instruction.pieces.filter(isMove).map(pieceProducer) : none;
}

/** Returns the move that makes all the elements that `read` finds. */
function moveOf(
  read: Read,
  extents: Shape,
  moves: readonly (readonly Producer[])[],
): Replacement | undefined {
  const known = at(moves, read.value);
  // Whoever inlines a move asks again whether it can be read through, so that one alone need not be asked.
  const producer = known.length < 2 ? known[0] : known.find((one) => isReadThrough(one, read, extents));
  return producer && { producer, applications: 0 };
}

/** Returns the value that a map copies. */
function copied(instruction: Instruction, program: LoopProgram): ValueId | undefined {
  if (instruction.kind !== "map" || !isMove(instruction)) return undefined;
  const [read] = instruction.reads;
  if (read === undefined || !isIdentity(read, instruction.shape)) return undefined;
  return isSameShape(shapeOfValue(program, read.value), instruction.shape) ? read.value : undefined;
}
