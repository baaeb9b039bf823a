import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { cacheFolder, makeFolder } from "../../spec/cache_folder.ts";
import { testsOf } from "./beside.ts";
import { allMutations, drawn } from "./draw.ts";
import { type Bench, type Tried, tryMutant } from "./killers.ts";
import type { Mutation } from "./mutators.ts";
import { endAll, runNode } from "./processes.ts";
import { readSources } from "./rooms.ts";
import { readSpoken } from "./spoken.ts";
import { typeChecker } from "./types.ts";

/** What a run is asked. */
export interface MutationOrders {
  readonly seed: number;
  readonly count: number;
  /** Beginnings of paths; empty for all rooms. */
  readonly only: readonly string[];
  /** Mutants that are tried at once. */
  readonly jobs: number;
  /** Whether the judge and tests that lie farther away are asked about what else survives. */
  readonly isThorough: boolean;
  readonly note: (line: string) => void;
  readonly onTried?: (tried: Tried, done: number, sources: ReadonlyMap<string, string>) => void;
}

export interface MutationRun {
  readonly sources: ReadonlyMap<string, string>;
  /** There are so many mutants to draw from. */
  readonly possible: number;
  readonly tried: readonly Tried[];
  /** Right code that was served as mutants are, with a remark more: whoever accuses it accuses nobody. */
  readonly controls: readonly Tried[];
}

/** There is a control for so many mutants. */
const MUTANTS_PER_CONTROL = 50;

/** A run says something at least so often, in milliseconds. */
const SILENCE = 9_000;

/** Draws mutants of the project in `root` and tries them. No file of it is written. */
export async function runMutants(root: string, orders: MutationOrders): Promise<MutationRun> {
  const folder = mkdtempSync(join(tmpdir(), "adjudge-mutants-"));
  const clean = (): void => {
    endAll();
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", clean);
  const progress = { text: "code that obligations speak of is being measured" };
  const sign = setInterval(() => orders.note(progress.text), SILENCE);
  try {
    const sources = readSources(root);
    const mutations = allMutations(sources, orders.only);
    const spokenPath = await measureSpoken(root, sources, folder);
    using types = typeChecker(root);
    const bench: Bench = {
      root,
      folder,
      seed: String(orders.seed),
      sources,
      types,
      tests: testsOf(sources),
      spoken: readSpoken(spokenPath),
      spokenPath,
      usual: new Map(),
      isThorough: orders.isThorough,
    };
    const chosen = drawn(mutations, orders.seed, orders.count);
    const controls = chosen.slice(0, Math.ceil(chosen.length / MUTANTS_PER_CONTROL)).map(remarked);
    const all = await tryAll([...chosen, ...controls], bench, orders, (text) => {
      progress.text = text;
    });
    const tried = all.slice(0, chosen.length);
    return { sources, possible: mutations.length, tried, controls: all.slice(chosen.length) };
  } finally {
    clearInterval(sign);
    process.off("exit", clean);
    clean();
  }
}

/** Puts a remark where a mutant is, which means nothing. */
function remarked({ file, start }: Mutation): Mutation {
  return { file, start, end: start, before: "", after: " /* nothing is changed */ " };
}

/**
 * Measures which code obligations speak of, unless that was done of the same sources; returns where it is.
 */
async function measureSpoken(
  root: string,
  sources: ReadonlyMap<string, string>,
  folder: string,
): Promise<string> {
  const hash = createHash("sha256");
  for (const [file, text] of sources)
    if (!/\.test\.|^(?:strength|tests|cli)\//.test(file)) hash.update(`${file}\n${text}\n`);
  const name = `spoken-${hash.digest("hex").slice(0, 32)}.json`;
  const cache = join(cacheFolder(), "mutants");
  const kept = join(cache, name);
  if (existsSync(kept)) return kept;
  const path = join(folder, name);
  const ending = await runNode(
    [fileURLToPath(new URL("spoken.ts", import.meta.url)), root, path],
    { processor: 300, clock: 3600 },
    { cwd: root, environment: { NODE_COMPILE_CACHE: join(folder, "compiled") } },
  );
  if (ending.code !== 0) throw new Error(`the obligations cannot be made: ${ending.output}`);
  // What was measured of other sources helps nobody.
  rmSync(cache, { recursive: true, force: true });
  await makeFolder(cache);
  copyFileSync(path, kept);
  return path;
}

/** Tries mutants, so many at once. Law: the result is in their order. */
async function tryAll(
  mutations: readonly Mutation[],
  bench: Bench,
  { jobs, onTried }: MutationOrders,
  tell: (text: string) => void,
): Promise<readonly Tried[]> {
  const done = new Map<Mutation, Tried>();
  const waiting = [...mutations];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      tell(`${done.size}/${mutations.length} ${next.file}`);
      const tried = await tryMutant(next, bench);
      done.set(next, tried);
      onTried?.(tried, done.size, bench.sources);
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, mutations.length) }, lane));
  return mutations.flatMap((mutation) => done.get(mutation) ?? []);
}
