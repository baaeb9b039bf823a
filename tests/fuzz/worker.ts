import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { tryFile } from "./files.ts";
import { tryLines } from "./lines.ts";
import { tryWords } from "./words.ts";

/** What a worker is told, and what it tells. */
export interface Order {
  readonly kind: "files" | "lines" | "words";
  readonly first: number;
  readonly stride: number;
}
export type News =
  | { readonly kind: "begun"; readonly seed: number }
  | {
      readonly kind: "done";
      readonly seed: number;
      readonly count: number;
      readonly faults: readonly string[];
    };

const { kind, first, stride }: Order = workerData;
const tell = (news: News): void => parentPort?.postMessage(news);
const folder = await mkdtemp(join(tmpdir(), "adjudge-fuzz-"));
process.on("exit", () => void rm(folder, { recursive: true, force: true }));
// What nobody awaits is a crash too, and ends this thread.
for (let seed = first; ; seed += stride) {
  tell({ kind: "begun", seed });
  if (kind === "files") tell({ kind: "done", seed, count: 1, faults: await tryFile(seed, folder) });
  else if (kind === "words") tell({ kind: "done", seed, count: 1, faults: await tryWords(seed) });
  else {
    const { lines, faults } = await tryLines(seed);
    tell({ kind: "done", seed, count: lines, faults });
  }
}
