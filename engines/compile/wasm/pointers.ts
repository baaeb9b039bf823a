import binaryen from "binaryen";
import { at } from "../../../spec/shapes/index.ts";
import type { Frame } from "./frame.ts";
import type { Code, Module } from "./lanes.ts";
import { type Nest, type Walk, walksOf } from "./nest.ts";

interface Group {
  readonly strides: readonly number[];
  readonly local: number;
  /** The pointer where all indices are 0. */
  readonly start: () => Code;
}

/** The position of a walk: at a distance from a pointer. */
export interface Position {
  readonly pointer: Code;
  readonly distance: number;
}

/**
 * The pointers that walk through memory while loops run. In a function for one nest, walks of the same
 * strides share a pointer, from which they have constant distances. In a function for several nests each walk
 * begins at a parameter, and has a pointer of its own. A walk that never moves has none.
 */
export class Pointers {
  readonly #module: Module;
  readonly #groups: ReadonlyMap<string, Group>;
  /** The parameter of each walk. */
  readonly #parameters: ReadonlyMap<Walk, number>;

  constructor(module: Module, frame: Frame, nest: Nest, hasParameters: boolean) {
    this.#module = module;
    const walks = walksOf(nest);
    this.#parameters = new Map(hasParameters ? walks.map((walk, parameter) => [walk, parameter]) : []);
    const groups = new Map<string, Group>();
    for (const walk of walks) {
      const { strides } = walk;
      const key = this.#key(walk);
      if (strides.every((stride) => stride === 0) || groups.has(key)) continue;
      const parameter = this.#parameters.get(walk);
      const start = (): Code =>
        parameter === undefined
          ? module.i32.const(headroom(nest, strides))
          : module.local.get(parameter, binaryen.i32);
      groups.set(key, { strides, local: frame.local(binaryen.i32), start });
    }
    this.#groups = groups;
    this.#headroom = (strides) => headroom(nest, strides);
  }

  readonly #headroom: (strides: readonly number[]) => number;

  #key(walk: Walk): string {
    return `${this.#parameters.get(walk) ?? ""} ${walk.strides.join()}`;
  }

  /** Initialises the pointers. */
  begin(): Code[] {
    return [...this.#groups.values()].map(({ local, start }) => this.#module.local.set(local, start()));
  }

  /** Moves all pointers along an axis. */
  advance(axis: number, count: number): Code[] {
    const { local: locals, i32 } = this.#module;
    return [...this.#groups.values()].flatMap(({ strides, local }) => {
      const distance = count * at(strides, axis);
      return distance === 0
        ? []
        : [locals.set(local, i32.add(locals.get(local, binaryen.i32), i32.const(distance)))];
    });
  }

  /** Returns the position of a walk. */
  at(walk: Walk): Position {
    const { i32, local } = this.#module;
    const group = this.#groups.get(this.#key(walk));
    const parameter = this.#parameters.get(walk);
    if (parameter !== undefined) {
      return { pointer: local.get(group?.local ?? parameter, binaryen.i32), distance: 0 };
    }
    return group === undefined
      ? { pointer: i32.const(0), distance: walk.base }
      : { pointer: local.get(group.local, binaryen.i32), distance: walk.base - this.#headroom(walk.strides) };
  }
}

/** Returns how far up a shared pointer starts, so that walking back never makes it negative. */
function headroom(nest: Nest, strides: readonly number[]): number {
  return strides.reduce((sum, stride, axis) => sum + Math.max(-stride, 0) * (at(nest.extents, axis) - 1), 0);
}
