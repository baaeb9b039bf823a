import type { Executable, Numbers } from "../plan/executable.ts";
import { callables } from "./emit/functions.ts";

/** A routine, bound to its places in the arena. */
export type RoutineCall = Executable["run"];

/** What generated text refers to by name. */
interface Environment {
  /** `A`: all values but the sources. */
  readonly arena: Numbers;
  /** `R`: the routine of each instruction that is one. */
  readonly routines: readonly (RoutineCall | undefined)[];
}

/**
 * The function `run` that a text declares. Each text becomes code of its own, so that what V8 learns of one executable says nothing
 * of another; and the arena is a constant to it, whose address and length V8 writes into the machine code.
 *
 * Uses the `Function` constructor: under a Content Security Policy, the page must allow `unsafe-eval`. The text holds
 * numbers and names made here, and nothing that a caller wrote.
 */
export function assemble(text: string, { arena, routines }: Environment): Executable["run"] {
  const names = callables.map(([name]) => name);
  const build = new Function(
    "environment",
    `"use strict";const [A,R,${names}]=environment;${text}\nreturn run;`,
  );
  return build([arena, routines, ...callables.map(([, meaning]) => meaning)]);
}
