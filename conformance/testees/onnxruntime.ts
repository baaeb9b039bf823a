import process from "node:process";
import type { OperatorName } from "../../spec/composites/index.ts";
import type { Engine, LoadedGraph, Reply } from "../../spec/contract/index.ts";
import type { Graph, Point } from "../../spec/graph/index.ts";
import { nodeId, type Shape } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { writeOnnx, writtenOperators } from "../models/index.ts";
import { serveOptional } from "./optional.ts";

const onnxRuntimePackage = "onnxruntime-node";

/** What is used of the package, whose types are there only where it is installed. */
interface Runtime {
  readonly env: { readonly versions: { readonly node: string } };
  readonly InferenceSession: {
    create(model: Uint8Array, options: object): Promise<Session>;
  };
  readonly Tensor: new (
    type: string,
    data: ArrayLike<number> | BigInt64Array,
    dims: readonly number[],
  ) => Tensor;
}

interface Tensor {
  readonly dims: readonly number[];
  readonly data: ArrayLike<number>;
}

interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
  release(): Promise<void>;
}

/** One thread adds in one order; an error is an answer, and needs no line in a log. */
const options = {
  executionProviders: ["cpu"],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  logSeverityLevel: 4,
};

/** The runtime has no kernels of these operators for doubles, or of what they are written with. */
const onlyFloat32: ReadonlySet<OperatorName> = new Set<OperatorName>([
  ...(["tan", "asin", "acos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh", "erf", "det"] as const),
  ...(["softplus", "leaky_relu", "elu", "gelu", "conv", "conv_transpose", "avg_pool"] as const),
]);

/**
 * Makes an engine of ONNX Runtime, which computes the values of what `adjudge export` writes of a graph, in
 * one precision, as it has fewer operators in float64. Its optimiser is on, as it is unless users say more.
 */
export async function onnxRuntimeEngine(only: "float32" | "float64"): Promise<Engine> {
  // The name is no literal, since the package is not among those that types are read of.
  const name: string = onnxRuntimePackage;
  const { default: runtime }: { readonly default: Runtime } = await import(name);
  const operators =
    only === "float32" ? writtenOperators : writtenOperators.filter((op) => !onlyFloat32.has(op));
  return {
    describe: () => ({
      name: "ONNX Runtime",
      version: runtime.env.versions.node,
      language: "C++",
      links: ["https://github.com/microsoft/onnxruntime", "https://onnxruntime.ai"],
      dtypes: [only],
      operators,
      modes: ["evaluate"],
      conventions: {
        maximumAtTie: "first",
        reluAtZero: "zero",
        compositeKinks: "own",
        subnormals: "gradual",
        zeros: "unsigned",
      },
      accuracy: {},
    }),
    load: (graph, dtype) =>
      dtype === only ? loaded(runtime, graph, only) : Promise.resolve(lacks(`it was asked for in ${only}`)),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

async function loaded(
  runtime: Runtime,
  graph: Graph,
  dtype: "float32" | "float64",
): Promise<Reply<LoadedGraph>> {
  const outputs = graph.nodes.map((_, place) => nodeId(graph.inputs.length + place));
  const model = writeOnnx(graph, { dtype, outputs });
  if (!model.ok) return lacks(model.error.map(({ message }) => message).join(" "));
  const session = await tried(() => runtime.InferenceSession.create(model.value.data, options));
  if (session.kind !== "result") return session;
  const { value } = session;
  const withoutDerivatives = async () => lacks("ONNX Runtime computes values alone");
  return {
    kind: "result",
    value: {
      evaluate: (point) => tried(() => valuesOf(runtime, value, graph, point, dtype)),
      jvp: withoutDerivatives,
      vjp: withoutDerivatives,
      backwardDense: withoutDerivatives,
      unload: () => value.release(),
    },
  };
}

async function valuesOf(
  { Tensor }: Runtime,
  session: Session,
  graph: Graph,
  point: Point,
  dtype: "float32" | "float64",
): Promise<readonly FlatTensor[]> {
  const inputs = graph.inputs.map(({ shape }, place) => ({
    shape,
    kind: "data",
    given: point.inputs[place],
  }));
  const entries = graph.environment.map(({ name, kind, shape }) => ({
    shape,
    kind,
    given: point.environment.get(name),
  }));
  const feeds = [...inputs, ...entries].map(({ shape, kind, given }, place) => {
    const data = given?.data ?? Float64Array.of();
    const tensor =
      kind === "index"
        ? new Tensor(
            "int64",
            BigInt64Array.from(data, (x) => BigInt(x)),
            shape,
          )
        : new Tensor(dtype, dtype === "float32" ? Float32Array.from(data) : Float64Array.from(data), shape);
    return [session.inputNames[place] ?? "", tensor] as const;
  });
  const results = await session.run(Object.fromEntries(feeds));
  return session.outputNames.map((name) => {
    const { dims, data } = results[name] ?? { dims: [], data: [] };
    const shape: Shape = dims;
    return { shape, data: Float64Array.from(data) };
  });
}

/** Answers with what an action gives; what the runtime has no implementation for is no fault. */
async function tried<T>(action: () => Promise<T>): Promise<Reply<T>> {
  try {
    return { kind: "result", value: await action() };
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return /NOT_IMPLEMENTED|Could not find an implementation/.test(message)
      ? lacks(message)
      : { kind: "error", message };
  }
}

function lacks(reason: string): Reply<never> {
  return { kind: "unsupported", reason };
}

if (import.meta.main)
  await serveOptional(
    () => onnxRuntimeEngine(process.argv.includes("--double") ? "float64" : "float32"),
    onnxRuntimePackage,
  );
