import type { Shape } from "../../../spec/core.ts";
import type { Access, Body, Instruction, LoopProgram, Read, ValueId } from "../program.ts";
import { withBodies, withOperands } from "./bodies.ts";
import { ExpressionTable, readsIn } from "./expressions.ts";
import type { Rewritten } from "./rewritten.ts";

/**
 * `program` where equal instructions are one: same kind, extents, reads (with all of their access) and expression. Reads get an order that
 * depends on nothing but what they read, so that `a b` and `b a` are equal too; in one body equal reads are one and so are equal
 * parts of the expression. What has become superfluous stays, unread, until `dead_code`. Along an axis of extent 1 (or 0) strides become 0.
 * Exact: any (with one NaN). Cost: linear. `fired` counts instructions and reads that were merged.
 */
export function commonSubexpressions(program: LoopProgram): Rewritten {
  const table = new ExpressionTable();
  const first = new Map<string, ValueId>();
  const names: number[] = program.sources.map((_, id) => id);
  const isRead = new Uint8Array(program.sources.length + program.instructions.length);
  let fired = 0;
  const instructions = program.instructions.map((before) => {
    const instruction = withBodies(
      withOperands(before, (value) => names[value] ?? value),
      (body, extents) => {
        const canonical = canonicalBody(body, extents, table);
        fired += Math.max(0, body.reads.length - canonical.reads.length);
        return canonical;
      },
    );
    const key = keyOf(instruction, table);
    const known = first.get(key);
    const id = names.length;
    if (known === undefined) first.set(key, id);
    names.push(known ?? id);
    return instruction;
  });
  for (const instruction of program.instructions) for (const value of readBy(instruction)) isRead[value] = 1;
  for (const value of program.results) isRead[value] = 1;
  for (const [id, name] of names.entries()) if (name !== id && isRead[id] === 1) fired += 1;
  return {
    program: { ...program, instructions, results: program.results.map((value) => names[value] ?? value) },
    fired,
  };
}

function readBy(instruction: Instruction): readonly ValueId[] {
  const values: ValueId[] = [];
  withOperands(instruction, (value) => {
    values.push(value);
    return value;
  });
  return values;
}

/** The body with each different read once, in order, and each different part of its expression once. */
function canonicalBody(body: Body, extents: Shape, table: ExpressionTable): Body {
  const used = readsIn(body.expression);
  const keyed = body.reads
    .map((before, number) => ({ number, read: alongExtents(before, extents) }))
    .filter(({ number }) => used.has(number))
    .map(({ number, read }) => ({ number, read, key: keyOfRead(read) }))
    .sort((a, b) => a.read.value - b.read.value || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const reads: Read[] = [];
  const numbers: number[] = body.reads.map(() => 0);
  let last = "";
  for (const { number, read, key } of keyed) {
    if (key !== last) reads.push(read);
    last = key;
    numbers[number] = reads.length - 1;
  }
  const expression = table.unique(body.expression, numbers);
  const same = reads.length === body.reads.length && reads.every((read, n) => read === body.reads[n]);
  return { reads: same ? body.reads : reads, expression };
}

/** Along an axis with one index a stride says nothing. */
function alongExtents(access: Read, extents: Shape): Read {
  const isIdle = (strides: readonly number[]): boolean =>
    strides.some((stride, axis) => stride !== 0 && (extents[axis] ?? 1) <= 1);
  if (!isIdle(access.strides) && !access.indirections.some(({ strides }) => isIdle(strides))) return access;
  const needed = (strides: readonly number[]): readonly number[] =>
    strides.map((stride, axis) => ((extents[axis] ?? 1) <= 1 ? 0 : stride));
  return {
    ...access,
    strides: needed(access.strides),
    indirections: access.indirections.map((indirection) => ({
      ...indirection,
      strides: needed(indirection.strides),
    })),
  };
}

function keyOfAccess({ offset, strides, indirections }: Access): string {
  const key = `${offset}:${strides.join()}`;
  if (indirections.length === 0) return key;
  const looked = indirections.map((i) => `${i.index}[${i.offset}:${i.strides.join()}]${i.scale}`);
  return `${key}+${looked.join("+")}`;
}

function keyOfRead(access: Read): string {
  return `${access.value}@${keyOfAccess(access)}`;
}

function keyOf(instruction: Instruction, table: ExpressionTable): string {
  const body = ({ reads, expression }: Body): string =>
    `${reads.map(keyOfRead).join(" ")} ${table.numberOf(expression)}`;
  const shape = instruction.shape.join();
  switch (instruction.kind) {
    case "map":
      return `map ${shape} ${body(instruction)}`;
    case "fold":
      return `fold ${instruction.operation} ${shape} ${instruction.over.join()} ${body(instruction)}`;
    case "scan":
      return `scan ${instruction.axis} ${instruction.direction} ${shape} ${body(instruction)}`;
    case "scatter":
      return `scatter ${instruction.base} ${shape} ${instruction.over.join()} ${keyOfAccess(instruction.place)} ${body(instruction)}`;
    case "assemble": {
      const pieces = instruction.pieces.map(
        (piece) => `${piece.shape.join()} ${keyOfAccess(piece.place)} ${body(piece)}`,
      );
      return `assemble ${instruction.isCovered} ${shape} ${pieces.join(" ; ")}`;
    }
    case "routine":
      return `routine ${JSON.stringify(instruction.routine)} ${shape} ${instruction.operands.join()}`;
  }
}
