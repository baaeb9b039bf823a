import type { Executable, Numbers } from "../plan/index.ts";
import { callables, TABLE } from "./emit/functions.ts";
import { ARENA } from "./loops/memory.ts";

/** A routine, bound to its places in the arena. */
export type RoutineCall = Executable["run"];

/** Generated text refers to these by name. */
interface Environment {
  /** The arena holds all values but the sources. */
  readonly arena: Numbers;
  /** `R` has the routine of each instruction that is one. */
  readonly routines: readonly (RoutineCall | undefined)[];
}

/**
 * Makes the function `run` that a text declares. Every text becomes code of its own, because it ends with a
 * number of its own: V8 keeps code by its text, and what it learns of one executable would slow another. The
 * arena is a constant, whose address V8 writes into the machine code. The `Function` constructor needs
 * `unsafe-eval` in a page's content security policy. The text holds numbers and names made here, and nothing
 * that a caller wrote.
 */
export const assemble: (text: string, environment: Environment) => Executable["run"] = assembler();

function assembler(): typeof assemble {
  const names = callables.map(([name]) => name);
  const meanings = callables.map(([, meaning]) => meaning);
  let assembled = 0;
  return (text, { arena, routines }) => {
    assembled += 1;
    const build = new Function(
      "environment",
      `"use strict";const [${ARENA},R,${TABLE},${names}]=environment;${text}\nreturn run;//${assembled}`,
    );
    return build([arena, routines, new Float64Array(new ArrayBuffer(16)), ...meanings]);
  };
}
