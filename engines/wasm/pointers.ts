import binaryen from "binaryen";
import type { Frame } from "./frame.ts";
import type { Code, Module } from "./lanes.ts";
import type { Nest } from "./nest.ts";

interface Group {
  readonly strides: readonly number[];
  /** Where the pointer starts: so far up that walking back never makes it negative. */
  readonly start: number;
  readonly local: number;
}

/**
 * The pointers that walk through memory while loops run: one for all places with the same strides, which differ by a constant
 * distance. A place that never moves has none.
 */
export class Pointers {
  readonly #module: Module;
  readonly #groups: ReadonlyMap<string, Group>;

  constructor(module: Module, frame: Frame, nest: Nest) {
    this.#module = module;
    const groups = new Map<string, Group>();
    const walks = [nest.target, ...nest.reads].flatMap((place) => [place, ...place.lookups]);
    for (const { strides } of walks) {
      if (strides.every((stride) => stride === 0) || groups.has(strides.join())) continue;
      const start = strides.reduce(
        (sum, stride, axis) => sum + Math.max(-stride, 0) * ((nest.extents[axis] ?? 1) - 1),
        0,
      );
      groups.set(strides.join(), { strides, start, local: frame.local(binaryen.i32) });
    }
    this.#groups = groups;
  }

  /** Sets the pointers up. */
  begin(): Code[] {
    return [...this.#groups.values()].flatMap(({ local, start }) =>
      start === 0 ? [] : [this.#module.local.set(local, this.#module.i32.const(start))],
    );
  }

  /** Moves all pointers along an axis. */
  advance(axis: number, count: number): Code[] {
    const { local: locals, i32 } = this.#module;
    return [...this.#groups.values()].flatMap(({ strides, local }) => {
      const distance = count * (strides[axis] ?? 0);
      return distance === 0
        ? []
        : [locals.set(local, i32.add(locals.get(local, binaryen.i32), i32.const(distance)))];
    });
  }

  /** The pointer of a walk from `base`, and the distance from it. */
  at(base: number, strides: readonly number[]): { readonly pointer: Code; readonly distance: number } {
    const group = this.#groups.get(strides.join());
    if (group === undefined) return { pointer: this.#module.i32.const(0), distance: base };
    return {
      pointer: this.#module.local.get(group.local, binaryen.i32),
      distance: base - group.start,
    };
  }
}
