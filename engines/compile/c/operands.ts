import { at } from "../../../spec/shapes/index.ts";
import type { Layout, LoopProgram, ValueId } from "../plan/index.ts";

/** Names of arrays in the function that calls the kernels. */
export const sourceName = (source: number): string => `s${source}`;
export const indexName = (index: number): string => `x${index}`;
export const ARENA = "workspace";

/** Returns where a value lies, as text. */
export function pointerTo(program: LoopProgram, layout: Layout, value: ValueId): string {
  const instruction = value - program.sources.length;
  if (instruction < 0) return sourceName(value);
  const place = at(layout.places, instruction);
  return place === 0 ? ARENA : `${ARENA} + ${place}`;
}

/** The parameters of one kernel, in the order in which they are met; a value that is written over is `o`. */
export class Operands {
  readonly #pointer: (value: ValueId) => string;
  readonly #out: string;
  readonly #names = new Map<string, string>();
  readonly #indices = new Map<string, string>();

  constructor(pointer: (value: ValueId) => string, out: ValueId) {
    this.#pointer = pointer;
    this.#out = pointer(out);
  }

  /** Returns the name of a value's array. */
  value(value: ValueId): string {
    const pointer = this.#pointer(value);
    return pointer === this.#out ? "o" : nameIn(this.#names, pointer, "p");
  }

  /** Gives an operand of a routine a name of its own: `p0`, `p1` and so on. */
  next(value: ValueId): void {
    this.#names.set(`${" ".repeat(this.#names.size)}${this.#pointer(value)}`, `p${this.#names.size}`);
  }

  /** Returns the name of an index source's array. */
  index(index: number): string {
    return nameIn(this.#indices, indexName(index), "x");
  }

  /** The parameters, with their types. */
  get parameters(): string {
    const reals = [...this.#names.values()].map((name) => `const T *restrict ${name}`);
    const indices = [...this.#indices.values()].map((name) => `const uint32_t *restrict ${name}`);
    return [...reals, ...indices, "T *restrict o"].join(", ");
  }

  /** The arguments, in the same order. */
  get arguments(): string {
    return [...[...this.#names.keys()].map((key) => key.trim()), ...this.#indices.keys(), this.#out].join(
      ", ",
    );
  }
}

function nameIn(names: Map<string, string>, key: string, letter: string): string {
  const name = names.get(key) ?? `${letter}${names.size}`;
  names.set(key, name);
  return name;
}
