import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { makeFolder } from "../../spec/cache_folder.ts";

/** So many runs are recalled; of more, the oldest are forgotten. */
const KEPT = 8;

/** What obligations are made of is in these folders; the package has its code in the last. */
const rooms = ["spec", "reference", "engines", "oracle", "cli", "parts"];

/** What runs in the code and is none of it. */
const packages = ["z3-solver", "binaryen", "gmp-wasm", "pure-rand"];

/** A file is a source if it is code or a table, and no test. */
const SOURCE = /(?<!\.d)\.(ts|js|json)$/;
const TEST = /\.test\./;

/**
 * Names the code that obligations are made of: a hash of its files, of the versions of the packages that it
 * runs in, and of Node's. Law: where it is the same, so is all that `prove` would find. Cost: reads every
 * file.
 */
export async function sourcesHash(
  root: string = fileURLToPath(new URL("../..", import.meta.url)),
): Promise<string> {
  const hash = createHash("sha256");
  hash.update(JSON.stringify([process.version, ...packages.map(versionOf)]));
  for (const room of rooms) {
    if (!existsSync(join(root, room))) continue;
    const names = await readdir(join(root, room), { recursive: true });
    const sources = names.filter((name) => SOURCE.test(name) && !TEST.test(name));
    for (const name of sources.map((each) => each.replaceAll(sep, "/")).toSorted()) {
      const text = await readFile(join(root, room, name));
      hash.update(`\n${room}/${name} ${text.length}\n`);
      hash.update(text);
    }
  }
  return hash.digest("hex");
}

function versionOf(name: string): unknown {
  try {
    const json: unknown = createRequire(import.meta.url)(`${name}/package.json`);
    return typeof json === "object" && json !== null && "version" in json ? json.version : undefined;
  } catch {
    // A package may hide its version, or be missing; then its code cannot be told apart, and others can.
    return undefined;
  }
}

/** A run in which everything was proved: what it was asked, by hash, and the lines that it told. */
type Run = readonly [key: string, lines: readonly string[]];

/** Returns the key of a run: whatever its answer depends on. */
export function keyOfRun(...parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** Returns what a run with this key told, all of it proved; `undefined` if there was none. */
export async function recalled(path: string, key: string): Promise<readonly string[] | undefined> {
  return (await runsIn(path)).find(([known]) => known === key)?.[1];
}

/** Keeps what a run told. A folder that cannot be written keeps nothing, and hinders nobody. */
export async function keepRun(path: string, key: string, lines: readonly string[]): Promise<void> {
  const others = (await runsIn(path)).filter(([known]) => known !== key);
  const temporary = `${path}.${process.pid}`;
  try {
    await makeFolder(dirname(path));
    await writeFile(temporary, JSON.stringify([...others, [key, lines]].slice(-KEPT)));
    await rename(temporary, path);
  } catch {
    // The answers beside it have said already why nothing can be kept.
  }
}

async function runsIn(path: string): Promise<readonly Run[]> {
  try {
    const json: unknown = JSON.parse(await readFile(path, "utf8"));
    return Array.isArray(json) ? json.filter(isRun) : [];
  } catch {
    return [];
  }
}

function isRun(entry: unknown): entry is Run {
  return (
    Array.isArray(entry) &&
    typeof entry[0] === "string" &&
    Array.isArray(entry[1]) &&
    entry[1].every((line) => typeof line === "string")
  );
}
