import { assertNever, at, stridesOf } from "../../../../spec/shapes/index.ts";
import {
  type Access,
  type AssembleInstruction,
  allows,
  applicationsOf,
  type Body,
  type Expression,
  type FoldInstruction,
  type Instruction,
  type MapInstruction,
  type Regime,
  type ScanInstruction,
  type ScatterInstruction,
  type ValueId,
} from "../../plan/index.ts";
import type { Arithmetic } from "../emit/arithmetic.ts";
import { numberText } from "../emit/number.ts";
import { type Accumulation, accumulationText } from "./accumulation.ts";
import { mapText } from "./map.ts";
import { ARENA, isEmpty, loopsOver, type Memory, placeOf, runOf } from "./memory.ts";
import { type Loop, type Nest, reverse, simplify } from "./nest.ts";
import { tile } from "./tiles.ts";
import { accumulationWidths } from "./widths.ts";

/** An instruction that is a loop nest. */
type LoopInstruction = Exclude<Instruction, { kind: "routine" }>;

/** Writes statements that compute the value with id `out`. */
export function instructionText(
  memory: Memory,
  regime: Regime,
  instruction: LoopInstruction,
  out: ValueId,
): string {
  switch (instruction.kind) {
    case "map":
      return writeMap(memory, instruction, out);
    case "fold":
      return writeFold(memory, regime, instruction, out);
    case "assemble":
      return writeAssemble(memory, instruction, out);
    case "scatter":
      return writeScatter(memory, instruction, out);
    case "scan":
      return writeScan(memory, instruction, out);
    default:
      return assertNever(instruction);
  }
}

/** Makes the access that visits a shape in its order, with strides of 0 for further loops. */
function identity(shape: readonly number[], further = 0): Access {
  return {
    offset: 0,
    strides: [...stridesOf(shape), ...new Array<number>(further).fill(0)],
    indirections: [],
  };
}

function nestOf(memory: Memory, loops: readonly Loop[], { reads }: Body, out: ValueId, place: Access): Nest {
  const places = reads.map((read) => placeOf(memory, read.value, read));
  return { loops, places: [...places, placeOf(memory, out, place)] };
}

function writeMap(memory: Memory, map: MapInstruction, out: ValueId): string {
  const nest = nestOf(memory, loopsOver(map.shape, false), map, out, identity(map.shape));
  return isEmpty(nest) ? "" : mapText(nest, map.expression, memory.arithmetic);
}

function writeAssemble(memory: Memory, { isCovered, pieces }: AssembleInstruction, out: ValueId): string {
  const { offset, size } = runOf(memory, out);
  const blank = isCovered || size === 0 ? "" : fillText(0, offset, size);
  const written = pieces.map((piece) => {
    const nest = nestOf(memory, loopsOver(piece.shape, false), piece, out, piece.place);
    return isEmpty(nest) ? "" : mapText(nest, piece.expression, memory.arithmetic);
  });
  return blank + written.join("");
}

function fillText(value: number, offset: number, size: number): string {
  return `${ARENA}.fill(${numberText(value)},${offset},${offset + size});`;
}

function writeFold(memory: Memory, regime: Regime, fold: FoldInstruction, out: ValueId): string {
  const { shape, over, expression, operation } = fold;
  const loops = [...loopsOver(shape, false), ...loopsOver(over, true)];
  const nest = nestOf(memory, loops, fold, out, identity(shape, over.length));
  const { offset, size } = runOf(memory, out);
  if (size === 0) return "";
  if (isEmpty(nest)) return fillText(operation === "add" ? 0 : -Infinity, offset, size);
  const simple = simplify(nest);
  const maySplit = allows(regime, "reassociation");
  const { widths, isSplit, isInParts } = accumulationWidths(
    simple,
    applicationsOf(expression).length,
    operation,
    maySplit,
  );
  return tile(simple, widths)
    .map((part, n) =>
      accumulationText(part, {
        ...plain(expression, memory.arithmetic),
        operation,
        isContinued: isInParts && n > 0,
        isSplit,
      }),
    )
    .join("");
}

/** Makes a sum from +0 that is stored once. */
function plain(expression: Expression, arithmetic: Arithmetic): Accumulation {
  return {
    expression,
    arithmetic,
    operation: "add",
    isContinued: false,
    isRunning: false,
    isSplit: false,
  };
}

function writeScatter(memory: Memory, scatter: ScatterInstruction, out: ValueId): string {
  const { base, over, place, expression } = scatter;
  const { offset, size } = runOf(memory, out);
  if (size === 0) return "";
  const nest = nestOf(memory, loopsOver(over, true), scatter, out, place);
  const begin = base === undefined ? fillText(0, offset, size) : copyText(memory, base, out);
  if (isEmpty(nest)) return begin;
  const simple = simplify(nest);
  return begin + accumulationText(simple, { ...plain(expression, memory.arithmetic), isContinued: true });
}

function copyText(memory: Memory, from: ValueId, to: ValueId): string {
  const [source, target] = [runOf(memory, from), runOf(memory, to)];
  if (source.array !== ARENA) return `${ARENA}.set(${source.array},${target.offset});`;
  if (source.offset === target.offset) return "";
  return `${ARENA}.copyWithin(${target.offset},${source.offset},${source.offset + source.size});`;
}

function writeScan(memory: Memory, scan: ScanInstruction, out: ValueId): string {
  const { shape, axis, direction, expression } = scan;
  const loops = loopsOver(shape, false).map((loop, n) => ({ ...loop, isOrdered: n === axis }));
  const nest = nestOf(memory, loops, scan, out, identity(shape));
  if (isEmpty(nest)) return "";
  const simple = simplify(direction === 1 ? nest : reverse(nest, axis));
  const { widths } = accumulationWidths(simple, applicationsOf(expression).length, "add", false);
  const parts = tile(
    simple,
    simple.loops.map(({ isOrdered }, n) => (isOrdered ? 1 : at(widths, n))),
  );
  return parts
    .map((part) => accumulationText(part, { ...plain(expression, memory.arithmetic), isRunning: true }))
    .join("");
}
