/**
 * Measures where the judge's time goes: `node bench/judge_time.ts [PROFILE …] [--functions N]`. Every profile
 * judges its first cases of seed 1 with the interpreter in this process, laws on, after as many others that
 * warm it up, while V8's profiler takes samples. A sample counts for a stage by the rooms on its stack; the
 * rest of the table is processor seconds. `--functions N` lists beside it the N functions with the most time.
 */
import { execFileSync } from "node:child_process";
import { Session } from "node:inspector/promises";
import { availableParallelism, cpus } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { interpreterEngine, mutants } from "../engines/index.ts";
import {
  campaignOn,
  compositeProfile,
  type Drawing,
  floatPrograms,
  mix,
  programsOn,
  scalar20Profile,
  tensorProfile,
} from "../oracle/index.ts";
import { type Summary, stages, summarize } from "./judge_stages.ts";

/** A row of the table judges `count` questions from the one at `first` on. */
interface Row {
  readonly name: string;
  readonly count: number;
  judge(first: number, count: number): Promise<void>;
}

const SEED = 1;
const dtype = "float64";

/** This row has an engine with one wrong rule, whose findings are made smaller and blamed. */
const WRONG = "scalar20, a wrong engine";
const FAULT = "tanh_slope_at_operand";

const drawn = (name: string, profile: Drawing, count: number, engine = interpreterEngine()): Row => ({
  name,
  count,
  async judge(first, cases) {
    for await (const { index, verdict } of campaignOn(engine, { profile, seed: SEED, cases, first, dtype })) {
      const isRight = verdict.kind === "agrees" || verdict.kind === "undecided";
      if (!isRight && name !== WRONG) throw new Error(`${name}, case ${index}: ${verdict.kind}`);
    }
  },
});

const programs: Row = {
  name: "programs",
  count: 600,
  async judge(first, count) {
    const options = { seed: SEED, programs: count, first, dtype, profile: floatPrograms } as const;
    for await (const { index, verdict } of programsOn(interpreterEngine(), options)) {
      if (verdict.kind === "disagrees" || verdict.kind === "crashed")
        throw new Error(`programs, program ${index}: ${verdict.kind}`);
    }
  },
};

const wrong = mutants.find(({ name }) => name === FAULT);
if (wrong === undefined) throw new Error(`there is no mutant ${FAULT}`);

const rows: readonly Row[] = [
  drawn("scalar20", scalar20Profile, 3000),
  drawn("mix", mix, 600),
  drawn("tensor", tensorProfile, 1000),
  drawn("composite", compositeProfile, 400),
  programs,
  drawn(WRONG, scalar20Profile, 500, wrong.engine()),
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { functions: { type: "string", default: "0" } },
});

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.setSamplingInterval", { interval: 200 });

function secondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** Measures a row: processor seconds without the profiler, then the samples of a second run. */
async function measured({ count, judge }: Row): Promise<{ seconds: number; summary: Summary }> {
  await judge(count, count);
  const before = process.cpuUsage();
  await judge(0, count);
  const seconds = secondsSince(before);
  await session.post("Profiler.start");
  await judge(0, count);
  const { profile } = await session.post("Profiler.stop");
  return { seconds, summary: summarize(profile) };
}

function percents({ stages: spent }: Summary): readonly string[] {
  const all = stages.reduce((sum, stage) => sum + (spent.get(stage) ?? 0), 0);
  return stages.map((stage) => `${(((spent.get(stage) ?? 0) / all) * 100).toFixed(0)} %`);
}

/** All samples are of this place. */
const ROOT = ":(root)";

function list(title: string, times: ReadonlyMap<string, number>, all: number, count: number): void {
  console.log(title);
  for (const [place, time] of [...times].toSorted(([, a], [, b]) => b - a).slice(0, count))
    console.log(`${((time / all) * 100).toFixed(1).padStart(6)}  ${place.replace(root, "")}`);
}

const root = new URL("..", import.meta.url).href;
const unknown = positionals.find((asked) => rows.every(({ name }) => name !== asked));
if (unknown !== undefined)
  throw new Error(
    `there is no profile ${unknown}: name one of ${rows.map(({ name }) => `"${name}"`).join(", ")}`,
  );
const chosen = rows.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const functions = Number(values.functions);

console.log(`${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}`);
console.log(`| profile | cases a second | ${stages.join(" | ")} |`);
console.log(`|---|---:|${stages.map(() => "---:").join("|")}|`);
for (const row of chosen) {
  const { seconds, summary } = await measured(row);
  const shares = percents(summary).join(" | ");
  console.log(`| ${row.name} | ${(row.count / seconds).toFixed(0)} | ${shares} |`);
  if (functions > 0) {
    const all = summary.total.get(ROOT) ?? 0;
    list("with what they call", summary.total, all, functions);
    list("themselves", summary.own, all, functions);
  }
}

/** Measures the processor seconds of a process that loads the judge and an engine, and judges nothing. */
function loading(): number {
  const script = `
    await import(${JSON.stringify(`${root}oracle/index.ts`)});
    await import(${JSON.stringify(`${root}engines/index.ts`)});
    const { user, system } = process.cpuUsage();
    console.log((user + system) / 1e6);`;
  const argv = ["--input-type=module", "--eval", script];
  return Number(execFileSync(process.execPath, argv, { cwd: fileURLToPath(root), encoding: "utf8" }));
}

console.log(`start: ${loading().toFixed(2)} s of the processor to load the judge, from its source`);
