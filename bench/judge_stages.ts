import type { Profiler } from "node:inspector";

/** The judge's time is spent in these stages; `collector` is V8's garbage collector. */
export const stages = ["draw", "truth", "bound", "engine", "laws", "compare", "shrink", "collector"] as const;

export type Stage = (typeof stages)[number];

/** A stage is that of the innermost function on the stack whose file matches: the first row that does. */
const files: readonly (readonly [RegExp, Stage])[] = [
  [/^wasm:|\/oracle\/truth\/centre\/|\/gmp-wasm\//, "truth"],
  [/\/oracle\/truth\/verdicts\//, "compare"],
  [/\/oracle\/truth\//, "bound"],
  [/\/engines\//, "engine"],
  [/\/oracle\/(generate|random|programs\/draw)/, "draw"],
  [/\/oracle\/(hearing|judge|driver|programs)\//, "compare"],
];

/** These stages count with all that they ask for, but for the engine's own time. */
const whole: readonly (readonly [RegExp, Stage])[] = [
  [/\/oracle\/(shrink|diagnosis)\/|\/oracle\/\w+\/(shrink|blame|search)\w*\.ts$|:accuse$/, "shrink"],
  [/\/oracle\/laws\//, "laws"],
];

/** V8 counts these to a process that waits, and to the profiler. */
const isNotOurs = /:\(idle\)$|^node:inspector:/;

/** A stack of functions, each `file:function`, the innermost first, is spent in a stage; or in none. */
export function stageOf(stack: readonly string[]): Stage | undefined {
  if (stack[0]?.endsWith(":(garbage collector)") === true) return "collector";
  const inner = first(stack, files);
  if (inner === "engine") return inner;
  const outer = first(stack, whole);
  if (outer !== undefined) return outer;
  const machine = stack.findIndex((place) => /\/reference\//.test(place));
  // Programs are run by the reference's machine, which is their truth.
  const isMachine = machine >= 0 && stack.slice(machine).every((place) => !place.includes("/oracle/truth/"));
  return inner === "compare" && isMachine ? "truth" : inner;
}

function first(stack: readonly string[], table: readonly (readonly [RegExp, Stage])[]): Stage | undefined {
  for (const place of stack) for (const [file, stage] of table) if (file.test(place)) return stage;
  return undefined;
}

/** The samples of a profile are summed up. */
export interface Summary {
  /** Microseconds of each stage. */
  readonly stages: ReadonlyMap<Stage | undefined, number>;
  /** Microseconds in each function itself, and with all that it called, by `file:function`. */
  readonly own: ReadonlyMap<string, number>;
  readonly total: ReadonlyMap<string, number>;
}

/** Sums the samples of a profile up by stage and by function. */
export function summarize({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Summary {
  const parents = new Map<number, number>();
  const places = new Map<number, string>();
  for (const { id, callFrame, children } of nodes) {
    places.set(id, `${callFrame.url}:${callFrame.functionName}`);
    for (const child of children ?? []) parents.set(child, id);
  }
  const spent = new Map<number, number>();
  for (const [place, id] of samples.entries()) add(spent, id, timeDeltas[place] ?? 0);
  const summary = {
    stages: new Map<Stage | undefined, number>(),
    own: new Map<string, number>(),
    total: new Map<string, number>(),
  };
  for (const [id, time] of spent) {
    const stack: string[] = [];
    for (let node: number | undefined = id; node !== undefined; node = parents.get(node))
      stack.push(places.get(node) ?? "");
    if (stack.some((place) => isNotOurs.test(place))) continue;
    add(summary.stages, stageOf(stack), time);
    add(summary.own, stack[0] ?? "", time);
    for (const place of new Set(stack)) add(summary.total, place, time);
  }
  return summary;
}

function add<K>(sums: Map<K, number>, key: K, more: number): void {
  sums.set(key, (sums.get(key) ?? 0) + more);
}
