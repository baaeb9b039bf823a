import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../../spec/cache_folder.ts";
import type { Lean } from "./lean.ts";
import type { ProcessLimits } from "./process.ts";
import { isSealed, seal, settle } from "./seal.ts";

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
 * of Lean's. It has no functions without a name: who imports it when it is compiled does not find their code.
 */
export function readDriver(): Promise<string> {
  return readFile(new URL(driverPath, import.meta.url), "utf8");
}

/** Lean's files are shipped beside `dist/`, not compiled into it. */
const driverPath = import.meta.url.endsWith(".ts")
  ? "../lean/Driver.lean"
  : "../../../lean-export/lean/Driver.lean";

/** Options for the driver's own text: nobody reads its lints, and one thread elaborates it soonest. */
export const driverOptions: readonly string[] = ["-Dlinter.all=false", "-DElab.async=false"];

/** A program that is the compiled driver, which it imports. */
export const importingDriver = "module\n\npublic meta import Driver\n";

/** The driver may take so long to compile, on machines much slower than ours. */
const compilingLimits: ProcessLimits = { milliseconds: 600_000, outputBytes: 8_000_000 };

/**
 * Returns a folder with the compiled driver, from which a session of the WebAssembly build begins in half of
 * the time: from the cache, or made. It is `undefined` for a native Lean, which compiles the text at once,
 * and where Lean does not compile it: sessions then begin with the text, and say what is wrong with it.
 * Law: two processes may do this at once; each sees all of it or nothing.
 * Cost: a run of Lean, the first time.
 */
export async function compiledDriver(lean: Lean, cache: string): Promise<string | undefined> {
  if (lean.name === "native") return undefined;
  const text = await readDriver();
  const key = createHash("sha256")
    .update(JSON.stringify([lean.name, lean.version, text]))
    .digest("hex");
  const target = join(cache, "lean-driver", key.slice(0, 32));
  if (await isSealed(target)) return target;
  await makeFolder(dirname(target));
  const folder = await mkdtemp(join(cache, "building-"));
  try {
    const writable = "out";
    await mkdir(join(folder, writable));
    await writeFile(join(folder, "Driver.lean"), text);
    const options = [...driverOptions, "-o", `${writable}/Driver.olean`];
    const job = { folder, file: "Driver.lean", libraries: [], writable, options, isProgram: false };
    const run = await lean.run({ ...job, limits: compilingLimits });
    if (run.kind === "stopped" || run.code !== 0) return undefined;
    await seal(join(folder, writable));
    await settle(join(folder, writable), target);
    return target;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
