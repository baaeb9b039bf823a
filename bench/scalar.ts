import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Writable } from "node:stream";
import { findCompiler } from "../engines/compile/c/index.ts";
import { cScalars } from "../engines/compile/c/scalar/index.ts";
import { javascriptScalars } from "../engines/compile/javascript/scalar/index.ts";
import { type ScalarBackend, scalarPlanOf, tableOf } from "../engines/compile/plan/scalar/index.ts";
import { wasmScalars } from "../engines/compile/wasm/scalar/index.ts";
import { present } from "../spec/index.ts";
import { bytesOf, chainGraph, type FlatGraph, graphOf, wideGraph } from "./scalar_graph.ts";

/**
 * Compares scalar graphs' executors with C, interleaved in one run: `node bench/scalar.ts [rounds]`, with a C
 * compiler. It prints ns per node, the least and the median, and the greatest relative difference of
 * gradients; and the same of the planner, table included: the process's first plan, which the engine has
 * still to compile, then the least and the median of the others.
 */
const scratch = mkdtempSync(join(tmpdir(), "adjudge-scalar-"));
const source = join(import.meta.dirname, "yardstick", "scalar.c");
const builds = {
  scalar: ["-O3", "-fno-tree-vectorize"],
  vector: ["-O3", "-march=native", "-ffast-math", "-mprefer-vector-width=512"],
};

/** This is a yardstick process with a graph. */
class Yardstick {
  readonly #input: Writable;
  readonly #lines: AsyncIterator<string>;

  constructor(binary: string, graph: string) {
    const child = spawn(binary, [graph], { stdio: ["pipe", "pipe", "inherit"] });
    this.#input = child.stdin;
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  async ask(line: string): Promise<string> {
    this.#input.write(`${line}\n`);
    return (await this.#lines.next()).value;
  }

  end(): void {
    this.#input.end();
  }
}

/** A contestant is timed: the sweeps of a round took this many ns each. */
interface Contestant {
  readonly name: string;
  round(times: number): Promise<readonly number[]>;
  gradient(): Promise<Float64Array>;
}

function contestantOf(backend: ScalarBackend, flat: FlatGraph, schedule: "runs" | "steps"): Contestant {
  const table = present(tableOf(graphOf(flat)), "table");
  const output = table.codes.length - 1;
  const plan = scalarPlanOf(table, {
    regime: "fast",
    output,
    shortestRun: schedule === "runs" ? 0 : Infinity,
  });
  const executable = backend.build(plan, "float64", "fast");
  const none = new Float64Array(0);
  return {
    name: `${backend.name} ${schedule}`,
    async round(times) {
      return Array.from({ length: times }, () => {
        const begin = process.hrtime.bigint();
        executable.gradient(flat.point, none, 1);
        return Number(process.hrtime.bigint() - begin);
      });
    },
    gradient: async () => Float64Array.from(executable.gradient(flat.point, none, 1)),
  };
}

function yardstickOf(
  name: keyof typeof builds,
  path: string,
  schedule: "runs" | "steps",
): Contestant & { end(): void } {
  const yardstick = new Yardstick(join(scratch, name), path);
  return {
    name: `C ${name} ${schedule}`,
    async round(times) {
      return (await yardstick.ask(`${schedule} ${times}`)).split(" ").slice(0, 2).map(Number);
    },
    async gradient() {
      const file = join(scratch, `gradient ${name} ${schedule}`);
      await yardstick.ask(`gradient ${file}`);
      return new Float64Array(Uint8Array.from(readFileSync(file)).buffer);
    },
    end: () => yardstick.end(),
  };
}

async function compare(
  title: string,
  flat: FlatGraph,
  schedules: readonly ("runs" | "steps")[],
  backends: readonly ScalarBackend[],
  rounds: number,
): Promise<void> {
  const path = join(scratch, "graph");
  writeFileSync(path, bytesOf(flat));
  const nodes = flat.codes.length;
  const times = Math.max(3, Math.round(2e6 / nodes));
  const yards = schedules.flatMap((schedule) =>
    (["scalar", "vector"] as const).map((name) => yardstickOf(name, path, schedule)),
  );
  const contestants = [
    ...yards,
    ...backends.flatMap((backend) => schedules.map((schedule) => contestantOf(backend, flat, schedule))),
  ];
  const samples = contestants.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [n, contestant] of contestants.entries()) samples[n]?.push(...(await contestant.round(times)));
  }
  const gradients = await Promise.all(contestants.map((contestant) => contestant.gradient()));
  console.log(`${title}, ${nodes} nodes`);
  for (const [n, { name }] of contestants.entries()) {
    const sorted = (samples[n] ?? []).toSorted((a, b) => a - b);
    const [least = 0, median = 0] = [sorted[0], sorted[sorted.length >> 1]].map((ns) => (ns ?? 0) / nodes);
    console.log(
      `  ${name.padEnd(24)} ${least.toFixed(2).padStart(7)} ${median.toFixed(2).padStart(7)} ns   ${differenceOf(gradients[n], gradients[0]).toExponential(1)}`,
    );
  }
  for (const yard of yards) yard.end();
}

/** Prints how long plans take. */
function planning(title: string, flat: FlatGraph, rounds: number): void {
  const graph = graphOf(flat);
  const nodes = flat.codes.length;
  const [first = 0, ...others] = Array.from({ length: 1 + 3 * rounds }, () => {
    const begin = process.hrtime.bigint();
    const table = present(tableOf(graph), "table");
    const output = table.codes.length - 1;
    scalarPlanOf(table, { regime: "fast", output, shortestRun: javascriptScalars.shortestRun });
    return Number(process.hrtime.bigint() - begin) / nodes;
  });
  const sorted = others.toSorted((a, b) => a - b);
  const times = [first, sorted[0] ?? 0, sorted[sorted.length >> 1] ?? 0];
  console.log(`plan of ${title}, ${nodes} nodes: ${times.map((ns) => ns.toFixed(0)).join(", ")} ns`);
}

function differenceOf(
  actual: Float64Array = new Float64Array(0),
  expected: Float64Array = new Float64Array(0),
): number {
  const scale = expected.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  return expected.reduce((most, x, n) => Math.max(most, Math.abs(x - (actual[n] ?? Number.NaN))), 0) / scale;
}

for (const [name, flags] of Object.entries(builds)) {
  execFileSync("cc", [...flags, source, "-o", join(scratch, name), "-lm"]);
}
const rounds = Number(process.argv[2] ?? 7);
const compiler = findCompiler();
if (compiler === undefined) throw new Error('there is no C compiler: "cc", or what CC names.');
const backends = [javascriptScalars, wasmScalars(), cScalars(compiler)];
for (const nodes of [1e5, 1e6]) planning("wide", wideGraph(nodes, 7), rounds);
for (const nodes of [1e3, 1e4, 1e5, 1e6])
  await compare("wide", wideGraph(nodes, 7), ["runs"], backends, rounds);
for (const nodes of [1e3, 1e4, 1e5, 1e6])
  await compare("chain", chainGraph(nodes, 7), ["steps"], backends, rounds);
rmSync(scratch, { recursive: true });
