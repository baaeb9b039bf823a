import { readFile } from "node:fs/promises";

/**
 * Returns the Lean program that checks files. It reads one request a line, elaborates the file as Lean's own
 * frontend does, and says what Lean said and what the environment then holds. That a claim is there, what it
 * rests on and what its statement speaks of is read off the environment, never off the file's output.
 *
 * A request is a line that names a file, whose lines are: nonce, file, module, key of the imports, claims
 * (separated by commas), library, compiled file or `-`, statements or `-`. Files with the same key share what
 * they import. An answer is a line of JSON for each message, then one with `done`; each repeats the nonce.
 *
 * Statements are a file of the exporter (`emit/statements.ts`), elaborated from the imports alone: what a
 * claim may state, and how a number is written, with 7 and 9 in place of numbers. Each claim's type is
 * compared with it as an expression, and so is every number of the file's `program`, `run`, `engine` and
 * `system`.
 *
 * The program is interpreted, and walks lists by its own functions: the WebAssembly build lacks code for many
 * of Lean's.
 */
export function readDriver(): Promise<string> {
  return readFile(new URL(driverPath, import.meta.url), "utf8");
}

/** Lean's files are shipped beside `dist/`, not compiled into it. */
const driverPath = import.meta.url.endsWith(".ts")
  ? "../lean/Driver.lean"
  : "../../../lean-export/lean/Driver.lean";
