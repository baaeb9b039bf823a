import { interpreterEngine } from "../../engines/interpreter/index.ts";
import { type PositCode, type PositEngine, positEngine } from "../../engines/posit/index.ts";
import {
  backpropSparse,
  type Context,
  type EnvironmentValue,
  Exhausted,
  evaluate,
  float64,
  type Graph,
  interpret,
  jvpCtx,
  map,
  type Tensor,
  zeros,
} from "../../reference/index.ts";
import {
  type Description,
  type Engine,
  expanding,
  type LoadedGraph,
  type Reply,
  referenceConventions,
} from "../../spec/contract/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import { isPrimitiveGraph, type Point, type PrimitiveGraph, type Seed } from "../../spec/graph/index.ts";
import {
  type BinaryName,
  binaryNames,
  elementary,
  primitiveNames,
  type UnaryName,
  unaryNames,
} from "../../spec/operators/index.ts";
import {
  type Additive,
  type Algebra,
  everyLevel,
  nodeId,
  present,
  type Shape,
} from "../../spec/shapes/index.ts";
import {
  type FlatTensor,
  type PositType,
  positFormats,
  positName,
  positTypes,
} from "../../spec/wire/index.ts";

/** Engines for posits, by precision; a faulty one differs only here. */
export type PositEngines = { readonly [T in PositType]?: PositEngine };

/** An engine rounds for each term of a sum, or once for the whole sum, in a quire. */
export type PositSums = "rounded" | "quire";

const right: PositEngines = Object.fromEntries(
  positTypes.map((dtype) => [dtype, positEngine(positFormats[dtype])]),
);

/**
 * The error of a function in units in the last place: half from the last rounding, and less than a hundredth
 * from the host's double, which has so many more digits than a posit of 32 bits.
 */
const FUNCTION_ULPS = 0.51;

const accuracy = Object.fromEntries(
  [...unaryNames, ...binaryNames].filter((name) => name !== "sqrt").map((name) => [name, FUNCTION_ULPS]),
);

/**
 * Makes an engine of {@link positEngine}: the reference's rules over codes of posits. Questions and answers
 * are the numbers of codes, NaN for NaR. It does not promise `solve` and `det`, which have no bounds.
 */
export function judgedPosits(
  sums: PositSums = "rounded",
  engines: PositEngines = right,
  name: string = sums === "quire" ? "adjudge posits in a quire" : "adjudge posits",
): Engine {
  const description: Description = {
    name,
    version: "0.1.0",
    language: "TypeScript",
    links: [],
    dtypes: positTypes.filter((dtype) => engines[dtype] !== undefined),
    operators: primitiveNames.filter((op) => op !== "solve" && op !== "det"),
    modes: ["evaluate", "jvp", "vjp", "backward_dense"],
    conventions: referenceConventions,
    accuracy,
    repeatable: true,
    accumulation: accumulationOf(sums),
  };
  return expanding({
    describe: () => description,
    load: async (graph, dtype) => {
      const posits = positTypes.find((known) => known === dtype);
      const engine = posits && engines[posits];
      if (engine === undefined) return { kind: "unsupported", reason: `no arithmetic in ${dtype}` };
      if (!isPrimitiveGraph(graph)) return { kind: "unsupported", reason: "the graph has composites" };
      return loaded(graph, engine, positAlgebra(engine, sums));
    },
    [Symbol.asyncDispose]: async () => {},
  });
}

/** Says how sums are made: term after term, or in a quire. */
function accumulationOf(sums: PositSums): NonNullable<Description["accumulation"]> {
  const { accumulation = {} } = interpreterEngine().describe();
  if (sums === "rounded") return accumulation;
  return Object.fromEntries(Object.keys(accumulation).map((op) => [op, { width: "exact" }]));
}

/** Makes the algebra of posits by their codes, over which the reference's rules compute. */
function positAlgebra(engine: PositEngine, sums: PositSums): Algebra<PositCode, boolean> {
  const { notReal, fromNumber, toNumber, dot } = engine;
  const reals = present(float64.levels.orderedReal, "the host's functions");
  const one = fromNumber(1);
  const unary = (name: UnaryName) => (x: PositCode) =>
    name === "sqrt" ? engine.sqrt(x) : functionOf(engine, name, [x], reals[name](toNumber(x)));
  const binary = (name: BinaryName) => (x: PositCode, y: PositCode) =>
    functionOf(engine, name, [x, y], reals[name](toNumber(x), toNumber(y)));
  const operations = {
    ...elementary(unary, binary),
    zero: 0,
    one,
    detach: (x: PositCode) => x,
    literal: fromNumber,
    add: engine.add,
    multiply: engine.multiply,
    divide: engine.divide,
    negative: engine.negative,
    less: (x: PositCode, y: PositCode) => x < y,
    equal: (x: PositCode, y: PositCode) => x === y,
    select: (condition: boolean, x: PositCode, y: PositCode) => (condition ? x : y),
    floor: engine.floor,
    ...(sums === "quire" && {
      sum: (terms: readonly PositCode[]) =>
        dot(
          terms,
          terms.map(() => one),
        ),
      dot,
    }),
  };
  return {
    name: positName(engine.format),
    additive: operations,
    levels: everyLevel(operations),
    isSame: (x, y) => x === y,
    format: (x) => (x === notReal ? "NaR" : String(toNumber(x))),
    parse: (text) => fromNumber(Number(text)),
  };
}

