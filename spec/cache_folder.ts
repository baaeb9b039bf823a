import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";

/**
 * Finds the folder that keeps what is built once: `ADJUDGE_CACHE` if it is set, else the place that the
 * system has for caches of this user. It may be deleted at any time.
 */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  if (environment.ADJUDGE_CACHE) return environment.ADJUDGE_CACHE;
  if (process.platform === "darwin") return join(homedir(), "Library", "Caches", "adjudge");
  if (process.platform === "win32" && environment.LOCALAPPDATA) {
    return join(environment.LOCALAPPDATA, "adjudge", "Cache");
  }
  return join(environment.XDG_CACHE_HOME || join(homedir(), ".cache"), "adjudge");
}

/**
 * Makes a folder and those above it that are missing. Node's recursive `mkdir` loops for ever where a folder
 * cannot be made, as in /proc. Rejects with what the system says.
 */
export async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (above !== path) await makeFolder(above);
  await mkdir(path).catch((thrown) => {
    // Another process may have made it meanwhile.
    if (!existsSync(path)) throw thrown;
  });
}
