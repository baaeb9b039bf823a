import { type Engine, expanding, type LoadedGraph, type Reply } from "../../spec/contract/index.ts";
import { expandedIndexLimitsOf, type IndexLimits } from "../../spec/expansion/index.ts";
import type { Graph, Point, Seed } from "../../spec/graph/index.ts";
import { type NodeId, nodeId, present } from "../../spec/shapes/index.ts";
import type { DataType, FlatTensor } from "../../spec/wire/index.ts";
import { type Misfit, misfitOfInputs, misfitOfPoint, misfitOfSeeds } from "../fit.ts";
import { Compilation, type CompilationOptions } from "./compilation.ts";
import { isLoweredGraph, type Request } from "./plan/lower/index.ts";
import { caught, descriptionOf, numbersOf, type SelfDescription } from "./self_description.ts";

/** The parts of a compiled engine: how it compiles, and what it says of itself. */
export interface CompiledEngineOptions extends Omit<CompilationOptions, "precision">, SelfDescription {}

/**
 * Puts a compiled engine behind the judge's contract. Each question has a program planned for it alone: that
 * of a gradient computes no values that the gradient does not need.
 */
export function compiledEngine(options: CompiledEngineOptions): Engine {
  const description = descriptionOf(options);
  const engine: Engine = {
    describe: () => description,
    load: async (graph, dtype) => load(graph, dtype, options),
    [Symbol.asyncDispose]: async () => {},
  };
  return expanding(engine, options.parts?.composites);
}

function load(
  graph: Graph,
  dtype: DataType,
  options: Omit<CompilationOptions, "precision">,
): Reply<LoadedGraph> {
  if (!isLoweredGraph(graph)) return { kind: "unsupported", reason: "the graph has composites" };
  if (dtype !== "float64" && dtype !== "float32") {
    return { kind: "unsupported", reason: `no arithmetic in ${dtype}` };
  }
  return caught(() => new LoadedLoops(new Compilation(graph, { ...options, precision: dtype })).program());
}

/** Answers the contract's questions with a compilation. */
class LoadedLoops {
  readonly #compilation: Compilation;
  readonly #limits: ReadonlyMap<string, IndexLimits>;
  readonly #inputs: readonly NodeId[];
  readonly #nodes: readonly NodeId[];
  #isLoaded = true;

  constructor(compilation: Compilation) {
    const { graph, shapes } = compilation;
    const ids = shapes.map((_, id) => nodeId(id));
    this.#compilation = compilation;
    this.#limits = expandedIndexLimitsOf(graph);
    this.#inputs = ids.slice(0, graph.inputs.length);
    this.#nodes = ids.slice(graph.inputs.length);
  }

  program(): LoadedGraph {
    const all = [...this.#inputs, ...this.#nodes];
    return {
      evaluate: async (point) => this.#ask(point, [], { values: this.#nodes }, this.#nodes),
      jvp: async (point, tangents) => {
        const { inputs } = this.#compilation.graph;
        const misfit = misfitOfInputs(inputs, tangents, "tangent");
        if (misfit !== undefined) return { kind: "error", message: misfit };
        return this.#ask(
          point,
          tangents,
          { values: [], tangents: { ids: this.#nodes, count: 1 } },
          this.#nodes,
        );
      },
      vjp: async (point, seeds) => this.#pull(point, seeds, this.#inputs),
      backwardDense: async (point, seeds) => this.#pull(point, seeds, all),
      unload: async () => {
        this.#isLoaded = false;
      },
    };
  }

  #pull(point: Point, seeds: readonly Seed[], ids: readonly NodeId[]): Reply<readonly FlatTensor[]> {
    const misfit = misfitOfSeeds(this.#compilation.shapes, seeds);
    if (misfit !== undefined) return { kind: "error", message: misfit };
    const cotangents = seeds.map(({ cotangent }) => cotangent);
    const at = seeds.map(({ id }) => ({ id, from: "source" as const }));
    return this.#ask(point, cotangents, { values: [], cotangents: { ids, seeds: at } }, ids);
  }

  /** Answers a request, whose answers belong to `ids`; `more` are tangents or seeds. */
  #ask(
    point: Point,
    more: readonly FlatTensor[],
    request: Request,
    ids: readonly NodeId[],
  ): Reply<readonly FlatTensor[]> {
    if (!this.#isLoaded) return { kind: "error", message: "the program was unloaded." };
    const { graph, shapes, options } = this.#compilation;
    const misfit: Misfit = misfitOfPoint(graph, this.#limits, point);
    if (misfit !== undefined) return { kind: "error", message: misfit };
    const { precision } = options;
    const entries = graph.environment.map(({ name, kind }) => ({
      kind,
      data: present(point.environment.get(name), name).data,
    }));
    const real = entries.filter(({ kind }) => kind === "real");
    const sources = [...point.inputs, ...real, ...more].map(({ data }) => numbersOf(data, precision));
    const indices = entries.filter(({ kind }) => kind === "index").map(({ data }) => Uint32Array.from(data));
    return caught(() => {
      const { executable } = this.#compilation.compiledFor(request);
      executable.run(sources, indices);
      return ids.map((id, n) => ({
        shape: present(shapes[id], "shape of an id"),
        data: Float64Array.from(present(executable.results[n], "a result")),
      }));
    });
  }
}
