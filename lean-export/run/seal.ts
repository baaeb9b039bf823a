import { createHash } from "node:crypto";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { isDeepStrictEqual } from "node:util";

/** This file lies beside what is kept: it has the SHA-256 of each file. */
const sealFile = "contents.json";

/** Writes down what a folder holds. */
export async function seal(folder: string): Promise<void> {
  await writeFile(join(folder, sealFile), JSON.stringify(await digests(folder)));
}

/**
 * Tells whether a folder holds exactly the files that it held when sealed. Law: no file changes, comes or
 * goes unnoticed. Whoever writes the seal anew owns the cache, and is believed. Cost: every file is read.
 */
export async function isSealed(folder: string): Promise<boolean> {
  try {
    const sealed: unknown = JSON.parse(await readFile(join(folder, sealFile), "utf8"));
    return isDeepStrictEqual(sealed, await digests(folder));
  } catch {
    return false; // It is not there, or not whole.
  }
}

/**
 * Moves a sealed folder to its place, unless another process was faster. It removes an incomplete one that is
 * there.
 */
export async function settle(building: string, target: string): Promise<void> {
  if (await isSealed(target)) return;
  await rm(target, { recursive: true, force: true });
  try {
    await rename(building, target);
  } catch (error) {
    if (!(await isSealed(target))) throw error;
  }
}

async function digests(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => file !== join(folder, sealFile))
    .sort();
  const pairs = await Promise.all(
    files.map(async (file) => {
      const digest = createHash("sha256")
        .update(await readFile(file))
        .digest("hex");
      return [relative(folder, file).split(sep).join("/"), digest] as const;
    }),
  );
  return Object.fromEntries(pairs);
}
