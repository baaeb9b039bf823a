import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Tests } from "./beside.ts";
import { FAILED, MAKING } from "./families.ts";
import { type Mutation, mutated } from "./mutators.ts";
import { type Ending, type Limits, runNode } from "./processes.ts";
import { type RoomName, roomOf } from "./rooms.ts";
import { familiesAt, familiesOf, type Spoken } from "./spoken.ts";
import type { TypeChecker } from "./types.ts";

/** Who a mutant can die by, in the order in which they are asked. */
export const killerNames = ["types", "tests", "obligations", "judge", "other tests"] as const;

export type KillerName = (typeof killerNames)[number];

/** A mutant was tried so. */
export interface Tried {
  readonly mutation: Mutation;
  readonly room: RoomName;
  /** Code that runs while the obligations are made is spoken of. */
  readonly isSpoken: boolean;
  /** Who it died by, each with what was said; of what dies by types nothing else is asked. */
  readonly deaths: Readonly<Partial<Record<KillerName, string>>>;
}

/** All that is needed to try a mutant. */
export interface Bench {
  readonly root: string;
  /** Mutants' texts and results lie in this folder, which is none of the project. */
  readonly folder: string;
  readonly seed: string;
  readonly sources: ReadonlyMap<string, string>;
  readonly types: TypeChecker;
  readonly tests: Tests;
  readonly spoken: Spoken;
  readonly spokenPath: string;
  /** What right code does with the same words. */
  readonly usual: Map<string, Promise<Ending>>;
  /** Without these the judge and the tests that lie farther away are not asked. */
  readonly isThorough: boolean;
}

/** So many of the tests beside a file are asked first, and so many others of what survives all else. */
const NEAREST = 2;
const OTHERS = 12;

/** What is said of a mutant that its limits ended. */
const NO_END = "it comes to no end";

const limits: Limits = { processor: 25, clock: 1800 };

/** Goals that a mutant has changed are new questions, some of which take long. */
const questionLimits: Limits = { processor: 90, clock: 1800 };

const own = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/**
 * Tries a mutant: the cheapest killer first. One in code that is spoken of is shown to the obligations too.
 */
export async function tryMutant(mutation: Mutation, bench: Bench): Promise<Tried> {
  const { file, start } = mutation;
  const text = mutated(bench.sources.get(file) ?? "", mutation);
  const room = roomOf(file);
  if (room === undefined) throw new Error(`${file} is in no room`);
  const spoken = familiesAt(bench.spoken, file, start);
  const tried = { mutation, room, isSpoken: spoken.length > 0 };
  const wrong = bench.types.errorIn(file, text);
  if (wrong !== undefined) return { ...tried, deaths: { types: wrong } };
  const deaths: Partial<Record<KillerName, string>> = {};
  const served = serve(mutation, text, bench);
  const note = (killer: KillerName, said: string | undefined): void => {
    if (said !== undefined) deaths[killer] = said;
  };
  const beside = bench.tests.beside(file);
  note("tests", await byTests(beside.slice(0, NEAREST), served, bench));
  if (deaths.tests === undefined) note("tests", await byTests(beside.slice(NEAREST), served, bench));
  const families = spoken.length > 0 ? spoken : familiesOf(bench.spoken, file);
  if (families.length > 0 && (spoken.length > 0 || deaths.tests === undefined))
    note("obligations", await byObligations(families, served, bench));
  if (Object.keys(deaths).length > 0 || !bench.isThorough) return { ...tried, deaths };
  note("judge", await byJudge(room, served, bench));
  if (deaths.judge === undefined)
    note("other tests", await byTests(bench.tests.others(file).slice(0, OTHERS), served, bench));
  return { ...tried, deaths };
}

type Environment = Readonly<Record<string, string>>;

/** Writes a mutant's text where its processes find it, and returns their environment. */
function serve({ file, start, end, after }: Mutation, text: string, bench: Bench): Environment {
  const name = `${file.replaceAll("/", "_")}-${start}-${end}-${Buffer.from(after).toString("hex").slice(0, 16)}`;
  const path = join(bench.folder, name);
  writeFileSync(path, text);
  return {
    ADJUDGE_MUTATED_FILE: pathToFileURL(join(bench.root, file)).href,
    ADJUDGE_MUTATED_TEXT: path,
    ADJUDGE_TEST_SEED: bench.seed,
    ADJUDGE_CACHE: join(bench.folder, "cache"),
    NODE_COMPILE_CACHE: join(bench.folder, "compiled"),
    NODE_OPTIONS: `--import ${new URL("serve.ts", import.meta.url).href}`,
    NO_COLOR: "1",
  };
}

function run(
  words: readonly string[],
  environment: Environment,
  { root }: Bench,
  within: Limits = limits,
): Promise<Ending> {
  return runNode(words, within, { cwd: root, environment });
}

