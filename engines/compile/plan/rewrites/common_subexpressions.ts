import { at, type Shape } from "../../../../spec/shapes/index.ts";
import {
  type Access,
  type Body,
  type Instruction,
  type LoopProgram,
  operandsOf,
  type Read,
  type ValueId,
} from "../program.ts";
import { withBodies, withOperands } from "./bodies.ts";
import { ExpressionTable, readsIn } from "./expressions.ts";
import type { Rewritten } from "./rewritten.ts";

/**
 * Merges equal instructions: of equal kind, extents, reads (with their access) and expression. Reads are
 * sorted, so that `a b` equals `b a`; within a body equal reads and equal parts are merged too. Merged
 * instructions stay, unread, until `dead_code`. Strides along axes of extent 1 (or 0) become 0.
 * Exact: ieee. Cost: linear. `fired` counts merged reads and applications, and reads of merged values.
 */
export function commonSubexpressions(program: LoopProgram): Rewritten {
  const table = new ExpressionTable();
  const first = new Map<string, ValueId>();
  const names: number[] = program.sources.map((_, id) => id);
  const name = (value: ValueId): ValueId => at(names, value);
  let fired = 0;
  const instructions = program.instructions.map((before) => {
    const bodyKeys: string[] = [];
    for (const value of operandsOf(before)) if (name(value) !== value) fired += 1;
    const instruction = withBodies(withOperands(before, name), (body, extents) => {
      const { canonical, key, merged } = canonicalBody(body, extents, table);
      fired += merged;
      bodyKeys.push(key);
      return canonical;
    });
    const key = keyOf(instruction, bodyKeys);
    const known = first.get(key);
    if (known === undefined) first.set(key, names.length);
    names.push(known ?? names.length);
    return instruction;
  });
  const results = program.results.map(name);
  for (const [n, result] of results.entries()) if (result !== program.results[n]) fired += 1;
  return { program: fired === 0 ? program : { ...program, instructions, results }, fired };
}

/** Sorts the body's reads, merges equal reads and parts, and returns a key of the result. */
function canonicalBody(
  body: Body,
  extents: Shape,
  table: ExpressionTable,
): { readonly canonical: Body; readonly key: string; readonly merged: number } {
  const used = readsIn(body.expression);
  const keyed = body.reads
    .map((before, number) => {
      const read = alongExtents(before, extents);
      return { number, read, key: keyOfRead(read) };
    })
    .filter(({ number }) => used.has(number))
    .sort((a, b) => a.read.value - b.read.value || Number(a.key > b.key) - Number(a.key < b.key));
  const reads: Read[] = [];
  const keys: string[] = [];
  const numbers: number[] = body.reads.map(() => 0);
  for (const { number, read, key } of keyed) {
    if (key !== keys.at(-1)) {
      reads.push(read);
      keys.push(key);
    }
    numbers[number] = reads.length - 1;
  }
  const { expression, merged } = table.unique(body.expression, numbers);
  keys.push(String(table.numberOf(expression)));
  return {
    canonical: { reads, expression },
    key: keys.join(" "),
    merged: merged + body.reads.length - reads.length,
  };
}

/** Zeroes strides along axes with one index, where they have no effect. */
function alongExtents(access: Read, extents: Shape): Read {
  const needed = (strides: readonly number[]): readonly number[] =>
    strides.map((stride, axis) => (at(extents, axis) <= 1 ? 0 : stride));
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
  const looked = indirections.map((i) => `+${i.index}[${i.offset}:${i.strides.join()}]${i.scale}`);
  return `${offset}:${strides.join()}${looked.join("")}`;
}

function keyOfRead(access: Read): string {
  return `${access.value}@${keyOfAccess(access)}`;
}

function keyOf(instruction: Instruction, bodies: readonly string[]): string {
  const shape = instruction.shape.join();
  const body = bodies.join(" ");
  switch (instruction.kind) {
    case "map":
      return `map ${shape} ${body}`;
    case "fold":
      return `fold ${instruction.operation} ${shape} ${instruction.over.join()} ${body}`;
    case "scan":
      return `scan ${instruction.axis} ${instruction.direction} ${shape} ${body}`;
    case "scatter":
      return `scatter ${instruction.base} ${shape} ${instruction.over.join()} ${keyOfAccess(instruction.place)} ${body}`;
    case "assemble": {
      const pieces = instruction.pieces.map(
        (piece, n) => `${piece.shape.join()} ${keyOfAccess(piece.place)} ${bodies[n]}`,
      );
      return `assemble ${shape} ${pieces.join(" ; ")}`;
    }
    case "routine":
      return `routine ${JSON.stringify(instruction.routine)} ${shape} ${instruction.operands.join()}`;
  }
}
