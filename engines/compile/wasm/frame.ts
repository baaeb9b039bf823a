import binaryen from "binaryen";
import type { Code, Module } from "./lanes.ts";

/** The local variables of a function under construction, whose parameters come first. */
export class Frame {
  readonly #module: Module;
  readonly #parameters: number;
  readonly #types: binaryen.Type[] = [];
  readonly #named = new Map<string, number>();

  constructor(module: Module, parameters: number) {
    this.#module = module;
    this.#parameters = parameters;
  }

  /** Adds a variable. */
  local(type: binaryen.Type): number {
    return this.#parameters + this.#types.push(type) - 1;
  }

  /** Returns the variable of this name, which is new at first. */
  variable(name: string, type: binaryen.Type): number {
    const variable = this.#named.get(name) ?? this.local(type);
    this.#named.set(name, variable);
    return variable;
  }

  /** Returns the number of the next variable. */
  get next(): number {
    return this.#parameters + this.#types.length;
  }

  /** Returns the types of the variables that are no parameters. */
  get types(): readonly binaryen.Type[] {
    return this.#types;
  }

  /** Reads a vector from a variable. */
  get(variable: number): Code {
    return this.#module.local.get(variable, binaryen.v128);
  }

  /** Writes a variable. */
  set(variable: number, value: Code): Code {
    return this.#module.local.set(variable, value);
  }
}
