import { at, sizeOf, stridesOf } from "../../../spec/shapes/index.ts";
import {
  type Access,
  type Body,
  type Instruction,
  literal,
  type RoutineInstruction,
  type ValueId,
} from "../plan/index.ts";
import { type MemoryPlan, placeOf } from "./memory.ts";
import { type Combination, type Nest, type Place, permuted, reversed } from "./nest.ts";

/** The parts of an instruction's code; places and sizes are in bytes. */
export type Step =
  | { readonly kind: "nest"; readonly nest: Nest }
  | { readonly kind: "clear"; readonly place: number; readonly size: number }
  | { readonly kind: "copy"; readonly from: number; readonly to: number; readonly size: number }
  | { readonly kind: "routine"; readonly instruction: RoutineInstruction; readonly value: ValueId };

/** Returns the steps of the instruction that makes `value`, in order; none if there is nothing to do. */
export function stepsOf(instruction: Instruction, value: ValueId, plan: MemoryPlan, bytes: number): Step[] {
  const out = placeOf(plan, value);
  const { shape } = instruction;
  const size = sizeOf(shape) * bytes;
  if (size === 0) return [];
  const clear: Step = { kind: "clear", place: out, size };
  const dense: Access = { offset: 0, strides: stridesOf(shape), indirections: [] };
  const nest = (
    body: Body,
    extents: readonly number[],
    place: Access,
    combination: Combination,
    over: number,
  ): Nest => ({
    extents,
    over,
    combination,
    expression: body.expression,
    reads: body.reads.map((read) => placed(read, placeOf(plan, read.value), plan, bytes)),
    target: placed(place, out, plan, bytes),
  });
  switch (instruction.kind) {
    case "map":
      return steps(nest(instruction, shape, dense, "store", 0), bytes);
    case "fold": {
      const { over, operation } = instruction;
      if (sizeOf(over) === 0) {
        const start = operation === "add" ? 0 : -Infinity;
        return steps(nest({ reads: [], expression: literal(start) }, shape, dense, "store", 0), bytes);
      }
      const still = { ...dense, strides: [...dense.strides, ...over.map(() => 0)] };
      return steps(nest(instruction, [...shape, ...over], still, operation, over.length), bytes);
    }
    case "assemble": {
      const pieces = instruction.pieces.filter((piece) => sizeOf(piece.shape) > 0);
      return [
        ...(instruction.isCovered ? [] : [clear]),
        ...pieces.flatMap((piece) => steps(nest(piece, piece.shape, piece.place, "store", 0), bytes)),
      ];
    }
    case "scatter": {
      const { base, over, place } = instruction;
      const start = base === undefined ? [clear] : copied(placeOf(plan, base), out, size);
      return sizeOf(over) === 0
        ? start
        : [...start, ...steps(nest(instruction, over, place, "accumulate", 0), bytes)];
    }
    case "scan": {
      const { axis, direction } = instruction;
      const forward = nest(instruction, shape, dense, "scan", 0);
      const turned = direction === 1 ? forward : reversed(forward, axis);
      const others = [...shape.keys()].filter((other) => other !== axis);
      return steps({ ...permuted(turned, [...others, axis]), over: 1 }, bytes);
    }
    case "routine":
      return [{ kind: "routine", instruction, value }];
  }
}

/** Turns a nest that only moves adjacent bytes into a copy. */
function steps(nest: Nest, bytes: number): Step[] {
  const { expression, target, extents } = nest;
  const size = sizeOf(extents) * bytes;
  const read = expression.kind === "read" ? nest.reads[expression.read] : undefined;
  const dense = stridesOf(extents).map((stride) => stride * bytes);
  const isDense = (place: Place): boolean =>
    place.lookups.length === 0 &&
    place.strides.every((stride, axis) => extents[axis] === 1 || stride === dense[axis]);
  if (nest.combination === "store" && read !== undefined && isDense(read) && isDense(target)) {
    return copied(read.base, target.base, size);
  }
  return [{ kind: "nest", nest }];
}

/** Copies, unless it is there already. */
function copied(from: number, to: number, size: number): Step[] {
  return from === to ? [] : [{ kind: "copy", from, to, size }];
}

function placed(access: Access, start: number, plan: MemoryPlan, bytes: number): Place {
  return {
    base: start + access.offset * bytes,
    strides: access.strides.map((stride) => stride * bytes),
    lookups: access.indirections.map(({ index, offset, strides, scale }) => ({
      base: at(plan.indices, index) + offset * 4,
      strides: strides.map((stride) => stride * 4),
      scale: scale * bytes,
    })),
  };
}
