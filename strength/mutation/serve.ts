/**
 * A process that is started with this file (`node --import`) finds a mutant's text where a file of the
 * project is, and everything else as it lies. Its threads and the processes that it starts find the same.
 */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import process from "node:process";

const { ADJUDGE_MUTATED_FILE: url, ADJUDGE_MUTATED_TEXT: path } = process.env;

if (url !== undefined && path !== undefined)
  registerHooks({
    load: (wanted, context, next) =>
      wanted === url
        ? { format: "module-typescript", source: readFileSync(path, "utf8"), shortCircuit: true }
        : next(wanted, context),
  });
