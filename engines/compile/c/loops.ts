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

/** Statements that are done when those of the stage before are; threads may share them. */
export interface Stage {
  readonly text: string;
  readonly isShared: boolean;
}

/** Writes the statements that compute `out`; the operands get names as they are met. */
export function instructionText(
  writing: Writing,
  operands: Operands,
  instruction: LoopInstruction,
  out: ValueId,
): readonly Stage[] {
  if (sizeOf(instruction.shape) === 0) return [];
  if (instruction.kind === "fold") return foldText(writing, operands, instruction, out);
  if (instruction.kind === "map") {
    const nest = nestOf(operands, loopsOver(instruction.shape, false), instruction, out, instruction.shape);
    return stagesOf(writing, operands, nest, instruction.expression, { kind: "store" });
  }
  return [{ text: statementsOf(writing, operands, instruction, out), isShared: false }];
}

function statementsOf(
  writing: Writing,
  operands: Operands,
  instruction: Exclude<LoopInstruction, { kind: "map" | "fold" }>,
  out: ValueId,
): string {
  const size = sizeOf(instruction.shape);
  switch (instruction.kind) {
    case "assemble": {
      const pieces = instruction.pieces.map((piece) => {
        const nest = nestAt(operands, loopsOver(piece.shape, false), piece, out, piece.place);
        return written(writing, nest, piece.expression, { kind: "store" });
      });
      return [...(instruction.isCovered ? [] : [fill("0", size, operands.value(out))]), ...pieces].join("\n");
    }
    case "scatter": {
      const { base, over, place, expression } = instruction;
      const nest = nestAt(operands, loopsOver(over, true), instruction, out, place);
      return [
        base === undefined ? fill("0", size, operands.value(out)) : copy(operands, base, out, size),
        written(writing, nest, expression, { kind: "add" }),
      ].join("\n");
    }
    case "scan": {
      const { shape, axis, direction, expression } = instruction;
      const loops = loopsOver(shape, false).map((loop, n) => ({ ...loop, isOrdered: n === axis }));
      const nest = nestOf(operands, loops, instruction, out, shape);
      const forward = direction === 1 ? nest : reverse(nest, axis);
      return written(writing, forward, expression, { ...sum, isRunning: true });
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
): readonly Stage[] {
  const { shape, over, operation, expression } = fold;
  if (sizeOf(over) === 0) {
    const text = fill(operation === "add" ? "0" : "-INFINITE", sizeOf(shape), operands.value(out));
    return [{ text, isShared: false }];
  }
  const loops = [...loopsOver(shape, false), ...loopsOver(over, true)];
  return stagesOf(writing, operands, nestOf(operands, loops, fold, out, shape), expression, {
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

/** Writes a nest in the shape that lets a compiler use its vectors, for one thread. */
function written(writing: Writing, whole: Nest, expression: Expression, use: Use): string {
  if (whole.loops.some(({ extent }) => extent === 0)) return "";
  const nest = simplify((writing.nest ?? same)(whole));
  return use.kind === "total"
    ? totalsText(writing, nest, expression, use, false)
    : nestText({ nest, lanes: "none", isShared: false }, expression, use, writing.scalars);
}

function totalsText(
  writing: Writing,
  nest: Nest,
  expression: Expression,
  use: Total,
  isShared: boolean,
): string {
  return partsOf(nest, use, expression, writing)
    .map(({ use: own, ...part }) => nestText({ ...part, isShared }, expression, own, writing.scalars))
    .join("\n");
}

/** Writes a nest as one stage or two, for several threads where it is worth it. */
function stagesOf(
  writing: Writing,
  operands: Operands,
  whole: Nest,
  expression: Expression,
  use: Use,
): readonly Stage[] {
  if (whole.loops.some(({ extent }) => extent === 0)) return [];
  const nest = simplify((writing.nest ?? same)(whole));
  const { scalars } = writing;
  const isShared = writing.isForThreads && isWorthSharing(nest, expression) && !asksHost(expression, scalars);
  if (isShared) operands.share();
  if (use.kind !== "total") {
    return [{ text: nestText({ nest, lanes: "none", isShared }, expression, use, scalars), isShared }];
  }
  const copied = copiedOperand(nest, expression, use, writing);
  if (copied !== undefined) {
    operands.needScratch(copied.size);
    const copies = copied.copies.map((some) =>
      nestText({ nest: some, lanes: "none", isShared }, read(0), { kind: "store" }, scalars),
    );
    return [
      { text: copies.join("\n"), isShared },
      { text: totalsText(writing, copied.nest, expression, use, isShared), isShared },
    ];
  }
  const shares = isShared ? sharesOf(nest, use, writing) : undefined;
  if (shares === undefined) return [{ text: totalsText(writing, nest, expression, use, isShared), isShared }];
  operands.needScratch(SHARES);
  const joint = [
    totalsText(writing, shares.joint, read(0), use, false),
    ...(shares.rest === undefined
      ? []
      : [totalsText(writing, shares.rest, expression, { ...use, isContinued: true }, false)]),
  ];
  return [
    { text: totalsText(writing, shares.parts, expression, use, true), isShared },
    { text: joint.join("\n"), isShared: false },
  ];
}

/** Says whether a function is the host's, which only the caller's thread may ask. */
function asksHost(expression: Expression, { functions }: Scalars): boolean {
  return functions === "host" && applicationsOf(expression).some((part) => isForeign(part.function));
}

function same<T>(x: T): T {
  return x;
}