/** Runs the same with the right code, once: what that does is no death of a mutant. */
function usual(words: readonly string[], served: Environment, bench: Bench): Promise<Ending> {
  const { ADJUDGE_MUTATED_FILE: _file, ...right } = served;
  const key = words.join(" ");
  const known = bench.usual.get(key) ?? run(words, right, bench);
  bench.usual.set(key, known);
  return known;
}

/** Says whether the limits ended a process. */
const isEndless = ({ isLate, code, output }: Ending): boolean =>
  isLate || code === undefined || /Worker (?:exited|forks emitted error)/.test(output);

/**
 * Runs tests until one fails. A mutant that comes to no end, as the right code does, has died by them too.
 */
async function byTests(
  tests: readonly string[],
  served: Environment,
  bench: Bench,
): Promise<string | undefined> {
  if (tests.length === 0) return undefined;
  const vitest = join(bench.root, "node_modules", "vitest", "vitest.mjs");
  const words = [
    vitest,
    "run",
    "--bail",
    "1",
    "--maxWorkers",
    "1",
    "--no-cache",
    "--reporter",
    "dot",
    ...tests,
  ];
  const ending = await run(words, served, bench);
  if (ending.code === 0) return undefined;
  if (isEndless(ending)) return (await usual(words, served, bench)).code === 0 ? NO_END : undefined;
  if (/No test files found/.test(ending.output)) throw new Error(`vitest finds no tests: ${ending.output}`);
  return /^\s*FAIL\s+(.*)$/m.exec(ending.output)?.[1] ?? told(ending);
}

/** What cannot be made has died by its obligations; questions that take too long tell nothing. */
async function byObligations(
  families: readonly string[],
  served: Environment,
  bench: Bench,
): Promise<string | undefined> {
  const words = [own("ask_obligations.ts"), bench.spokenPath, families.join(",")];
  const ending = await run(words, served, bench, questionLimits);
  const lines = ending.output.split("\n");
  const failed = lines.find((line) => line.startsWith(FAILED));
  if (failed !== undefined) return failed.slice(FAILED.length);
  const isMaking = lines.findLast((line) => line !== "")?.startsWith(MAKING) === true;
  if (isEndless(ending)) return isMaking ? NO_END : undefined;
  return ending.code === 0 ? undefined : `crash: ${told(ending)}`;
}

/** What the judge is asked: random graphs, programs and tapes, vectors, and engines that are wrong. */
function questions(room: RoomName, seed: string): readonly (readonly string[])[] {
  const cli = fileURLToPath(new URL("../../cli/adjudge.ts", import.meta.url));
  const judge = (engines: readonly string[], ...words: readonly string[]): readonly string[] => [
    cli,
    "judge",
    ...engines.flatMap((engine) => ["-e", engine]),
    "--seed",
    seed,
    ...words,
  ];
  const vectors = ["algebra", "broadcasting", "indexing", "matrices", "reductions", "networks", "functions"];
  const suite = vectors.map((name) => `conformance/suites/${name}.adj`);
  const compiled = ["javascript", "wasm"];
  const random = ["-d", "float64", "-n", "25"];
  const tapes = ["tape:pruned", "tape:static", "tape:checkpointed", "tape:fused", "tape:derived"];
  const ofTapes = judge(tapes, "--kind", "tapes", "-n", "12");
  switch (room) {
    case "reference":
      return [
        judge(["interpreter"], ...random),
        judge(["interpreter"], "--kind", "programs", "-n", "25"),
        ofTapes,
        judge(["interpreter"], ...suite),
      ];
    case "spec/derivatives":
      return [ofTapes, judge(["tape:derived", "tape:transposed"], ...random)];
    case "engines/plan":
    case "emitters":
      return [judge(compiled, ...random), judge(compiled, "-d", "float64", ...suite)];
    case "numerics":
      return [
        judge(["posit", "posit-quire"], "-n", "12"),
        judge(["tape:compressed-sym8", "tape:compressed-posit16"], "--kind", "tapes", "-n", "12"),
      ];
    case "oracle/truth":
      return [
        [own("ask_planted.ts"), seed],
        judge(["interpreter"], ...random),
        judge(["interpreter"], ...suite),
      ];
  }
}

/** Asks the judge. A right engine may be asked too little to agree, so it is another exit code that tells. */
async function byJudge(room: RoomName, served: Environment, bench: Bench): Promise<string | undefined> {
  for (const words of questions(room, bench.seed)) {
    const right = await usual(words, served, bench);
    const ending = await run(words, served, bench);
    if (isEndless(ending) && !isEndless(right)) return NO_END;
    if (ending.code !== right.code) return `${words.slice(1, 8).join(" ")}: ${told(ending)}`;
  }
  return undefined;
}

/** The first line that a process said of what went wrong. */
function told({ code, output }: Ending): string {
  const lines = output.split("\n").map((line) => line.trim());
  const line = lines.find((one) => /Error|✗|disagree/.test(one)) ?? lines.findLast((one) => one !== "");
  return `exit code ${code}: ${line ?? ""}`.slice(0, 200);
}
