import { at, sizeOf } from "../../../../spec/shapes/index.ts";
import { type Access, type Layout, type LoopProgram, shapeOfValue, type ValueId } from "../../plan/index.ts";
import type { Arithmetic } from "../emit/arithmetic.ts";
import type { Loop, Nest, Place } from "./nest.ts";

/** Generated text finds sources under their own names, and all other values in the arena `A`. */
export interface Memory {
  readonly program: LoopProgram;
  readonly layout: Layout;
  readonly arithmetic: Arithmetic;
}

/** A run of an array. */
export interface Run {
  readonly array: string;
  readonly offset: number;
  readonly size: number;
}

/** The name of the arena. */
export const ARENA = "A";

/** Returns the name of a source's array. */
export function sourceName(source: number): string {
  return `s${source}`;
}

/** Returns the name of an index source's array. */
export function indexName(source: number): string {
  return `x${source}`;
}

/** Finds where a value lies. */
export function runOf({ program, layout }: Memory, value: ValueId): Run {
  const size = sizeOf(shapeOfValue(program, value));
  const instruction = value - program.sources.length;
  return instruction < 0
    ? { array: sourceName(value), offset: 0, size }
    : { array: ARENA, offset: at(layout.places, instruction), size };
}

/** Makes the place of an access to a value. */
export function placeOf(memory: Memory, value: ValueId, access: Access): Place {
  const { array, offset } = runOf(memory, value);
  return {
    array,
    position: { offset: offset + access.offset, strides: access.strides },
    lookups: access.indirections.map(({ index, offset, strides, scale }) => ({
      array: indexName(index),
      position: { offset, strides },
      scale,
    })),
  };
}

/** Makes loops over extents, of width 1. */
export function loopsOver(extents: readonly number[], isOrdered: boolean): readonly Loop[] {
  return extents.map((extent) => ({ extent, width: 1, isOrdered }));
}

/** Says whether a nest has no rounds. */
export function isEmpty({ loops }: Nest): boolean {
  return loops.some(({ extent }) => extent === 0);
}
