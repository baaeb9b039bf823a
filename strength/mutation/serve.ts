/**
 * A process that is started with this file (`node --import`) finds a mutant's text where a file of the
 * project is, and everything else as it lies: modules that are loaded, and texts that are read, as
 * obligations read the code that they run on unknowns. Its threads and the processes that it starts find the
 * same.
 */
import fs from "node:fs";
import { registerHooks, syncBuiltinESMExports } from "node:module";
import process from "node:process";
import { fileURLToPath } from "node:url";

const { ADJUDGE_MUTATED_FILE: url, ADJUDGE_MUTATED_TEXT: path } = process.env;

if (url !== undefined && path !== undefined) {
  const { readFileSync } = fs;
  const text = readFileSync(path, "utf8");
  const file = fileURLToPath(url);
  const isMutated = (wanted: unknown): boolean =>
    wanted === file || (wanted instanceof URL && wanted.href === url);
  fs.readFileSync = new Proxy(readFileSync, {
    apply: (read, self, [wanted, ...how]) =>
      Reflect.apply(read, self, [isMutated(wanted) ? path : wanted, ...how]),
  });
  syncBuiltinESMExports();
  registerHooks({
    load: (wanted, context, next) =>
      wanted === url
        ? { format: "module-typescript", source: text, shortCircuit: true }
        : next(wanted, context),
  });
}
