import { assertNever, at, sizeOf, stridesOf } from "../../../spec/shapes/index.ts";
import { type Loop, type Nest, type Place, reverse, simplify, tile } from "../javascript/index.ts";
import {
  type Access,
  allows,
  type Body,
  type Expression,
  type Instruction,
  type Read,
  type Regime,
  type ValueId,
} from "../plan/index.ts";
import { type Laned, nestText, type Use } from "./kernel.ts";
import type { Operands } from "./operands.ts";
import type { Scalars } from "./scalars.ts";

/** A file is written with these. */
export interface Writing {
  readonly scalars: Scalars;
  readonly regime: Regime;
  /** Spoils nests: a planted fault. */
  readonly nest?: (nest: Nest) => Nest;
}

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
      return written(writing, nest, instruction.expression, { kind: "store" });
    }
    case "assemble": {
      const pieces = instruction.pieces.map((piece) => {
        const nest = nestAt(operands, loopsOver(piece.shape, false), piece, out, piece.place);
        return written(writing, nest, piece.expression, { kind: "store" });
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
  size: number,
): string {
  const { shape, over, operation, expression } = fold;
  if (sizeOf(over) === 0) return fill(operation === "add" ? "0" : "-INFINITE", size, operands.value(out));
  const loops = [...loopsOver(shape, false), ...loopsOver(over, true)];
  return written(writing, nestOf(operands, loops, fold, out, shape), expression, { ...sum, operation });
}

function fill(value: string, size: number, array: string): string {
  return `  for (I i0 = 0; i0 < ${size}; i0++) ${array}[i0] = ${value};`;
}

function copy(operands: Operands, from: ValueId, to: ValueId, size: number): string {
  const [source, target] = [operands.value(from), operands.value(to)];
  return source === target ? "" : `  for (I i0 = 0; i0 < ${size}; i0++) ${target}[i0] = ${source}[i0];`;
}

/** Writes a nest in the shape that lets a compiler use its vectors. */
function written(writing: Writing, whole: Nest, expression: Expression, use: Use): string {
  if (whole.loops.some(({ extent }) => extent === 0)) return "";
  const nest = simplify((writing.nest ?? same)(whole));
  if (use.kind !== "total") return nestText({ nest, hasLanes: false }, expression, use, writing.scalars);
  return partsOf(nest, use, writing)
    .map(({ use: own, ...laned }) => nestText(laned, expression, own, writing.scalars))
    .join("\n");
}

function same<T>(x: T): T {
  return x;
}

type Total = Extract<Use, { kind: "total" }>;

/** Rows of a block whose totals grow side by side, as in a product of matrices. */
const ROWS = 4;

/**
 * Divides a nest with totals into blocks. A single total waits for each addition, so that lanes run along
 * the last free loop if it is one of neighbours, and rows along another that spares a read; else, if sums may
 * be taken in parts, along the last loop.
 */
function partsOf(nest: Nest, use: Total, { scalars, regime }: Writing): readonly (Laned & { use: Total })[] {
  const { loops, places } = nest;
  const lanes = scalars.precision === "float32" ? 32 : 16;
  const ones = loops.map(() => 1);
  const plain = [{ nest, hasLanes: false, use }];
  const free = loops.flatMap(({ isOrdered }, n) => (isOrdered ? [] : [n]));
  const along = free.at(-1);
  const isNear = (n: number): boolean =>
    places.every(
      ({ position: { strides }, lookups }) => lookups.length === 0 && (strides[n] === 1 || strides[n] === 0),
    ) && places.some(({ position: { strides } }) => strides[n] === 1);
  if (along !== undefined && isNear(along) && at(loops, along).extent > 1) {
    const reads = places.slice(0, -1);
    const moves = ({ position, lookups }: Place, n: number): boolean =>
      [position, ...lookups.map((lookup) => lookup.position)].some(({ strides }) => strides[n] !== 0);
    const row = use.isRunning
      ? undefined
      : free.findLast(
          (n) =>
            n !== along && reads.some((place) => moves(place, n)) && reads.some((place) => !moves(place, n)),
        );
    const widths = ones.map((_, n) => (n === along ? lanes : n === row ? ROWS : 1));
    return tile(nest, widths).map((part) => ({ ...laneAlong(part, along), use }));
  }
  const last = loops.length - 1;
  const inner = loops[last];
  const maySplit = allows(regime, "reassociation") && !use.isRunning && inner?.isOrdered === true;
  if (!maySplit || inner.extent < 2 * lanes) return plain;
  return tile(
    nest,
    ones.map((_, n) => (n === last ? lanes : 1)),
  ).map((part, n) =>
    n === 0
      ? { ...laneAlong(part, last), use: { ...use, isSplit: true } }
      : {
          nest: { ...part, loops: part.loops.map((loop) => ({ ...loop, width: 1 })) },
          hasLanes: false,
          use: { ...use, isContinued: true },
        },
  );
}

/** Makes the copies of a loop its lanes: a last loop, over its width. */
function laneAlong({ loops, places }: Nest, along: number): Laned {
  const { width, extent } = at(loops, along);
  if (width === 1) return { nest: { loops, places }, hasLanes: false };
  const outer = { extent: extent / width, width: 1, isOrdered: at(loops, along).isOrdered };
  const split = ({ offset, strides }: Place["position"]): Place["position"] => ({
    offset,
    strides: [...strides.map((stride, n) => (n === along ? stride * width : stride)), at(strides, along)],
  });
  const nest = {
    loops: [...loops.with(along, outer), { extent: width, width: 1, isOrdered: false }],
    places: places.map((place) => ({
      ...place,
      position: split(place.position),
      lookups: place.lookups.map((lookup) => ({ ...lookup, position: split(lookup.position) })),
    })),
  };
  return { nest, hasLanes: true };
}
