import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Returns the version in package.json, which lies two folders up from the sources and three from `dist`. */
export function packageVersion(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const path = [join(here, "..", "..", "package.json"), join(here, "..", "..", "..", "package.json")].find(
    existsSync,
  );
  if (path === undefined) return "unknown";
  const json: unknown = JSON.parse(readFileSync(path, "utf8"));
  return typeof json === "object" && json !== null && "version" in json ? String(json.version) : "unknown";
}
