import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "../../spec/cache_folder.ts";
import { findLean } from "../run/find.ts";
import { buildLibrary } from "../run/library.ts";

/** A Lean that has the copy of TorchLean's definitions. */
export interface Copy {
  /** Returns what it finds wrong in a text. */
  errorsOf(name: string, content: string): Promise<readonly string[]>;
}

/** Builds the copy; texts are put into the folder. */
export async function copyOfTorchLean(folder: string): Promise<Copy> {
  const limits = { milliseconds: 600_000, outputBytes: 8_000_000 };
  const lean = await findLean({ log: () => undefined });
  if (!lean.ok) throw new Error(lean.error.message);
  const copy = fileURLToPath(new URL("copy", import.meta.url));
  const built = await buildLibrary({
    folder: copy,
    root: "NN",
    lean: lean.value,
    cache: cacheFolder(),
    limits,
    progress: () => undefined,
  });
  if (!built.ok) throw new Error(JSON.stringify(built.error));
  const libraries = [built.value.folder];
  return {
    errorsOf: async (name, content) => {
      const file = `${name.replaceAll(/[^a-z]+/g, "_")}.lean`;
      writeFileSync(join(folder, file), content);
      const run = await lean.value.run({ folder, file, libraries, options: [], isProgram: false, limits });
      if (run.kind === "stopped") throw new Error(run.why);
      return run.messages.filter(({ severity }) => severity === "error").map(({ text }) => text);
    },
  };
}
