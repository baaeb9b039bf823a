import { createRequire } from "node:module";
import { elementaryFunctions } from "../plan/index.ts";
import type { ForeignName } from "./functions/index.ts";

const require = createRequire(import.meta.url);

/** The part of koffi that is used. */
interface Ffi {
  load(path: string | null): Library;
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

/**
 * Keeps a loaded library for as long as the process lives. Another is unloaded when nobody holds it any more,
 * and when the thread of Node.js that loaded it ends, even if threads of its own are in it.
 */
export function keep(path: string): void {
  const RTLD_NOW = 2;
  ffi().load(null).func("dlopen", "void *", ["str", "int"])(path, RTLD_NOW);
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
