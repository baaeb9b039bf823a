import {
  type Access,
  bodiesOf,
  type Instruction,
  type LoopProgram,
  shapeOfValue,
} from "../../../engines/compile/plan/index.ts";
import { InvariantError, type Shape, sizeOf } from "../../../spec/shapes/index.ts";

/** Where a loop nest reads or writes: an access, the extents of its loops, and the size of the tensor that it must stay in. */
export interface Site {
  /** Position among the program's instructions. */
  readonly instruction: number;
  readonly extents: Shape;
  readonly access: Access;
  readonly size: number;
}

/** The accesses of a program to its values, reads and places. Loops without an index are left out: they read nothing. */
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

/** The last position that an access reaches without what it looks up. */
export function lastPosition({ extents, access }: Site): number {
  return access.strides.reduce(
    (sum, stride, axis) => sum + Math.max(0, stride) * ((extents[axis] ?? 1) - 1),
    access.offset,
  );
}

/** The limit of what an indirection looks up: one for all its entries, or one for its column. */
export function limitAt(limits: readonly number[], offset: number, strides: readonly number[]): number {
  const limit = limits[offset % limits.length];
  if (limit === undefined || strides.some((stride) => stride % limits.length !== 0)) {
    throw new InvariantError("an indirection changes its column");
  }
  return limit;
}
