import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emitC } from "../../engines/compile/c/emit.ts";
import { InvariantError, present } from "../../spec/index.ts";
import type { Problem } from "../gradbench/graphs/problem.ts";
import { compiledFigures, compiledRuns } from "./compiled.ts";
import { missesOf } from "./reuse.ts";
import { counted, markdownTable } from "./tables.ts";

/**
 * Compares what is counted of a gradient's memory with what cachegrind, an independent simulator of caches,
 * sees of the same gradient as a C program, and times that here: `node bench/tapes/simulated.ts`. The
 * simulator's caches have 16 ways; what is counted is of one without. A loop's own repeated reads are not
 * counted, so the comparison is of caches that hold what one loop reads.
 */

/** These are the sizes of the caches, in bits of their addresses. */
const CACHES = [18, 20] as const;

const flags = ["-std=gnu11", "-O2", "-ftree-vectorize", "-ffp-contract=off", "-fno-math-errno"];

/** What a cache fetched in one call, by the bits of its size, and the least time of a call. */
export interface Simulated {
  readonly fetched: ReadonlyMap<number, number>;
  readonly milliseconds: number;
}

/** Tells what is missing to run this, if anything is. */
export function lackingTools(): string | undefined {
  return ["cc", "valgrind"].find((tool) => spawnSync(tool, ["--version"]).status !== 0);
}

/** Compiles a gradient as C, within a budget if there is one, and runs it in the simulator and by itself. */
export function simulated({ graph }: Problem, memory: number | undefined, calls: number): Simulated {
  const emitted = emitC(graph, memory === undefined ? {} : { memory });
  if (!emitted.ok) throw new InvariantError(emitted.error.message);
  const { source, header } = emitted.value;
  const folder = mkdtempSync(join(tmpdir(), "adjudge-cachegrind-"));
  try {
    writeFileSync(join(folder, "gradient.c"), source);
    writeFileSync(join(folder, "gradient.h"), header);
    writeFileSync(join(folder, "main.c"), mainOf(header));
    const run = (command: string, ...all: readonly string[]): string =>
      execFileSync(command, all, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    run("cc", ...flags, "main.c", "gradient.c", "-lm", "-o", "gradient");
    const fetchedIn = (bits: number, count: number): number => {
      const caches = [`--LL=${2 ** bits},16,64`, "--D1=32768,8,64", "--cache-sim=yes"];
      const { stderr } = spawnSync(
        "valgrind",
        ["--tool=cachegrind", "--cachegrind-out-file=/dev/null", ...caches, "./gradient", String(count)],
        { cwd: folder, encoding: "utf8" },
      );
      const [, misses] = /LLd misses:\s+([\d,]+)/.exec(stderr) ?? [];
      return 64 * Number(present(misses, "cachegrind's count of misses").replaceAll(",", ""));
    };
    return {
      fetched: new Map(CACHES.map((bits) => [bits, fetchedIn(bits, 1) - fetchedIn(bits, 0)])),
      milliseconds: Number(run("./gradient", String(calls))),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes a program that calls the gradient so often, and prints the least processor time of a call. */
function mainOf(header: string): string {
  const names = [...header.matchAll(/const (double|uint32_t) \*(\w+)/g)];
  const sizeOf = (name: string): number => {
    const pattern = `^ \\* ${name}: (?:double, shape \\[([\\d,]*)\\]|uint32_t, (\\d+) indices)`;
    const found = new RegExp(pattern, "m").exec(header) ?? undefined;
    const [, shape, count] = present(found, "what a header says of an argument");
    if (count !== undefined) return Number(count);
    return (shape ?? "").split(",").reduce((size, extent) => size * Number(extent || 1), 1);
  };
  const arrays = names.map(([, type = "", name = ""]) => ({ type, name, size: sizeOf(name) }));
  return `#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "gradient.h"
${arrays.map(({ type, name, size }) => `static ${type} ${name}[${size}] __attribute__((aligned(64)));`).join("\n")}
static double workspace[GRADIENT_WORKSPACE] __attribute__((aligned(64)));
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}
int main(int count, char **words) {
  unsigned state = 1;
${arrays
  .filter(({ type }) => type === "double")
  .map(
    ({ name, size }) =>
      `  for (int i = 0; i < ${size}; i++) ${name}[i] = ((state = state * 1664525u + 1013904223u) >> 8) * 0x1p-24 - 0.5;`,
  )
  .join("\n")}
  double least = 1e9;
  for (int i = 0; i < atoi(words[count - 1]); i++) {
    double start = now();
    gradient(${arrays.map(({ name }) => name).join(", ")}, workspace);
    if (now() - start < least) least = now() - start;
  }
  printf("%.3f\\n", least);
  return 0;
}
`;
}

/** Tabulates what is counted and what the simulator sees, with the time of the gradient in C. */
function simulatedTable(calls: number): string[] {
  const rows = compiledRuns.flatMap((run) =>
    [undefined, 0.5, 0.25].map((share) => {
      const problem = run.problem();
      const { arenaBytes, reuse, recomputed } = compiledFigures(problem, share, 1);
      const { fetched, milliseconds } = simulated(problem, share === undefined ? share : arenaBytes, calls);
      const cells = CACHES.flatMap((bits) => [missesOf(reuse, bits), fetched.get(bits) ?? 0].map(counted));
      const budget = share === undefined ? "none" : `1/${1 / share}`;
      return [run.name, budget, counted(recomputed), ...cells, `${milliseconds.toFixed(2)} ms`];
    }),
  );
  const caches = ["256 KiB", "seen", "1 MiB", "seen"];
  return markdownTable(["function", "budget", "again", ...caches, "C"], rows);
}

if (import.meta.main) console.log(simulatedTable(200).join("\n"));
