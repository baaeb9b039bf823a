import { assertNever, sizeOf, stridesOf } from "../../../spec/shapes/index.ts";
import { type Loop, type Nest, type Place, reverse, simplify } from "../javascript/index.ts";
import {
  type Access,
  applicationsOf,
  type Body,
  type Expression,
  type Instruction,
  type Read,
  read,
  type ValueId,
} from "../plan/index.ts";
import { partsOf, type Total, type Writing } from "./blocks.ts";
import { isForeign } from "./functions/index.ts";
import { nestText, type Use } from "./kernel.ts";
import type { Operands } from "./operands.ts";
import type { Scalars } from "./scalars.ts";
import { copiedOperand, isWorthSharing, SHARES, sharesOf } from "./shares.ts";

/** An instruction that is a loop nest. */
export type LoopInstruction = Exclude<Instruction, { kind: "routine" }>;

/** Writes the statements that compute `out`; the operands get names as they are met. */
export function instructionText(
  writing: Writing,
  operands: Operands,
  instruction: LoopInstruction,
  out: ValueId,
): string {
  const size = sizeOf(instruction.shape);
  if (size === 0) return "";
  switch (instruction.kind) {
    case "map": {
      const nest = nestOf(operands, loopsOver(instruction.shape, false), instruction, out, instruction.shape);
      return written(writing, operands, nest, instruction.expression, { kind: "store" });
    }
    case "assemble": {
      const pieces = instruction.pieces.map((piece) => {
        const nest = nestAt(operands, loopsOver(piece.shape, false), piece, out, piece.place);
        return written(writing, operands, nest, piece.expression, { kind: "store" });
      });
      return [...(instruction.isCovered ? [] : [fill("0", size, operands.value(out))]), ...pieces].join("\n");
    }
    case "fold":
      return foldText(writing, operands, instruction, out, size);
    case "scatter": {
      const { base, over, place, expression } = instruction;
      const nest = nestAt(operands, loopsOver(over, true), instruction, out, place);
      return [
        base === undefined ? fill("0", size, operands.value(out)) : copy(operands, base, out, size),
        written(writing, operands, nest, expression, { kind: "add" }),
      ].join("\n");
    }
    case "scan": {
      const { shape, axis, direction, expression } = instruction;
      const loops = loopsOver(shape, false).map((loop, n) => ({ ...loop, isOrdered: n === axis }));
      const nest = nestOf(operands, loops, instruction, out, shape);
      const forward = direction === 1 ? nest : reverse(nest, axis);
      return written(writing, operands, forward, expression, { ...sum, isRunning: true });
    }
    default:
      return assertNever(instruction);
  }
}

const sum = {
  kind: "total",
  operation: "add",
  isContinued: false,
  isRunning: false,
  isSplit: false,
} as const;

function loopsOver(extents: readonly number[], isOrdered: boolean): readonly Loop[] {
  return extents.map((extent) => ({ extent, width: 1, isOrdered }));
}

function nestOf(
  operands: Operands,
  loops: readonly Loop[],
  body: Body,
  out: ValueId,
  shape: readonly number[],
): Nest {
  const further = new Array<number>(loops.length - shape.length).fill(0);
  const place = { offset: 0, strides: [...stridesOf(shape), ...further], indirections: [] };
  return nestAt(operands, loops, body, out, place);
}

function nestAt(
  operands: Operands,
  loops: readonly Loop[],
  { reads }: Body,
  out: ValueId,
  place: Access,
): Nest {
  const placeOf = (array: string, access: Access): Place => ({
    array,
    position: { offset: access.offset, strides: access.strides },
    lookups: access.indirections.map(({ index, offset, strides, scale }) => ({
      array: operands.index(index),
      position: { offset, strides },
      scale,
    })),
  });
  const places = reads.map((read: Read) => placeOf(operands.value(read.value), read));
  return { loops, places: [...places, placeOf(operands.value(out), place)] };
}

function foldText(
  writing: Writing,
  operands: Operands,
  fold: Extract<LoopInstruction, { kind: "fold" }>,
  out: ValueId,
  size: number,
): string {
  const { shape, over, operation, expression } = fold;
  if (sizeOf(over) === 0) return fill(operation === "add" ? "0" : "-INFINITE", size, operands.value(out));
  const loops = [...loopsOver(shape, false), ...loopsOver(over, true)];
  return written(writing, operands, nestOf(operands, loops, fold, out, shape), expression, {
    ...sum,
    operation,
  });
}

function fill(value: string, size: number, array: string): string {
  return `  for (I i0 = 0; i0 < ${size}; i0++) ${array}[i0] = ${value};`;
}

function copy(operands: Operands, from: ValueId, to: ValueId, size: number): string {
  const [source, target] = [operands.value(from), operands.value(to)];
  return source === target ? "" : `  for (I i0 = 0; i0 < ${size}; i0++) ${target}[i0] = ${source}[i0];`;
}

/** Writes a nest in the shape that lets a compiler use its vectors, and threads their cores. */
function written(
  writing: Writing,
  operands: Operands,
  whole: Nest,
  expression: Expression,
  use: Use,
): string {
  if (whole.loops.some(({ extent }) => extent === 0)) return "";
  const nest = simplify((writing.nest ?? same)(whole));
  const isShared =
    writing.isForThreads &&
    use.kind !== "add" &&
    isWorthSharing(nest, expression) &&
    !asksHost(expression, writing.scalars);
  if (isShared) operands.share();
  if (use.kind !== "total") {
    return nestText({ nest, lanes: "none", isShared }, expression, use, writing.scalars);
  }
  const write = (some: Nest, value: Expression, how: Total, isHere = isShared): string =>
    partsOf(some, how, value, writing)
      .map(({ use: own, ...part }) => nestText({ ...part, isShared: isHere }, value, own, writing.scalars))
      .join("\n");
  const between = isShared ? ["  barrier();"] : [];
  const copied = copiedOperand(nest, expression, use, writing);
  if (copied !== undefined) {
    operands.needScratch(copied.size);
    const copies = copied.copies.map((some) =>
      nestText({ nest: some, lanes: "none", isShared }, read(0), { kind: "store" }, writing.scalars),
    );
    return [...copies, ...between, write(copied.nest, expression, use)].join("\n");
  }
  const shares = isShared ? sharesOf(nest, use, writing) : undefined;
  if (shares !== undefined) {
    operands.needScratch(SHARES);
    const { parts, joint, rest } = shares;
    return [
      write(parts, expression, use),
      ...between,
      "  if (t == 0) {",
      write(joint, read(0), use, false),
      ...(rest === undefined ? [] : [write(rest, expression, { ...use, isContinued: true }, false)]),
      "  }",
    ].join("\n");
  }
  return write(nest, expression, use);
}

/** Says whether a function is the host's, which only the caller's thread may ask. */
function asksHost(expression: Expression, { functions }: Scalars): boolean {
  return functions === "host" && applicationsOf(expression).some((part) => isForeign(part.function));
}

function same<T>(x: T): T {
  return x;
}
