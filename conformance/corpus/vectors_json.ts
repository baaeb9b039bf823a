import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { programVectors, suiteVectors, tapeVectors } from "./suite.ts";

/**
 * Writes every vector of the suites as JSON into a folder, `structures/fan_out.json`, for readers in other
 * languages: `npm run build` puts them into the package. Cost: the suites are read.
 */
export function writeVectors(folder: string): void {
  for (const [path, vector] of [...suiteVectors(), ...programVectors(), ...tapeVectors()]) {
    const file = join(folder, `${path}.json`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(vector)}\n`);
  }
}

if (import.meta.main) writeVectors(process.argv[2] ?? "dist/suites");
