import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bytesOf } from "../scalar_graph.ts";
import { scalarsOf } from "../workloads/scalars.ts";
import type { Workload } from "../workloads/workload.ts";
import type { Entrant, Missing, Running, Task } from "./entrant.ts";
import { LineProcess } from "./line_process.ts";

/** Yardsticks are built as `scalar` C without vector instructions, or as `vector` C with the machine's. */
interface Build {
  readonly name: string;
  readonly style: string;
  readonly flags: readonly string[];
  readonly libraries: readonly string[];
}

const plain: Build = {
  name: "C scalar",
  style: "by hand, gradient too; -O3 -march=native without vectorisation",
  flags: ["-O3", "-march=native", "-fno-tree-vectorize"],
  libraries: ["-lm"],
};
const vector: Build = {
  name: "C vector",
  style: "the same source; -O3 -march=native -ffast-math with 512-bit vectors and libmvec",
  flags: ["-O3", "-march=native", "-ffast-math", "-fopenmp-simd", "-mprefer-vector-width=512"],
  libraries: ["-lmvec", "-lm"],
};
const blas: Build = {
  name: "C OpenBLAS",
  style: "matrix products by OpenBLAS on one thread",
  flags: [...vector.flags, "-DWITH_BLAS"],
  libraries: ["-lopenblas", "-lmvec", "-lm"],
};

/** The C files are in this folder, and these workloads have one. */
const sources = join(import.meta.dirname, "..", "yardstick");
const written: ReadonlySet<Workload["kind"]> = new Set(["scalars", "gmm", "logsumexp", "mlp", "rosenbrock"]);

const PATIENCE = 60_000;

/** Lists the yardsticks in C, compiled into `scratch` when needed; missing without a C compiler. */
export function yardsticks(scratch: string): Entrant[] {
  return [plain, vector, blas].map((build) => ({
    name: build.name,
    precision: "asked",
    style: build.style,
    module: undefined,
    start: (task) => start(build, task, scratch),
  }));
}

async function start(build: Build, task: Task, scratch: string): Promise<Running | Missing> {
  const { kind } = task.workload;
  if (!written.has(kind) || (build === blas && kind !== "mlp"))
    return { kind: "absent", reason: "not written for it" };
  const binary = compiled(build, kind === "scalars" ? "scalar" : kind, scratch);
  if (typeof binary !== "string") return binary;
  const child = new LineProcess(binary, argumentsOf(task, scratch));
  const ask = async (line: string): Promise<string> => {
    const reply = await child.ask(line, PATIENCE);
    if (reply === undefined) throw new Error(child.end);
    return reply;
  };
  const command = commandFor(task);
  if (command === undefined) return { kind: "absent", reason: "not written for it" };
  let value = Number.NaN;
  return {
    kind: "running",
    preparation: undefined,
    round: async (timings) => {
      const [least = Number.NaN, median = Number.NaN, last = Number.NaN] = (
        await ask(`${command} ${timings}`)
      )
        .split(" ")
        .map(Number);
      value = last;
      return { least, median };
    },
    answer: async () => {
      if (task.mode === "value") return Float64Array.of(value);
      const path = join(scratch, "answer");
      await ask(`gradient ${path}`);
      return Float64Array.from([value, ...new Float64Array(Uint8Array.from(readFileSync(path)).buffer)]);
    },
    memory: async () => undefined,
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

/** Returns the command that times the mode. A chain has no runs; the scalar yardstick has no lone value. */
function commandFor({ workload, mode }: Task): string | undefined {
  if (workload.kind !== "scalars") return mode === "value" ? "values" : "gradients";
  if (mode === "value") return undefined;
  return workload.form === "chain" ? "steps" : "runs";
}

function compiled({ name, flags, libraries }: Build, source: string, scratch: string): string | Missing {
  if (spawnSync("cc", ["--version"]).status !== 0)
    return { kind: "absent", reason: "there is no C compiler" };
  const binary = join(scratch, `${source} ${name}`);
  try {
    execFileSync("cc", [...flags, join(sources, `${source}.c`), "-o", binary, ...libraries], {
      stdio: "pipe",
    });
    return binary;
  } catch (problem) {
    const lines = String(problem instanceof Error ? problem.message : problem).split("\n");
    const said = lines.find((line) => line.includes("cannot find") || line.includes("fatal error"));
    return { kind: "absent", reason: said ?? lines.slice(0, 2).join(" ") };
  }
}

/** Returns the sizes, and a file with the numbers. */
function argumentsOf({ workload, data }: Task, scratch: string): string[] {
  switch (workload.kind) {
    case "scalars": {
      const path = join(scratch, "scalar graph");
      writeFileSync(path, bytesOf(scalarsOf(workload)));
      return [path];
    }
    case "gmm":
      return [data.path, ...[workload.d, workload.k, workload.n].map(String)];
    case "mlp":
      return [data.path, ...[workload.batch, ...workload.widths].map(String)];
    case "logsumexp":
    case "rosenbrock":
      return [data.path, String(workload.n)];
    default:
      return [];
  }
}
