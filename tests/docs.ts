import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { ANSWERS } from "../cli/commands/prove_places.ts";
import { cataloguePage } from "../conformance/corpus/corpus_page.ts";
import { writeVectors } from "../conformance/corpus/vectors_json.ts";
import { checkReport, formatterOf, programVectors, suiteVectors, tapeVectors } from "../conformance/index.ts";
import { buildPlayground } from "../playground/build.ts";
import { cacheFolder } from "../spec/cache_folder.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A document that is built and not kept in git: a log of a run, or a table longer than anybody reads. */
export interface Built {
  /** Its path in the folder of what is built. */
  readonly path: string;
  readonly what: string;
  /** Makes it at a path. Throws where it cannot be made. */
  readonly make: (path: string) => void | Promise<void>;
}

/** The engines that npm installs, by the names that the command line has for them. */
const npmEngines: readonly string[] = ["interpreter", "javascript", "wasm", "tfjs", "jaxjs"];

/** `npm run docs -- NAME` builds the document of this name. The slowest come last. */
export const builtDocuments: Readonly<Record<string, Built>> = {
  catalogue: {
    path: "catalogue.md",
    what: "each defect of the catalogue, and the vectors that show it",
    make: async (path) => writeFile(path, cataloguePage(shownDefects())),
  },
  vectors: {
    path: "vectors",
    what: "every vector of the suites as JSON, for readers in other languages",
    make: writeVectors,
  },
  playground: {
    path: "playground.html",
    what: "a page on which one writes a graph, and sees its gradient with bounds",
    make: buildPlayground,
  },
  bundled: {
    path: "bundled.html",
    what: "the page of the engines that npm installs, of 100 cases in each precision",
    make: (path) => judgedPage(path, 100),
  },
  theorems: {
    path: "theorems.txt",
    what: "every theorem of the Lean library, with its type",
    make: (path) => printed(path, "lean-export/run/main.ts", "--theorems", "all"),
  },
  unseen: {
    path: "unseen.md",
    what: "the faults that nothing was tuned to: where search and suite find each",
    make: (path) => printed(path, "strength/power/main.ts", "--unseen"),
  },
  compiled: {
    path: "compiled.md",
    what: "the reported faults of torch.compile: what is planted, and what tells each",
    make: (path) => printed(path, "strength/compiled/main.ts"),
  },
  tapes: {
    path: "tapes.md",
    what: "the tape systems on runs that grow, and what caches fetch of them",
    make: (path) => printed(path, "bench/main.ts", "--tapes", "--print"),
  },
  bench: {
    path: "bench.json",
    what: "the engines beside their peers and C, every time that was taken",
    make: () => void ran("bench/main.ts", "--print"),
  },
  obligations: {
    path: "obligations",
    what: "what was found out about each obligation, a page for each family",
    make: obligationTables,
  },
  strength: {
    path: "strength.md",
    what: "the kill matrix: a row for each planted fault, with its witness",
    make: () => void ran("strength/power/main.ts"),
  },
};

/** Returns the defects that each vector shows, by its name. */
function shownDefects(): ReadonlyMap<string, readonly string[]> {
  const all = [...suiteVectors(), ...programVectors(), ...tapeVectors()];
  return new Map(all.map(([path, { defects }]) => [path, defects]));
}

/** Runs a script of the project, and returns what it printed. Throws where it fails. */
function ran(script: string, ...options: readonly string[]): string {
  const { status, stdout } = spawnSync(process.execPath, [join(root, script), ...options], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  // Some engines disagree: that is what a page is about.
  if (status === 0 || (status === 1 && options.includes("--report"))) return stdout;
  throw new Error(`${script} ended with ${status}`);
}

function printed(path: string, script: string, ...options: readonly string[]): Promise<void> {
  return writeFile(path, ran(script, ...options));
}

/** Asks engines so many cases each. The versions of adjudge and of the engines decide the page. */
export async function judgedPage(
  path: string,
  cases: number,
  engines: readonly string[] = npmEngines,
): Promise<void> {
  const asked = engines.flatMap((name) => ["-e", name]);
  const file = `${path}.json`;
  ran("cli/adjudge.ts", "judge", ...asked, "-n", `${cases}`, "--seconds", "0", "--report", file);
  const report = checkReport(JSON.parse(await readFile(file, "utf8")));
  await rm(file);
  if (!report.ok) throw new Error(`${file}: ${report.error[0]?.message}`);
  // What is built is the same on each day and machine.
  const { invocation: _, ...told } = report.value;
  await writeFile(path, (await formatterOf("html"))(told));
}

/** Asks for every obligation whose answer is not known from an earlier run. */
async function obligationTables(path: string): Promise<void> {
  // Solvers and obligations are most of what this script would load, and no other document needs them.
  const { allObligations, answersIn, cvc5, familyPages, runObligations, z3 } = await import(
    "../oracle/obligations/index.ts"
  );
  const answers = await answersIn(join(cacheFolder(), ANSWERS));
  const other = await cvc5();
  await using second = other === undefined ? undefined : answers.solver(other, "all");
  const entries = await runObligations({
    obligations: await allObligations(),
    isAll: true,
    makeSolver: () => answers.solver(z3()),
    lanes: 4,
    seeds: 1,
    timeout: undefined,
    second,
    onEntry: () => {},
  });
  await answers.save();
  await mkdir(path, { recursive: true });
  for (const [name, text] of familyPages(entries)) await writeFile(join(path, name), text);
}

/** Builds documents into a folder, with an `index.md` of all. Returns what could not be built, and why. */
export async function buildDocuments(
  names: readonly string[],
  folder: string,
  documents: Readonly<Record<string, Built>> = builtDocuments,
): Promise<ReadonlyMap<string, string>> {
  const failed = new Map<string, string>();
  await mkdir(folder, { recursive: true });
  for (const name of names) {
    try {
      const { path, make } = documents[name] ?? unknownDocument(Object.keys(documents));
      await make(join(folder, path));
    } catch (error) {
      failed.set(name, error instanceof Error ? error.message : String(error));
    }
  }
  await writeFile(join(folder, "index.md"), indexOf(folder, documents));
  return failed;
}

function unknownDocument(known: readonly string[]): never {
  throw new Error(`there is no such document; there are ${known.join(", ")}`);
}

/** Writes the page that lists what can be built: a link where it is there, the command where it is not. */
function indexOf(folder: string, documents: Readonly<Record<string, Built>>): string {
  const rows = Object.entries(documents).map(([name, { path, what }]) => {
    const isThere = existsSync(join(folder, path));
    return `| ${isThere ? `[${path}](${path})` : `${path}: not built`} | ${what} | \`npm run docs -- ${name}\` |`;
  });
  return ["# What is built and not kept in git", "", "| | | |", "| --- | --- | --- |", ...rows, ""].join(
    "\n",
  );
}

if (import.meta.main) {
  const asked = process.argv.slice(2);
  const folder = join(root, "docs", "built");
  const failed = await buildDocuments(asked.length === 0 ? Object.keys(builtDocuments) : asked, folder);
  for (const [name, why] of failed) console.error(`${name} was not built: ${why}`);
  console.log(`${join(folder, "index.md")} lists what is there.`);
  process.exitCode = failed.size === 0 ? 0 : 1;
}
