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
  /** Arrays of numbers, in the order of the parameters `p0`, `p1` and so on. */
  readonly #reals: string[] = [];
  readonly #names = new Map<string, string>();
  readonly #indices = new Map<string, string>();
  #scratch: number | undefined;
  #isShared = false;

  constructor(pointer: (value: ValueId) => string, out: ValueId) {
    this.#pointer = pointer;
    this.#out = pointer(out);
  }

  /** Returns the name of a value's array. */
  value(value: ValueId): string {
    const pointer = this.#pointer(value);
    return pointer === this.#out ? "o" : (this.#names.get(pointer) ?? this.#add(pointer));
  }

  /** Gives an operand of a routine a name of its own: `p0`, `p1` and so on. */
  next(value: ValueId): void {
    this.#add(this.#pointer(value));
  }

  #add(pointer: string): string {
    const name = `p${this.#reals.length}`;
    this.#reals.push(pointer);
    this.#names.set(pointer, name);
    return name;
  }

  /** Returns the name of an index source's array. */
  index(index: number): string {
    const key = indexName(index);
    const name = this.#indices.get(key) ?? `x${this.#indices.size}`;
    this.#indices.set(key, name);
    return name;
  }

  /** Asks for room for so many numbers, which is called `scratch`. */
  needScratch(numbers: number): void {
    this.#scratch = Math.max(this.#scratch ?? 0, numbers);
  }

  /** The numbers that `scratch` has room for. */
  get scratch(): number {
    return this.#scratch ?? 0;
  }

  /** Says that the kernel has parts, of which it computes part `t` of `n`. */
  share(): void {
    this.#isShared = true;
  }

  /** The parameters, with their types. */
  get parameters(): string {
    const reals = this.#reals.map((_, n) => `const T *restrict p${n}`);
    const indices = [...this.#indices.values()].map((name) => `const uint32_t *restrict ${name}`);
    const more = [
      ...(this.#scratch === undefined ? [] : ["T *restrict scratch"]),
      ...(this.#isShared ? ["I t", "I n"] : []),
    ];
    return [...reals, ...indices, "T *restrict o", ...more].join(", ");
  }

  /** The arguments, in the same order, where scratch begins at `scratch`, and those of a share. */
  argumentsWith(scratch: string, share: string): string {
    const more = [...(this.#scratch === undefined ? [] : [scratch]), ...(this.#isShared ? [share] : [])];
    return [...this.#reals, ...this.#indices.keys(), this.#out, ...more].join(", ");
  }
}
