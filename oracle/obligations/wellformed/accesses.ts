import {
  type Access,
  bodiesOf,
  type Instruction,
  type LoopProgram,
  shapeOfValue,
} from "../../../engines/compile/plan/index.ts";
import { InvariantError, type Shape, sizeOf } from "../../../spec/shapes/index.ts";

/** A loop nest reads or writes at a site: an access, the loops' extents, and the size of the tensor. */
export interface Site {
  /** This is the position among the program's instructions. */
  readonly instruction: number;
  readonly extents: Shape;
  readonly access: Access;
  readonly size: number;
}

/** Lists a program's accesses to its values, reads and writes. Loops of no rounds are left out. */
export function sitesOf(program: LoopProgram): readonly Site[] {
  return program.instructions.flatMap((instruction, number) => {
    const own = sizeOf(instruction.shape);
    const reads = bodiesOf(instruction).flatMap(({ extents, body }) =>
      body.reads.map(
        (read): Site => ({
          instruction: number,
          extents,
          access: read,
          size: sizeOf(shapeOfValue(program, read.value)),
        }),
      ),
    );
    const places = placesOf(instruction).map(
      ({ extents, access }): Site => ({ instruction: number, extents, access, size: own }),
    );
    return [...reads, ...places].filter(({ extents }) => sizeOf(extents) > 0);
  });
}

function placesOf(instruction: Instruction): readonly { readonly extents: Shape; readonly access: Access }[] {
  if (instruction.kind === "scatter") return [{ extents: instruction.over, access: instruction.place }];
  if (instruction.kind !== "assemble") return [];
  return instruction.pieces.map(({ shape, place }) => ({ extents: shape, access: place }));
}

/** Returns the last position that an access reaches, without lookups. */
export function lastPosition({ extents, access }: Site): number {
  return access.strides.reduce(
    (sum, stride, axis) => sum + Math.max(0, stride) * ((extents[axis] ?? 1) - 1),
    access.offset,
  );
}

/** Returns the limit of an indirection's entries: one for all, or its column's. */
export function limitAt(limits: readonly number[], offset: number, strides: readonly number[]): number {
  const limit = limits[offset % limits.length];
  if (limit === undefined || strides.some((stride) => stride % limits.length !== 0)) {
    throw new InvariantError("an indirection changes its column");
  }
  return limit;
}
