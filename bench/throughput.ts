import { availableParallelism, cpus } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { startCommand } from "../conformance/index.ts";
import { type Engine, interpreterEngine } from "../engines/index.ts";
import { campaignOn, caseAt, scalar20Profile } from "../oracle/index.ts";

/** Each figure is taken so often, after one run that is not counted. */
const RUNS = 5;

/** A figure is printed against this goal, in cases per second. */
interface Figure {
  readonly name: string;
  readonly goal: number | undefined;
  /** Runs the first `cases` cases and returns how many were judged to agree. */
  run(cases: number): Promise<number>;
  readonly cases: number;
}

/** Judges the first cases of the scalar campaign in every mode; all must be decided, none may disagree. */
async function judged(engine: Engine, cases: number): Promise<number> {
  let agreeing = 0;
  const options = { profile: scalar20Profile, seed: 1, cases, dtype: "float64", lawsEvery: 0 } as const;
  for await (const { index, verdict } of campaignOn(engine, options)) {
    if (verdict.kind === "agrees") agreeing += 1;
    else if (verdict.kind !== "undecided") throw new Error(`case ${index}: ${verdict.kind}`);
  }
  return agreeing;
}

async function throughPipe(): Promise<Engine> {
  const testee = fileURLToPath(new URL("../conformance/testees/interpreter.ts", import.meta.url));
  const started = await startCommand({ argv: [process.execPath, testee] }, {});
  if (started.kind !== "started") throw new Error("the interpreter's testee did not start");
  return started.engine;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function measure({ name, goal, run, cases }: Figure): Promise<void> {
  await run(cases);
  const rates: number[] = [];
  for (let count = 0; count < RUNS; count++) {
    const start = performance.now();
    await run(cases);
    rates.push((cases / (performance.now() - start)) * 1000);
  }
  const against = goal === undefined ? "" : `   goal ${goal}`;
  console.log(`${name.padEnd(52)} ${median(rates).toFixed(0).padStart(8)} cases/s${against}`);
}

await using piped = await throughPipe();
const figures: readonly Figure[] = [
  {
    name: "scalar cases of 20 nodes drawn",
    goal: undefined,
    cases: 10_000,
    run: async (cases) => {
      for (let index = 0; index < cases; index++) caseAt(scalar20Profile, 1, index);
      return cases;
    },
  },
  {
    name: "drawn and judged, interpreter in this process",
    goal: 1500,
    cases: 3000,
    run: (cases) => judged(interpreterEngine(), cases),
  },
  {
    name: "drawn and judged, interpreter through the pipe",
    goal: 400,
    cases: 1000,
    run: (cases) => judged(piped, cases),
  },
];

console.log(
  `${cpus()[0]?.model ?? "unknown processor"}, ${availableParallelism()} cores, Node ${process.version}`,
);
console.log(`one core, all four modes, float64; median of ${RUNS} runs after a warm-up`);
for (const figure of figures) await measure(figure);
