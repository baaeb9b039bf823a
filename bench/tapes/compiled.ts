import { compile } from "../../engines/compile/browser_wasm.ts";
import {
  type Layout,
  type LoopProgram,
  lower,
  operandsOf,
  type PlanOptions,
  plan,
  shapeOfValue,
  writtenOut,
} from "../../engines/compile/plan/index.ts";
import { at, type Graph, graph, nodeId, sizeOf } from "../../spec/index.ts";
import { objectiveOf, type Problem, tensor } from "../gradbench/graphs/problem.ts";
import { EVALUATION_SEED, numpyUniform } from "../gradbench/points.ts";
import { mlp } from "../workloads/mlp.ts";
import { missesOf, type Reuse, StackDistances } from "./reuse.ts";
import { counted, markdownTable } from "./tables.ts";

/** This function is compiled. */
export interface CompiledRun {
  readonly name: string;
  problem(): Problem;
}

/** Builds running sums of tanh of running sums …, loops along all numbers that cannot be fused. */
function runningSums(depth: number, count: number): Problem {
  const written = graph(({ input }) => {
    let x = input("x", [count]);
    for (let n = 0; n < depth; n++)
      x = x
        .tanh()
        .cumulative_sum({ axis: 0 })
        .multiply(2 ** -4);
    return x.sum({ axes: [0], keepdims: false });
  });
  const x = tensor(
    [count],
    numpyUniform(EVALUATION_SEED, 0, count).map((u) => u - 0.5),
  );
  return {
    name: `running sums ${depth}`,
    graph: written,
    point: { inputs: [x], environment: new Map() },
    outputs: [objectiveOf(written)],
  };
}

/** These are compiled with less and less memory. */
export const compiledRuns: readonly CompiledRun[] = [
  {
    name: "an MLP of 32 layers of 32, 256 rows",
    problem: () => mlp({ batch: 256, widths: Array.from({ length: 33 }, () => 32) }),
  },
  { name: "64 running sums of 4,096 numbers", problem: () => runningSums(64, 4096) },
];

const usual: PlanOptions = { regime: "fast", precision: "float64" };

const LINE = 64;
const WIDE = 8;

/**
 * Computes the reuse distances of a program in its arena: each instruction reads its operands and writes its
 * value, whole and in order, a cache line at a time. Repeated reads within a loop are not counted. Sources
 * are data of their own.
 */
export function reuseIn(program: LoopProgram, layout: Layout): Reuse {
  const distances = new StackDistances();
  const count = program.sources.length;
  const touch = (value: number): void => {
    const bytes = WIDE * sizeOf(shapeOfValue(program, value));
    const start = value < count ? 0 : WIDE * at(layout.places, value - count);
    for (let line = Math.floor(start / LINE); line * LINE < start + bytes; line++)
      distances.touch(`${value < count ? value : "arena"} ${line}`, LINE);
  };
  for (const [n, instruction] of program.instructions.entries()) {
    for (const operand of new Set(operandsOf(instruction))) touch(operand);
    touch(count + n);
  }
  return distances.reuse();
}

/** The reverse pass fetches so much of the forward pass's values, in its order and from first to last. */
export interface Turn {
  readonly bytes: number;
  readonly lastFirst: Reuse;
  readonly firstFirst: Reuse;
}

/**
 * Measures a program that keeps all: data are touched until most elements are alive, and then each value that
 * a later instruction reads, once for each reader, in either order. Only the reverse pass's touches count.
 */
export function turnOf(program: LoopProgram): Turn {
  const count = program.sources.length;
  const bytesOf = (value: number): number => WIDE * sizeOf(shapeOfValue(program, value));
  const cut = turnIn(program);
  const isEarly = (value: number): boolean => value >= count && value < count + cut;
  const forward = program.instructions
    .slice(0, cut)
    .flatMap((instruction, n) => [...new Set(operandsOf(instruction)), count + n]);
  const back = program.instructions
    .slice(cut)
    .flatMap((instruction) => [...new Set(operandsOf(instruction))].filter(isEarly));
  const after = (order: readonly number[]): Reuse => {
    const distances = new StackDistances();
    for (const value of forward) distances.touch(String(value), bytesOf(value));
    const before = distances.reuse();
    for (const value of order) distances.touch(String(value), bytesOf(value));
    const all = distances.reuse();
    return {
      byDistance: all.byDistance.map((bytes, n) => bytes - (before.byDistance[n] ?? 0)),
      first: all.first - before.first,
      total: all.total - before.total,
    };
  };
  const lastFirst = after(back);
  return { bytes: lastFirst.total, lastFirst, firstFirst: after(back.toSorted((x, y) => x - y)) };
}

