import type { Executable, Numbers } from "../plan/index.ts";
import { callables, TABLE } from "./emit/functions.ts";
import { ARENA } from "./loops/memory.ts";

/** A routine, bound to its places in the arena. */
export type RoutineCall = Executable["run"];

/** What generated text refers to by name. */
interface Environment {
  /** All values but the sources. */
  readonly arena: Numbers;
  /** `R`: the routine of each instruction that is one. */
  readonly routines: readonly (RoutineCall | undefined)[];
}

/**
 * The function `run` that a text declares. Each text becomes code of its own, so that what V8 learns of one executable says nothing
 * of another; and the arena is a constant to it, whose address and length V8 writes into the machine code. V8 keeps the code of a text
 * that it saw before, with what it learned of it; therefore every text ends with a number of its own.
 *
 * Uses the `Function` constructor: under a Content Security Policy, the page must allow `unsafe-eval`. The text holds
 * numbers and names made here, and nothing that a caller wrote.
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
