import binaryen from "binaryen";
import type { Code, Module } from "./lanes.ts";

/** The local variables of a function under construction. Its parameters come first. */
export class Frame {
  readonly #module: Module;
  readonly #parameters: number;
  readonly #types: binaryen.Type[] = [];
  readonly #named = new Map<string, number>();

  constructor(module: Module, parameters: number) {
    this.#module = module;
    this.#parameters = parameters;
  }

  /** A new variable. */
  local(type: binaryen.Type): number {
    return this.#parameters + this.#types.push(type) - 1;
  }

  /** The variable of this name, a new one at first. */
  variable(name: string, type: binaryen.Type): number {
    const variable = this.#named.get(name) ?? this.local(type);
    this.#named.set(name, variable);
    return variable;
  }

  /** The number of the next variable. */
  get next(): number {
    return this.#parameters + this.#types.length;
  }

  /** The types of the variables that are no parameters. */
  get types(): readonly binaryen.Type[] {
    return this.#types;
  }

  /** The vector in a variable. */
  get(variable: number): Code {
    return this.#module.local.get(variable, binaryen.v128);
  }

  /** Puts something into a variable. */
  set(variable: number, value: Code): Code {
    return this.#module.local.set(variable, value);
  }
}
