import { closeSync, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { fail, ok, quote } from "../../../spec/shapes/index.ts";
import type { External } from "./tensor.ts";

/** Reads external data from the folder of a model, and from nowhere else: files are not to be trusted. */
export function externalBeside(model: string): External {
  return (location, offset, length = 0) => {
    const folder = dirname(resolve(model));
    if (location === "" || isAbsolute(location) || location.split(/[\\/]/).includes(".."))
      return fail(`its external data are in ${quote(location)}, outside of the model's folder.`);
    try {
      const path = realpathSync(resolve(folder, location));
      const within = relative(realpathSync(folder), path);
      if (isAbsolute(within) || within.split(sep).includes(".."))
        return fail(`its external data are in ${quote(location)}, a link out of the model's folder.`);
      const file = openSync(path, "r");
      try {
        const stats = fstatSync(file);
        if (!stats.isFile() || stats.size < offset + length)
          return fail(`its external data in ${quote(location)} end too early.`);
        const bytes = new Uint8Array(length);
        return readSync(file, bytes, 0, length, offset) === length ? ok(bytes) : fail("it cannot be read.");
      } finally {
        closeSync(file);
      }
    } catch (thrown) {
      return fail(`its external data cannot be read: ${thrown instanceof Error ? thrown.message : thrown}.`);
    }
  };
}

/** Refuses all external data, where there is no folder. */
export const noExternal: External = (location) =>
  fail(
    `its data are in another file, ${quote(location)}, and a model from standard input has none beside it.`,
  );
