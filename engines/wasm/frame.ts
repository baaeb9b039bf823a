import type binaryen from "binaryen";

/** The local variables of a function under construction. Its parameters come first. */
export class Frame {
  readonly #parameters: number;
  readonly #types: binaryen.Type[] = [];

  constructor(parameters: number) {
    this.#parameters = parameters;
  }

  /** A new variable. */
  local(type: binaryen.Type): number {
    return this.#parameters + this.#types.push(type) - 1;
  }

  /** The number of the next variable. */
  get next(): number {
    return this.#parameters + this.#types.length;
  }

  /** The types of the variables that are no parameters. */
  get types(): readonly binaryen.Type[] {
    return this.#types;
  }
}
