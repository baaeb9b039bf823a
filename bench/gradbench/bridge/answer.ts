import { performance } from "node:perf_hooks";
import type { Engine } from "../../../engines/index.ts";
import { idCount, nodeId } from "../../../spec/index.ts";
import { objectiveOf } from "../graphs/problem.ts";
import { type Input, type Module, modules } from "./modules.ts";

/** A message of an evaluation. Source: https://github.com/gradbench/gradbench, CONTRIBUTING.md */
export type Message = Readonly<Record<string, unknown>> & { readonly id: number; readonly kind: string };

/** An evaluation asks for no more runs than this. */
const MAXIMUM_RUNS = 10_000;

/** Reads a line of an evaluation; throws where it is no message. */
export function messageIn(line: string): Message {
  const json: unknown = JSON.parse(line);
  if (typeof json !== "object" || json === null || !("id" in json) || !("kind" in json))
    throw new Error(`no message of GradBench: ${line.slice(0, 200)}`);
  const { id, kind } = json;
  if (typeof id !== "number" || typeof kind !== "string")
    throw new Error(`a message has a numeric id and a kind: ${line.slice(0, 200)}`);
  return { ...json, id, kind };
}

/** Answers a message as a tool of GradBench does, with the numbers of an engine. */
export async function answerTo(message: Message, engine: Engine): Promise<object> {
  const { id, kind } = message;
  if (kind === "start") return { id, tool: `adjudge (${engine.describe().name})` };
  if (kind !== "define" && kind !== "evaluate") return { id };
  const module = modules.find(({ name }) => name === message.module);
  if (module === undefined) return { id, success: false, error: `there is no module ${message.module}` };
  if (kind === "define") return { id, success: true };
  try {
    return { id, success: true, ...(await evaluated(module, message, engine)) };
  } catch (thrown) {
    return { id, success: false, error: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

interface Evaluated {
  readonly output: number | readonly number[];
  readonly timings: readonly { readonly name: "evaluate"; readonly nanoseconds: number }[];
}

async function evaluated(module: Module, message: Message, engine: Engine): Promise<Evaluated> {
  const { input, function: name } = message;
  if (typeof input !== "object" || input === null) throw new Error("the input must be an object");
  const isPrimal = name === "primal";
  if (!isPrimal && name !== "gradient") throw new Error(`there is no function ${name} in ${module.name}`);
  const given: Input = { ...input };
  const problem = module.problem(given);
  const { graph, point } = problem;
  const loaded = await engine.load(graph, "float64");
  if (loaded.kind !== "result") throw new Error(`the engine does not load it: ${loaded.kind}`);
  const asked = module.primal(problem);
  const seeds = [{ id: objectiveOf(graph), cotangent: { shape: [], data: Float64Array.of(1) } }];
  const timings: { name: "evaluate"; nanoseconds: number }[] = [];
  const [runs, seconds] = [countOf(given.min_runs), countOf(given.min_seconds)];
  let elapsed = 0;
  let output: number[] = [];
  try {
    do {
      const begin = performance.now();
      const reply = isPrimal ? await loaded.value.evaluate(point) : await loaded.value.vjp(point, seeds);
      const nanoseconds = Math.round((performance.now() - begin) * 1e6);
      if (reply.kind !== "result") throw new Error(`the engine gives no answer: ${reply.kind}`);
      const place = isPrimal ? asked - graph.inputs.length : 0;
      output = [...(reply.value[place]?.data ?? [])];
      timings.push({ name: "evaluate", nanoseconds });
      elapsed += nanoseconds / 1e9;
    } while ((timings.length < runs || elapsed < seconds) && timings.length < MAXIMUM_RUNS);
  } finally {
    await loaded.value.unload();
  }
  const isOne = isPrimal && asked === nodeId(idCount(graph) - 1);
  return { output: isOne ? (output[0] ?? Number.NaN) : output, timings };
}

function countOf(x: unknown): number {
  return typeof x === "number" && x > 0 ? x : 0;
}
