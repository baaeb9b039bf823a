/**
 * Counts how often the judge names the operator that a fault was planted at, and the statement of a program
 * that an engine runs wrongly: `node strength/blame/main.ts [cases] [seed]`, by default 100 cases of seed 1,
 * for every mutant of one operator, for faults of pairs, for every mutant of programs, and for PyTorch if it
 * is installed.
 * Prints each that it misses, and fails where fewer are named than should be.
 */
import process from "node:process";
import { chooseEngines } from "../../conformance/testees/index.ts";
import { programMutants } from "../../engines/index.ts";
import { formatIssue } from "../../spec/index.ts";
import { LEAST_SHARE, type Named, namedMutants, namedPairs } from "./named.ts";
import {
  LEAST_SHARE_OF_PROGRAMS,
  type NamedStatement,
  namedProgramMutants,
  namedSelfUpdates,
} from "./programs.ts";

const [cases, seed] = [Number(process.argv[2] ?? 100), Number(process.argv[3] ?? 1)];
const indexes = Array.from({ length: cases }, (_, index) => index);

/** A fault was planted, and something was named. */
interface Told {
  readonly fault: string;
  readonly index: number;
  readonly isRight: boolean;
  readonly named: string;
}

async function counted(what: string, least: number, all: AsyncIterable<Told>): Promise<void> {
  let [told, right] = [0, 0];
  for await (const { fault, index, isRight, named } of all) {
    told += 1;
    if (isRight) right += 1;
    else console.log(`${fault}, case ${index}: ${named}`);
  }
  console.log(`${what}: ${right} of ${told} named`);
  if (right < least * told) process.exitCode = 1;
}

async function* operators(all: AsyncIterable<Named>): AsyncGenerator<Told> {
  for await (const { fault, index, planted, blamed, sentence } of all)
    yield {
      fault,
      index,
      isRight: blamed === planted,
      named: `${blamed ?? "no operator"} for ${planted}: ${sentence}`,
    };
}

async function* statements(all: AsyncIterable<NamedStatement>): AsyncGenerator<Told> {
  let [told, chance] = [0, 0];
  for await (const found of all) {
    told += 1;
    chance += found.chance;
    yield { ...found, named: `${found.statement?.do ?? "no statement"}: ${found.sentence}` };
  }
  console.log(`${((100 * chance) / told).toFixed(0)} % of the statements there would be right`);
}

async function* pairs(): AsyncGenerator<Named> {
  for (const index of indexes) yield* namedPairs(seed, index);
}

await counted("pairs", LEAST_SHARE, operators(pairs()));
await counted("mutants", LEAST_SHARE, operators(namedMutants(seed, indexes)));

const asked = { seed, first: 0, end: 10 * cases, each: 2 };
const names = programMutants.map(({ name }) => name);
await counted("mutants of programs", LEAST_SHARE_OF_PROGRAMS, statements(namedProgramMutants(names, asked)));

const choices = chooseEngines(["pytorch"]);
for (const choice of choices.ok ? choices.value : []) {
  const started = await choice.start({});
  if (started.kind !== "started") {
    const why = started.kind === "missing" ? started.reason : started.issues.map(formatIssue).join("; ");
    console.log(`PyTorch's updates of locations by themselves were not asked: ${why}`);
    continue;
  }
  await using engine = started.engine;
  const few = { ...asked, each: 40 };
  await counted("PyTorch's updates", LEAST_SHARE_OF_PROGRAMS, statements(namedSelfUpdates(engine, few)));
}
