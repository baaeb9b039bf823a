import type binaryen from "binaryen";

/** The local variables of a function under construction, which has no parameters. */
export class Frame {
  readonly #types: binaryen.Type[] = [];

  /** A new variable. */
  local(type: binaryen.Type): number {
    return this.#types.push(type) - 1;
  }

  get types(): readonly binaryen.Type[] {
    return this.#types;
  }
}