/** Returns the number of instructions after which most elements are alive. */
function turnIn(program: LoopProgram): number {
  const count = program.sources.length;
  const last = new Map<number, number>();
  for (const [n, instruction] of program.instructions.entries())
    for (const operand of operandsOf(instruction)) last.set(operand, n);
  const ends = new Map<number, number>();
  let [alive, most, found] = [0, 0, 0];
  for (const [n, { shape }] of program.instructions.entries()) {
    const size = sizeOf(shape);
    alive += size;
    if (alive > most) [most, found] = [alive, n + 1];
    const end = program.results.includes(count + n) ? -1 : (last.get(count + n) ?? n);
    ends.set(end, (ends.get(end) ?? 0) + size);
    alive -= ends.get(n) ?? 0;
  }
  return found;
}

/** Lowers the gradient of a graph's last value, before it is planned. */
function gradientOf(written: Graph): LoopProgram {
  const { graph: lowered, output } = writtenOut(written, usual.regime, undefined);
  const ids = lowered.inputs.map((_, id) => nodeId(id));
  const cotangents = { ids, seeds: [{ id: output, from: "ones" as const }] };
  return lower(lowered, { values: [], cotangents }, usual.regime);
}

/** Tabulates for each run what caches fetch at the turn. */
export function turnTable(): string[] {
  const caches = [16, 18, 20, 22] as const;
  const rows = compiledRuns.flatMap(({ name, problem }) => {
    const { bytes, lastFirst, firstFirst } = turnOf(plan(gradientOf(problem().graph), usual).program);
    const cells = (reuse: Reuse): string[] => caches.map((n) => counted(missesOf(reuse, n)));
    return [
      [`${name}: last made, first read`, counted(bytes), ...cells(lastFirst)],
      [`${name}: first made, first read`, counted(bytes), ...cells(firstFirst)],
    ];
  });
  return markdownTable(["order of the way back", "read", "64 KiB", "256 KiB", "1 MiB", "4 MiB"], rows);
}

/** A gradient is compiled to use part of the memory that it takes without a budget. */
export interface CompiledFigures {
  readonly share: number | undefined;
  readonly arenaBytes: number;
  readonly instructions: number;
  readonly recomputed: number;
  readonly reuse: Reuse;
  /** These are least times of a call, in milliseconds, by engine. */
  readonly times: { readonly javascript: number; readonly wasm: number };
}

/** Compiles the gradient within a part of the memory that it takes by itself, or without a budget. */
export function compiledFigures(
  { graph: written, point }: Problem,
  share: number | undefined,
  rounds: number,
): CompiledFigures {
  const program = gradientOf(written);
  const stored = plan(program, usual);
  const planned =
    share === undefined
      ? stored
      : plan(program, { ...usual, budgetBytes: Math.floor(share * stored.report.arenaBytes) });
  const memory = share === undefined ? undefined : planned.report.arenaBytes;
  const inputs = point.inputs.map(({ data }) => Float64Array.from(data));
  const environment = Object.fromEntries(
    [...point.environment].map(([name, { data }]) => [name, Float64Array.from(data)]),
  );
  const timed = (engine: "javascript" | "wasm"): number => {
    const made = compile(written, { engine, ...(memory === undefined ? {} : { memory }) });
    made.bind(environment);
    const times = Array.from({ length: rounds }, () => {
      const start = performance.now();
      made.gradient(...inputs);
      return performance.now() - start;
    });
    return Math.min(...times);
  };
  return {
    share,
    arenaBytes: planned.report.arenaBytes,
    instructions: planned.program.instructions.length,
    recomputed: planned.report.checkpointing?.recomputed ?? 0,
    reuse: reuseIn(planned.program, planned.layout),
    times: { javascript: timed("javascript"), wasm: timed("wasm") },
  };
}

/** These parts of the memory are given; for 0 it is the least that is found. */
export const shares: readonly (number | undefined)[] = [undefined, 0.5, 0.25, 0];

/** Tabulates budgets, recomputations, what two caches fetch, and times. */
export function compiledTable(figures: readonly CompiledFigures[]): string[] {
  const rows = figures.map(({ share, arenaBytes, instructions, recomputed, reuse, times }) => [
    share === undefined ? "none" : share === 0 ? "the least" : `1/${1 / share}`,
    counted(arenaBytes),
    counted(instructions),
    counted(recomputed),
    counted(reuse.total),
    ...[15, 18, 20].map((n) => counted(missesOf(reuse, n))),
    `${times.javascript.toFixed(2)} ms`,
    `${times.wasm.toFixed(2)} ms`,
  ]);
  const heads = ["budget", "arena", "instructions", "again", "touched", "32 KiB", "256 KiB", "1 MiB"];
  return markdownTable([...heads, "javascript", "wasm"], rows);
}
