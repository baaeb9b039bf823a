/**
 * Compares engines and peers in one run: `npm run bench`. Options: `--quick` for few and short rounds,
 * `--only gmm,mlp` for some workloads, `--with rose,interpreter` for some contestants, `--mode gradient` for
 * one mode, `--write` to write docs/built/bench.json and docs/performance.svg whatever was left out;
 * `--posits` for posits alone; `--tapes` for the tape systems alone, whose figures go into docs/tapes.md and
 * its drawings, unless `--quick` asks for small runs (`--only` then names parts, such as chain);
 * `--forward-gradients` for docs/forward-gradients.md; `--print` to measure and leave the pages as they are.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import type { Mode } from "./contestants/contestant.ts";
import { ours } from "./contestants/table.ts";
import { chartOf } from "./harness/chart.ts";
import { allEntrants } from "./harness/entrants.ts";
import { importTimes } from "./harness/import_time.ts";
import { type Effort, measure } from "./harness/measure.ts";
import { formatImports, formatSection, type Section } from "./harness/report.ts";
import { benchPosits } from "./posits.ts";
import { workloads } from "./workloads/workload.ts";

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    only: { type: "string" },
    with: { type: "string" },
    mode: { type: "string" },
    posits: { type: "boolean", default: false },
    tapes: { type: "boolean", default: false },
    print: { type: "boolean", default: false },
    "forward-gradients": { type: "boolean", default: false },
  },
});

if (options.posits) {
  benchPosits(options.quick);
  process.exit();
}

if (options["forward-gradients"]) {
  const { benchForwardGradients } = await import("./forward_gradients/run.ts");
  benchForwardGradients(options.write || !options.quick);
  process.exit();
}

const effort: Effort = options.quick ? { rounds: 3, slice: 20 } : { rounds: 15, slice: 100 };
const isAsked = (list: string | undefined, name: string): boolean =>
  list === undefined || list.split(",").includes(name);
const progress = (message: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${message}`);
};

if (options.tapes) {
  const { benchTapes, tapeEfforts } = await import("./tapes/run.ts");
  await benchTapes(
    options.quick ? tapeEfforts.quick : tapeEfforts.whole,
    (part) => isAsked(options.only, part),
    options.write || !(options.quick || options.print),
    progress,
  );
  process.exit();
}

const scratch = mkdtempSync(join(tmpdir(), "adjudge-bench-"));
const entrants = (await allEntrants(scratch)).filter(({ name }) => isAsked(options.with, name));
const machine = `${cpus()[0]?.model ?? "unknown processor"}, ${availableParallelism()} cores, Node ${process.version}`;
console.log(`${machine}; ${effort.rounds} rounds`);
for (const { name, style } of entrants) console.log(`  ${name}: ${style}`);

const sections: Section[] = [];
for (const [workload, asked] of Object.entries(workloads)) {
  if (!isAsked(options.only, workload)) continue;
  for (const mode of ["value", "gradient"] as const satisfies readonly Mode[]) {
    if (!isAsked(options.mode, mode)) continue;
    const outcomes = await measure(asked, mode, entrants, effort, scratch, (message) =>
      progress(`${workload}, ${mode}: ${message}`),
    );
    sections.push({ workload, mode, outcomes });
    progress("");
    console.log(`\n${formatSection({ workload, mode, outcomes })}`);
  }
}

const modules = [...new Set(entrants.flatMap(({ module }) => (module === undefined ? [] : [module])))];
const imports = importTimes(modules, options.quick ? 3 : 21, (message) => console.log(message));
console.log(`\n${formatImports(imports)}`);

const isWhole = options.only === undefined && options.with === undefined && options.mode === undefined;
if (options.write || (isWhole && !options.quick)) {
  const styles = Object.fromEntries(entrants.map(({ name, style }) => [name, style]));
  const results = { machine, date: new Date().toISOString(), effort, styles, workloads, sections, imports };
  const docs = join(import.meta.dirname, "..", "docs");
  mkdirSync(join(docs, "built"), { recursive: true });
  writeFileSync(join(docs, "built", "bench.json"), `${JSON.stringify(results, undefined, 1)}\n`);
  const chart = chartOf(sections, (name) => ours.includes(name));
  writeFileSync(join(docs, options.print ? "built" : "", "performance.svg"), chart);
}
rmSync(scratch, { recursive: true });
