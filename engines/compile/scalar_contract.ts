import { type Engine, expanding, type LoadedGraph, type Reply } from "../../spec/contract/index.ts";
import { type Graph, isPrimitiveGraph, type Point, type Seed } from "../../spec/graph/index.ts";
import { floatAt, type NodeId, present } from "../../spec/shapes/index.ts";
import type { DataType, FlatTensor } from "../../spec/wire/index.ts";
import { type Misfit, misfitOfInputs, misfitOfPoint, misfitOfSeeds } from "../fit.ts";
import { numberOf } from "./binding.ts";
import type { Numbers, Precision } from "./plan/index.ts";
import {
  type DenseScalarExecutable,
  type ScalarBackend,
  type ScalarExecutable,
  type ScalarPasses,
  type ScalarTable,
  scalarPasses,
  scalarPlanOf,
  tableOf,
} from "./plan/scalar/index.ts";
import { caught, descriptionOf, numbersOf, type SelfDescription } from "./self_description.ts";

/** The parts of an engine of scalars. */
export interface ScalarEngineOptions extends SelfDescription {
  readonly backend: ScalarBackend;
  /** Another planner, of a mutant. */
  readonly passes?: ScalarPasses;
  /** If runs have fewer nodes on average, single steps are taken; by default the backend's own limit. */
  readonly shortestRun?: number;
}

/**
 * Puts a scalar backend behind the judge's contract. It takes graphs of scalars of any size, and no others.
 * The plan for one output pulls one seed back; the plan for all ids pulls several.
 */
export function scalarEngine(options: ScalarEngineOptions): Engine {
  const description = descriptionOf(options);
  const engine: Engine = {
    describe: () => description,
    load: async (graph, dtype) => load(graph, dtype, options),
    [Symbol.asyncDispose]: async () => {},
  };
  return expanding(engine);
}

function load(graph: Graph, dtype: DataType, options: ScalarEngineOptions): Reply<LoadedGraph> {
  if (dtype !== "float64" && dtype !== "float32") {
    return { kind: "unsupported", reason: `no arithmetic in ${dtype}` };
  }
  const table = isPrimitiveGraph(graph) ? tableOf(graph) : undefined;
  if (table === undefined) return { kind: "unsupported", reason: "not all values are scalars" };
  return caught(() => new LoadedScalars(graph, table, dtype, options).program());
}

/** Answers the contract's questions about a scalar graph. */
class LoadedScalars {
  readonly #graph: Graph;
  readonly #table: ScalarTable;
  readonly #precision: Precision;
  readonly #options: ScalarEngineOptions;
  readonly #lean: Map<NodeId, ScalarExecutable> = new Map();
  #dense: DenseScalarExecutable | undefined;
  #isLoaded = true;

  constructor(graph: Graph, table: ScalarTable, precision: Precision, options: ScalarEngineOptions) {
    this.#graph = graph;
    this.#table = table;
    this.#precision = precision;
    this.#options = options;
  }

  program(): LoadedGraph {
    const { inputs } = this.#graph;
    const first = inputs.length;
    return {
      evaluate: async (point) =>
        this.#ask(point, undefined, (x, d) => this.#all().evaluate(x, d), first, this.#table.codes.length),
      jvp: async (point, tangents) =>
        this.#ask(
          point,
          misfitOfInputs(inputs, tangents, "tangent"),
          (x, d) => this.#all().jvp(x, d, this.#packed(tangents)),
          first,
          this.#table.codes.length,
        ),
      vjp: async (point, seeds) => this.#pull(point, seeds, first),
      backwardDense: async (point, seeds) => this.#pull(point, seeds, this.#table.codes.length),
      unload: async () => {
        this.#isLoaded = false;
      },
    };
  }

  #pull(point: Point, seeds: readonly Seed[], end: number): Reply<readonly FlatTensor[]> {
    const misfit = misfitOfSeeds(
      Array.from(this.#table.codes, () => []),
      seeds,
    );
    const [seed] = seeds;
    const isOne = seeds.length === 1 && end === this.#graph.inputs.length;
    return this.#ask(
      point,
      misfit,
      (x, d) => {
        const numbers = this.#packed(seeds.map(({ cotangent }) => cotangent));
        if (isOne && seed !== undefined) return this.#one(seed.id).gradient(x, d, floatAt(numbers, 0));
        const ids = seeds.map(({ id }) => id);
        return this.#all().backward(x, d, ids, numbers);
      },
      0,
      end,
    );
  }

  /** Returns the answers from `from` to before `end`. */
  #ask(
    point: Point,
    more: Misfit,
    question: (x: Numbers, environment: Numbers) => Numbers,
    from: number,
    end: number,
  ): Reply<readonly FlatTensor[]> {
    if (!this.#isLoaded) return { kind: "error", message: "the program was unloaded." };
    const misfit = more ?? misfitOfPoint(this.#graph, new Map(), point);
    if (misfit !== undefined) return { kind: "error", message: misfit };
    return caught(() => {
      const entries = this.#graph.environment.map(({ name }) =>
        numberOf(present(point.environment.get(name), name).data),
      );
      const environment = numbersOf(Float64Array.from(entries), this.#precision);
      const answers = question(this.#packed(point.inputs), environment);
      return Array.from(answers.subarray(from, end), (answer) => ({
        shape: [],
        data: Float64Array.of(answer),
      }));
    });
  }

  #packed(tensors: readonly FlatTensor[]): Numbers {
    return numbersOf(
      Float64Array.from(tensors, ({ data }) => floatAt(data, 0)),
      this.#precision,
    );
  }

  #one(output: NodeId): ScalarExecutable {
    const { backend, regime, passes = scalarPasses, shortestRun = backend.shortestRun } = this.#options;
    const plan = () => scalarPlanOf(this.#table, { regime, output, shortestRun }, passes);
    const made = this.#lean.get(output) ?? backend.build(plan(), this.#precision, regime);
    this.#lean.set(output, made);
    return made;
  }

  #all(): DenseScalarExecutable {
    const { backend, regime, passes = scalarPasses, shortestRun = backend.shortestRun } = this.#options;
    const order = { regime, output: "all", shortestRun } as const;
    this.#dense ??= backend.buildDense(scalarPlanOf(this.#table, order, passes), this.#precision, regime);
    return this.#dense;
  }
}
