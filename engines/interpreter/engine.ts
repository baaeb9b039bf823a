import {
  accuracy,
  bitExactConventions,
  type Description,
  definitionOrder,
  type Engine,
  expanding,
  type Hook,
  type KeptRun,
  type LoadedGraph,
  manneredTape,
  type OpenTape,
  type Reply,
} from "../../spec/contract/index.ts";
import { type Graph, isPrimitiveGraph, type Point } from "../../spec/graph/index.ts";
import { primitiveNames } from "../../spec/operators/index.ts";
import { at, type NodeId, type Shape } from "../../spec/shapes/index.ts";
import type { DataType, FlatTensor, TapeLife } from "../../spec/wire/index.ts";
import { estimating } from "../forward_gradient/index.ts";
import {
  type Answer,
  type Interpretation,
  interpret,
  type Parts,
  type Settled,
  soundParts,
} from "../interpretation/index.ts";
import { type MemoryParts, memoryEngine, soundMemoryParts } from "../memory/index.ts";

/** The interpreter's name, as it stands in reports. */
export const INTERPRETER_NAME = "adjudge interpreter";

/** The interpreter's version. */
export const INTERPRETER_VERSION = "0.1.0";

/**
 * Makes the project's own engine: an interpreter over flat arrays, in float64 and float32, for all operators
 * and modes. Its sparse sweeps have the order of the definition, so that it owes the bits of the reference
 * with accurate slopes. It runs programs with memory in place. Other parts make mutants, or another memory
 * policy.
 */
export function interpreterEngine(
  name: string = INTERPRETER_NAME,
  parts: Partial<Parts> = {},
  memoryParts: Partial<MemoryParts> = {},
): Engine {
  const description: Description = {
    name,
    version: INTERPRETER_VERSION,
    language: "TypeScript",
    links: [],
    dtypes: ["float64", "float32"],
    operators: primitiveNames,
    modes: ["evaluate", "jvp", "vjp", "backward_dense"],
    conventions: bitExactConventions,
    accuracy,
    accumulation: definitionOrder,
    slopes: "accurate",
    repeatable: true,
  };
  const allParts = { ...soundParts, ...parts };
  const engine: Engine = {
    describe: () => description,
    tapes: { lives: ["once", "until released"], releases: true, hooks: true },
    load: async (graph, dtype) => load(graph, dtype, allParts),
    [Symbol.asyncDispose]: async () => {},
  };
  // The engine of programs expands composites itself, where they are applied.
  const programs = memoryEngine(allParts, { ...soundMemoryParts, ...memoryParts });
  return estimating({ ...expanding(engine, allParts.composites), programs });
}

function load(graph: Graph, dtype: DataType, parts: Parts): Reply<LoadedGraph> {
  if (!isPrimitiveGraph(graph)) return { kind: "unsupported", reason: "the graph has composites" };
  if (dtype !== "float64" && dtype !== "float32") {
    return { kind: "unsupported", reason: `no arithmetic in ${dtype}` };
  }
  try {
    return { kind: "result", value: programOf(interpret(graph, dtype, parts)) };
  } catch (problem) {
    if (!(problem instanceof RangeError)) return crashed(problem);
    return { kind: "unsupported", reason: `the graph needs too much memory: ${problem.message}` };
  }
}

/** Reports a broken invariant as a reply, because an engine never rejects. */
function crashed(problem: unknown): Reply<never> {
  return { kind: "crashed", message: String(problem) };
}

function programOf(interpretation: Interpretation): LoadedGraph {
  const firstNode = interpretation.layout.graph.inputs.length;
  let loaded: Interpretation | undefined = interpretation;
  async function ask(
    firstId: number,
    question: (interpretation: Interpretation) => Answer,
  ): Promise<Reply<readonly FlatTensor[]>> {
    if (loaded === undefined) return { kind: "error", message: "the program was unloaded." };
    try {
      return replyOf(question(loaded), firstId, loaded.layout.shapes);
    } catch (problem) {
      return crashed(problem);
    }
  }
  async function record(
    core: Interpretation | undefined,
    point: Point,
    life: TapeLife,
    of: readonly NodeId[],
    hooks: readonly NodeId[],
  ): Promise<Reply<OpenTape>> {
    if (core === undefined) return { kind: "error", message: "the program was unloaded." };
    try {
      const run = core.record(point);
      if (!run.ok) return { kind: "error", message: run.error };
      const { value } = run;
      const hung = new Set(hooks);
      const sweep: KeptRun["sweep"] = (seeds, hook) =>
        ask(0, (again) => again.sweep(value, seeds, hook && called(hook, hung, again.layout.shapes)));
      return {
        kind: "result",
        value: manneredTape({ sweep }, { life, of: [...of], shapes: core.layout.shapes }),
      };
    } catch (problem) {
      return crashed(problem);
    }
  }
  return {
    evaluate: (point) => ask(firstNode, (core) => core.evaluate(point)),
    jvp: (point, tangents) => ask(firstNode, (core) => core.jvp(point, tangents)),
    vjp: (point, seeds) => ask(0, (core) => core.vjp(point, seeds)),
    backwardDense: (point, seeds) => ask(0, (core) => core.backwardDense(point, seeds)),
    record: (point, life, of, hooks = []) => record(loaded, point, life, of, hooks),
    async unload() {
      loaded = undefined;
    },
  };
}

/** Calls the hooks that are attached to ids, each with a copy of the cotangent there. */
function called(hook: Hook, hung: ReadonlySet<NodeId>, shapes: readonly Shape[]): Settled {
  return (id, cotangent) => {
    if (hung.has(id)) hook(id, { shape: at(shapes, id), data: new Float64Array(cotangent) });
  };
}

/** Copies an answer out of the interpretation's memory; its tensors belong to the ids from `firstId` on. */
function replyOf(answer: Answer, firstId: number, shapes: readonly Shape[]): Reply<readonly FlatTensor[]> {
  if (!answer.ok) return { kind: "error", message: answer.error };
  const value = answer.value.map((view, n) => ({
    shape: at(shapes, firstId + n),
    data: new Float64Array(view),
  }));
  return { kind: "result", value };
}
