import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Mode } from "../contestants/contestant.ts";
import { isSameFunction, type Precision } from "../deviation.ts";
import type { Problem } from "../gradbench/graphs/problem.ts";
import { precisionOf, problemOf, type Workload } from "../workloads/workload.ts";
import type { Entrant, Memory, Missing, Running, Task } from "./entrant.ts";
import type { DataFile } from "./messages.ts";
import { type Deviations, deviationsOf, type ReferenceAnswer, referenceAnswer } from "./reference_answer.ts";
import { medianOf } from "./samples.ts";

/** A contestant has this outcome in a workload. */
export type Outcome = { readonly contestant: string; readonly precision: Precision } & (
  | ({ readonly kind: "timed" } & Measurement)
  | { readonly kind: "wrong"; readonly deviations: Deviations }
  | Missing
);

/** This is nanoseconds for one call, and what else is known. */
interface Measurement {
  readonly least: number;
  readonly median: number;
  readonly preparation: number | undefined;
  readonly memory: Memory | undefined;
  readonly deviations: Deviations;
}

/** The effort is a number of rounds, and milliseconds for each contestant in each. */
export interface Effort {
  readonly rounds: number;
  readonly slice: number;
}

/** A timing should take at least this many nanoseconds, else the clock is measured. */
const SHORTEST = 200_000;
const MOST_TIMINGS = 200;

/** Measures one workload and mode, all contestants in turn. `progress` is told what happens. */
export async function measure(
  workload: Workload,
  mode: Mode,
  entrants: readonly Entrant[],
  { rounds, slice }: Effort,
  scratch: string,
  progress: (message: string) => void,
): Promise<Outcome[]> {
  const problem = problemOf(workload);
  const reference = referenceAnswer(problem);
  const task = { workload, mode, data: writeData(problem, scratch) };
  const started = [];
  for (const entrant of entrants) {
    progress(`${entrant.name} gets ready`);
    started.push({ entrant, turn: await readied(entrant, task, slice) });
  }
  for (let round = 0; round < rounds; round++) {
    progress(`round ${round + 1} of ${rounds}`);
    for (const { turn } of started) if (turn.kind === "turn") await turn.take();
  }
  const terms = Math.max(...problem.point.inputs.map(({ data }) => data.length));
  const outcomes: Outcome[] = [];
  for (const { entrant, turn } of started) {
    const { name: contestant } = entrant;
    const precision = entrant.precision === "asked" ? precisionOf(workload) : entrant.precision;
    const common = { contestant, precision };
    if (turn.kind !== "turn") outcomes.push({ ...common, ...turn });
    else outcomes.push({ ...common, ...(await finished(turn, reference, mode, { precision, terms })) });
  }
  return outcomes;
}

/** A contestant takes its turn in each round. */
interface Turn {
  readonly kind: "turn";
  readonly running: Running;
  readonly leasts: number[];
  readonly medians: number[];
  take(): Promise<void>;
}

/** Starts a contestant and finds how often it can be called in its slice. */
async function readied(entrant: Entrant, task: Task, slice: number): Promise<Turn | Missing> {
  try {
    const running = await entrant.start(task);
    if (running.kind !== "running") return running;
    let calls = 1;
    let once = (await running.round(1, calls)).least;
    while (once * calls < SHORTEST) {
      calls *= 8;
      once = (await running.round(1, calls)).least;
    }
    calls = Math.max(1, Math.ceil(SHORTEST / once));
    const timings = Math.min(MOST_TIMINGS, Math.max(1, Math.floor((slice * 1e6) / (once * calls))));
    const [leasts, medians]: [number[], number[]] = [[], []];
    const take = async (): Promise<void> => {
      const { least, median } = await running.round(timings, calls);
      leasts.push(least);
      medians.push(median);
    };
    return { kind: "turn", running, leasts, medians, take };
  } catch (problem) {
    return { kind: "failed", reason: problem instanceof Error ? problem.message : String(problem) };
  }
}

async function finished(
  { running, leasts, medians }: Turn,
  reference: ReferenceAnswer,
  mode: Mode,
  { precision, terms }: { readonly precision: Precision; readonly terms: number },
): Promise<
  ({ readonly kind: "timed" } & Measurement) | { readonly kind: "wrong"; readonly deviations: Deviations }
> {
  await using ending = running;
  const deviations = deviationsOf(reference, await ending.answer(), mode);
  const isRight = isSameFunction(Math.max(deviations.value, deviations.gradient ?? 0), precision, terms);
  if (!isRight) return { kind: "wrong", deviations };
  return {
    kind: "timed",
    least: Math.min(...leasts),
    median: medianOf(medians),
    preparation: running.preparation,
    memory: await ending.memory(),
    deviations,
  };
}

/** Writes all numbers of a problem to a file: inputs, then Δ. */
function writeData({ graph, point }: Problem, scratch: string): DataFile {
  const path = join(scratch, "data");
  const kinds = new Map(graph.environment.map(({ name, kind }) => [name, kind]));
  const inputs = graph.inputs.map(({ name, shape }) => ({ name, shape, kind: "input" as const }));
  const entries = [...point.environment].map(([name, { shape }]) => ({
    name,
    shape,
    kind: kinds.get(name) ?? "real",
  }));
  const tensors = [...point.inputs, ...point.environment.values()];
  writeFileSync(
    path,
    Buffer.concat(tensors.map(({ data }) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength))),
  );
  // Thousands of scalars need no names.
  return { path, entries: inputs.length > 1000 ? [] : [...inputs, ...entries] };
}
