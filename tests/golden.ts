import { readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  corpusPage,
  needsPage,
  operatorsPage,
  programVectors,
  refreshed,
  suiteTexts,
  suiteVectors,
  tapeVectors,
} from "../conformance/index.ts";
import { graphSchema, programSchema } from "../spec/index.ts";
import { mapPage, mapRows } from "./map.ts";
import { roomsPicture } from "./rooms.ts";
import { toldPages } from "./told.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Returns every generated file of the project by its path, and what it must hold. */
export function goldenFiles(): ReadonlyMap<string, string> {
  const vectors = suiteVectors();
  const programs = programVectors();
  const tapes = tapeVectors();
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  const all = vectors.size + programs.size + tapes.size;
  return new Map([
    ...toldPages({ vectors: all, tapes: tapes.size, read }),
    ["docs/corpus.md", corpusPage({ vectors, programs, tapes })],
    ["spec/schema/graph.schema.json", `${JSON.stringify(graphSchema(), undefined, 2)}\n`],
    ["spec/schema/program.schema.json", `${JSON.stringify(programSchema(), undefined, 2)}\n`],
    ["docs/operators.md", operatorsPage()],
    ["docs/needs.md", needsPage()],
    ["docs/map.md", mapPage(mapRows([...vectors, ...programs, ...tapes]))],
    ["docs/rooms.svg", roomsPicture()],
    ...suiteTexts().map((suite) => [`conformance/suites/${suite.file}`, refreshed(suite)] as const),
  ]);
}

/** Reads a golden file; `undefined` if it is not there. */
export async function readGolden(path: string): Promise<string | undefined> {
  return readFile(join(root, path), "utf8").catch(() => undefined);
}

/** Writes every golden file anew. */
async function writeAll(): Promise<void> {
  for (const [path, text] of goldenFiles()) {
    const target = join(root, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
    console.log(path);
  }
}

if (import.meta.main) await writeAll();
