import { at, type Shape } from "../../../../spec/shapes/index.ts";
import {
  type Access,
  type Body,
  eachOperand,
  type Instruction,
  type LoopProgram,
  type Read,
  type ValueId,
} from "../program.ts";
import { alongExtents } from "./access.ts";
import { withBodies, withOperands } from "./bodies.ts";
import { ExpressionTable, usesAll, usesOf } from "./expressions.ts";
import { isSameRead } from "./inlining.ts";
import type { Rewritten } from "./rewritten.ts";
import { Sequences } from "./sequences.ts";

/**
 * Merges equal instructions: of equal kind, extents, reads (with their access) and expression. Reads are
 * sorted, so that `a b` equals `b a`; within a body equal reads and equal parts are merged too. Merged
 * instructions stay, unread, until `dead_code`. Strides along axes of extent 1 (or 0) become 0.
 * Exact: ieee. Cost: linear. `fired` counts merged reads and applications, and reads of merged values.
 */
export function commonSubexpressions(program: LoopProgram): Rewritten {
  const table = new ExpressionTable();
  const key = new Sequences();
  const routines = new Map<string, number>();
  /** The first value of each sequence that stands for an instruction. */
  const firsts: ValueId[] = [];
  const names: number[] = program.sources.map((_, id) => id);
  const name = (value: ValueId): ValueId => at(names, value);
  let fired = 0;
  const canonical = (body: Body, extents: Shape): Body => {
    const ordered = orderedReads(body, extents);
    const reads = ordered?.reads ?? body.reads;
    const { expression, number, merged } = table.unique(body.expression, ordered?.numbers);
    fired += merged + body.reads.length - reads.length;
    key.write(reads.length);
    for (const read of reads) {
      key.write(read.value);
      writeAccess(key, read);
    }
    key.write(number);
    return { reads, expression };
  };
  const instructions = program.instructions.map((before) => {
    eachOperand(before, (value) => {
      if (names[value] !== value) fired += 1;
    });
    writeHead(key, before);
    const instruction = withBodies(withOperands(before, name), canonical);
    writeRest(key, instruction, routines);
    const number = key.close();
    const id = names.length;
    if (number === firsts.length) firsts.push(id);
    names.push(at(firsts, number));
    return instruction;
  });
  const results = program.results.map(name);
  for (const [n, result] of results.entries()) if (result !== program.results[n]) fired += 1;
  return { program: fired === 0 ? program : { ...program, instructions, results }, fired };
}

/** Reads in their order, each once, and the new number of each old one. */
interface OrderedReads {
  readonly reads: readonly Read[];
  readonly numbers: readonly number[];
}

/** Sorts the body's reads, and merges equal ones; `undefined` if they are as they should be. */
function orderedReads(body: Body, extents: Shape): OrderedReads | undefined {
  const isNarrow = extents.some((extent) => extent <= 1);
  if (usesAll(body.expression, body.reads.length) && !isNarrow && isAscending(body.reads)) return undefined;
  const isUsed = usesOf(body.expression, body.reads.length);
  const found: { readonly number: number; readonly read: Read }[] = [];
  for (let number = 0; number < body.reads.length; number++) {
    const read = at(body.reads, number);
    if (isUsed[number]) found.push({ number, read: isNarrow ? alongExtents(read, extents) : read });
  }
  if (found.length > 1) found.sort((a, b) => a.read.value - b.read.value || compareKeys(a.read, b.read));
  const reads: Read[] = [];
  const numbers: number[] = body.reads.map(() => 0);
  for (const { number, read } of found) {
    const last = reads.at(-1);
    if (last === undefined || !isSameRead(last, read)) reads.push(read);
    numbers[number] = reads.length - 1;
  }
  return { reads, numbers };
}

/** Says whether each read is of a later value than the one before. */
function isAscending(reads: readonly Read[]): boolean {
  for (let n = 1; n < reads.length; n++) if (at(reads, n - 1).value >= at(reads, n).value) return false;
  return true;
}

/** Compares two reads of one value by what is written of their access. */
function compareKeys(a: Access, b: Access): number {
  const [one, other] = [textOf(a), textOf(b)];
  return Number(one > other) - Number(one < other);
}

function textOf({ offset, strides, indirections }: Access): string {
  const looked = indirections.map((i) => `+${i.index}[${i.offset}:${i.strides.join()}]${i.scale}`);
  return `${offset}:${strides.join()}${looked.join("")}`;
}

function writeAccess(key: Sequences, { offset, strides, indirections }: Access): void {
  key.write(offset);
  writeList(key, strides);
  key.write(indirections.length);
  for (const lookup of indirections) {
    key.write(lookup.index);
    key.write(lookup.offset);
    key.write(lookup.scale);
    writeList(key, lookup.strides);
  }
}

/** Writes a list so that its end is known. */
function writeList(key: Sequences, list: readonly number[]): void {
  key.write(list.length);
  for (let n = 0; n < list.length; n++) key.write(at(list, n));
}

const kinds = { map: 0, fold: 1, scan: 2, scatter: 3, assemble: 4, routine: 5 } as const;

/** Begins the key of an instruction: its kind and shape, and how many bodies follow. */
function writeHead(key: Sequences, instruction: Instruction): void {
  const { kind, shape } = instruction;
  key.write(kinds[kind]);
  writeList(key, shape);
  if (kind === "assemble") key.write(instruction.pieces.length);
}

/** Ends the key of an instruction, after its bodies. */
function writeRest(key: Sequences, instruction: Instruction, routines: Map<string, number>): void {
  switch (instruction.kind) {
    case "map":
      return;
    case "fold":
      key.write(instruction.operation === "add" ? 0 : 1);
      writeList(key, instruction.over);
      return;
    case "scan":
      key.write(instruction.axis);
      key.write(instruction.direction);
      return;
    case "scatter":
      key.write(instruction.base ?? -1);
      writeList(key, instruction.over);
      writeAccess(key, instruction.place);
      return;
    case "assemble":
      for (const { shape, place } of instruction.pieces) {
        writeList(key, shape);
        writeAccess(key, place);
      }
      return;
    case "routine": {
      const text = JSON.stringify(instruction.routine);
      const number = routines.get(text) ?? routines.size;
      routines.set(text, number);
      key.write(number);
      writeList(key, instruction.operands);
    }
  }
}