/** These functions leave the range of doubles where they have a value. */
const growing: ReadonlySet<UnaryName | BinaryName> = new Set(["exp", "expm1", "sinh", "cosh", "pow"]);

/** Rounds the host's double of a function: to the end of the range beyond it, to NaR without a value. */
function functionOf(
  { notReal, fromNumber }: PositEngine,
  name: UnaryName | BinaryName,
  operands: readonly PositCode[],
  value: number,
): PositCode {
  if (operands.includes(notReal)) return notReal;
  if (name !== "hypot" && operands.length === 2 && operands.every((x) => x === 0)) return notReal;
  const isPole = name === "pow" && operands[0] === 0;
  if (!growing.has(name) || isPole) return fromNumber(value);
  if (value === 0 && name !== "sinh" && name !== "expm1") return 1;
  return fromNumber(Math.max(-Number.MAX_VALUE, Math.min(value, Number.MAX_VALUE)));
}

function loaded(
  graph: PrimitiveGraph,
  engine: PositEngine,
  algebra: Algebra<PositCode, boolean>,
): Reply<LoadedGraph> {
  const made = interpret(graph, algebra);
  if (!made.ok) return { kind: "unsupported", reason: made.error.map(({ message }) => message).join(" ") };
  return { kind: "result", value: new LoadedPosits(graph, engine, algebra.additive, made.value) };
}

/** A graph over posits. */
class LoadedPosits implements LoadedGraph {
  readonly #written: PrimitiveGraph;
  readonly #engine: PositEngine;
  readonly #additive: Additive<PositCode>;
  readonly #graph: Graph<PositCode>;
  readonly #shapes: readonly Shape[];

  constructor(
    written: PrimitiveGraph,
    engine: PositEngine,
    additive: Additive<PositCode>,
    graph: Graph<PositCode>,
  ) {
    this.#written = written;
    this.#engine = engine;
    this.#additive = additive;
    this.#graph = graph;
    this.#shapes = shapesOf(written);
  }

  async evaluate(point: Point): Promise<Reply<readonly FlatTensor[]>> {
    return this.#answered(() => this.#ofNodes(evaluate(this.#graph, ...this.#at(point))));
  }

  async jvp(point: Point, tangents: readonly FlatTensor[]): Promise<Reply<readonly FlatTensor[]>> {
    return this.#answered(() => {
      const [x, environment] = this.#at(point);
      return this.#ofNodes(jvpCtx(this.#graph, x, tangents.map(this.#read), environment));
    });
  }

  async vjp(point: Point, seeds: readonly Seed[]): Promise<Reply<readonly FlatTensor[]>> {
    return this.#answered(() => this.#swept(point, seeds).slice(0, point.inputs.length));
  }

  async backwardDense(point: Point, seeds: readonly Seed[]): Promise<Reply<readonly FlatTensor[]>> {
    return this.#answered(() => this.#swept(point, seeds));
  }

  async unload(): Promise<void> {}

  readonly #read = ({ shape, data }: FlatTensor): Tensor<PositCode> => ({
    shape,
    data: Array.from(data, this.#engine.fromNumber),
  });

  #ofNodes(context: Context<PositCode>): Context<PositCode> {
    return context.slice(this.#written.inputs.length);
  }

  #at({ inputs, environment }: Point): [Context<PositCode>, Map<string, EnvironmentValue<PositCode>>] {
    const entries = this.#written.environment.map(
      ({ name, kind, shape }): [string, EnvironmentValue<PositCode>] => {
        const flat = present(environment.get(name), "an entry of Δ");
        return [
          name,
          kind === "real" ? { kind, tensor: this.#read(flat) } : { kind, shape, indices: [...flat.data] },
        ];
      },
    );
    return [inputs.map(this.#read), new Map(entries)];
  }

  #swept(point: Point, seeds: readonly Seed[]): Context<PositCode> {
    const [x, environment] = this.#at(point);
    const seed = new Map(seeds.map(({ id, cotangent }) => [id, this.#read(cotangent)]));
    const cotangents = backpropSparse(this.#additive, this.#graph, x, environment, seed);
    return this.#shapes.map((shape, id) => cotangents.get(nodeId(id)) ?? zeros(this.#additive, shape));
  }

  /** Answers; an engine never rejects, unless whoever asks has run out of time. */
  #answered(ask: () => Context<PositCode>): Reply<readonly FlatTensor[]> {
    try {
      const value = ask().map((codes) => {
        const { shape, data } = map(codes, this.#engine.toNumber);
        return { shape, data: Float64Array.from(data) };
      });
      return { kind: "result", value };
    } catch (problem) {
      if (problem instanceof Exhausted) throw problem;
      return { kind: "crashed", message: String(problem) };
    }
  }
}
