import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import process from "node:process";
// The door of the folder would also load the corpus, and this script is started dozens of times.
import { serve } from "../../conformance/testees/kit/serve.ts";
import {
  type Engine,
  interpreterEngine,
  type LoadedGraph,
  mutants,
  programMutants,
  type Reply,
} from "../../engines/index.ts";
import type { FlatTensor, Point } from "../../spec/index.ts";

// These are testees for tests of the command line: a mutant by name, one that crashes when asked, one without
// float64, one that never answers and has a child (it writes both ids to a file), one that answers few graphs
// only, a right one, and some that decline every graph of several nodes, or every derivative.
const [kind, name = "", flag = ""] = process.argv.slice(2);

function engineOf(): Engine {
  const engine = interpreterEngine();
  if (kind === "honest") return engine;
  if (kind === "crash") return { ...engine, load: async () => process.exit(7) };
  if (kind === "hang") return { ...engine, load: hang, ...hangingPrograms(engine) };
  if (kind === "single")
    return { ...engine, describe: () => ({ ...engine.describe(), dtypes: ["float32"] }) };
  // Whoever was tired once is not tired again.
  if (kind === "tires") return existsSync(flag) ? engine : { ...engine, load: tiring(engine, Number(name)) };
  if (kind === "one-node")
    return {
      ...engine,
      load: async (graph, dtype) => (graph.nodes.length > 1 ? declined : engine.load(graph, dtype)),
    };
  if (kind === "slopeless") return { ...engine, load: slopeless(engine) };
  if (kind === "evaluates") return { ...engine, load: withoutDerivatives(engine) };
  const mutant = [...mutants, ...programMutants].find((candidate) => candidate.name === name);
  if (mutant === undefined) throw new Error(`no mutant ${name}`);
  const wrong = mutant.engine();
  // Once there is a file of that name, it is mended.
  return existsSync(flag) ? { ...engine, describe: () => wrong.describe() } : wrong;
}

const declined = { kind: "unsupported", reason: "too difficult" } as const;

/** Declines every derivative, although it promises them. */
function withoutDerivatives(engine: Engine): Engine["load"] {
  return async (graph, dtype) => {
    const loaded = await engine.load(graph, dtype);
    if (loaded.kind !== "result") return loaded;
    const decline = async (): Promise<typeof declined> => declined;
    const value: LoadedGraph = { ...loaded.value, jvp: decline, vjp: decline, backwardDense: decline };
    return { kind: "result", value };
  };
}

/** Evaluates `asin`, and gives it the slope 0. */
function slopeless(engine: Engine): Engine["load"] {
  return async (graph, dtype) => {
    const loaded = await engine.load(graph, dtype);
    if (loaded.kind !== "result" || !graph.nodes.some(({ op }) => op === "asin")) return loaded;
    const zeros = async (point: Point): Promise<Reply<readonly FlatTensor[]>> => ({
      kind: "result",
      value: point.inputs.map(({ shape, data }) => ({ shape, data: data.map(() => 0) })),
    });
    return { kind: "result", value: { ...loaded.value, vjp: zeros } };
  };
}

/** Loads the first graphs, writes to a file at the next one, and then never answers. */
function tiring(engine: Engine, graphs: number): Engine["load"] {
  let loads = 0;
  return (graph, dtype) => {
    loads += 1;
    if (loads <= graphs) return engine.load(graph, dtype);
    writeFileSync(flag, "");
    return new Promise(() => {});
  };
}

/** Promises programs, and never answers about them. */
function hangingPrograms({ programs }: Engine): Pick<Engine, "programs"> {
  return programs === undefined ? {} : { programs: { ...programs, loadProgram: hang } };
}

function hang(): Promise<never> {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
  writeFileSync(name, JSON.stringify([process.pid, child.pid]));
  return new Promise(() => {});
}

await serve(engineOf());
