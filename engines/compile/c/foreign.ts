import { createRequire } from "node:module";
import { elementaryFunctions } from "../plan/index.ts";
import type { ForeignName } from "./functions/index.ts";

const require = createRequire(import.meta.url);

/** The part of koffi that is used. */
interface Ffi {
  load(path: string): Library;
  proto(declaration: string): unknown;
  pointer(type: unknown): unknown;
  register(callback: (...operands: number[]) => number, type: unknown): unknown;
}

/** A library that is loaded, whose functions are declared when they are wanted. */
export interface Library {
  func(name: string, result: string, parameters: readonly string[]): (...values: unknown[]) => unknown;
}

/** Loads koffi when a library is first wanted. */
function ffi(): Ffi {
  return require("koffi");
}

/** Loads a library, and hands it the functions that it calls of this process. */
export function loaded(path: string, called: readonly ForeignName[]): Library {
  const library = ffi().load(path);
  for (const name of called) library.func(`set_${name}`, "void", ["void *"])(pointerOf(name));
  return library;
}

const pointerOf: (name: ForeignName) => unknown = pointers();

/** A callback is registered once, and kept. */
function pointers(): typeof pointerOf {
  const known = new Map<string, unknown>();
  const types = new Map<number, unknown>();
  return (name) => {
    const meaning: (...operands: number[]) => number = elementaryFunctions[name];
    const count = meaning.length;
    const { proto, pointer, register } = ffi();
    const type =
      types.get(count) ??
      pointer(proto(count === 2 ? "double adjudge_binary(double, double)" : "double adjudge_unary(double)"));
    types.set(count, type);
    const made = known.get(name) ?? register(meaning, type);
    known.set(name, made);
    return made;
  };
}
