import { expand, shapesOf } from "../spec/expansion/index.ts";
import type { PrimitiveGraph, Graph as WrittenGraph } from "../spec/graph/index.ts";
import {
  type Algebra,
  counted,
  fail,
  type Issue,
  type NodeId,
  ok,
  pointerTo,
  type Result,
  type Shape,
  sizeOf,
} from "../spec/shapes/index.ts";
import type { ExactTensorJson, TraceJson } from "../spec/wire/index.ts";
import { integer } from "./algebras/integer.ts";
import { compile } from "./compile.ts";
import { type Context, dense, type SparseContext } from "./context.ts";
import type { Environment, EnvironmentValue } from "./environment.ts";
import { interpret } from "./interpret.ts";
import type { Graph } from "./lawful.ts";
import { backpropAllCtx, backpropSparse } from "./sweep.ts";
import { map, type Tensor } from "./tensor.ts";

/** A run's numbers as they are written: texts for each input, entry of Δ and seeded id. */
export interface RunTexts {
  readonly inputs: readonly (readonly string[])[];
  readonly environment: ReadonlyMap<string, readonly string[]>;
  readonly seeds: ReadonlyMap<number, readonly string[]>;
}

/** A run that was read: a graph over an algebra, composites written out, and its first numbers. */
export interface ReadRun<S> {
  readonly program: PrimitiveGraph;
  readonly shapes: readonly Shape[];
  /** Each id of the graph as it was given has here the id of the graph that was written out. */
  readonly ids: readonly NodeId[];
  readonly graph: Graph<S>;
  readonly inputs: Context<S>;
  readonly environment: Environment<S>;
  readonly seeds: SparseContext<S>;
}

/** Reads a run's numbers into an algebra. Fails: `algebra/missing`, `run/count`, `run/number`, `run/seed`. */
export function readRun<S, B>(
  original: WrittenGraph,
  algebra: Algebra<S, B>,
  texts: RunTexts,
): Result<ReadRun<S>, Issue[]> {
  const { graph: program, ids } = expand(original);
  const shapes = shapesOf(program);
  const graph = interpret(program, algebra);
  const x = program.inputs.map(({ shape }, id) =>
    parseTensor(algebra, shape, texts.inputs[id] ?? [], `/inputs/${id}`),
  );
  const environment = parseEnvironment(program, algebra, texts);
  const read = [...texts.seeds].map(([id, numbers]) => parseSeed(algebra, shapes, id, ids[id], numbers));
  const issues = [graph, ...x, environment, ...read].flatMap((part) => (part.ok ? [] : part.error));
  if (!graph.ok || !environment.ok || issues.length > 0) return fail(issues);
  const inputs = x.flatMap((part) => (part.ok ? [part.value] : []));
  const seeds = new Map(read.flatMap((part) => (part.ok ? [part.value] : [])));
  return ok({ program, shapes, ids, graph: graph.value, inputs, environment: environment.value, seeds });
}

/**
 * Runs a graph over an algebra and records it, composites written out: every id's value and its cotangent in
 * the dense or sparse form. Fails: as {@link readRun} and {@link compile} do.
 */
export function traceOf<S, B>(
  original: WrittenGraph,
  algebra: Algebra<S, B>,
  texts: RunTexts,
  form: "dense" | "sparse",
): Result<TraceJson, Issue[]> {
  const read = readRun(original, algebra, texts);
  if (!read.ok) return read;
  const { program, shapes, graph, inputs, environment, seeds } = read.value;
  const compiled = compile(algebra.additive, graph, inputs, environment, "sparse");
  if (!compiled.ok) return fail([compiled.error]);
  const { additive } = algebra;
  const cotangents: Context<S> =
    form === "dense"
      ? backpropAllCtx(additive, graph, inputs, environment, dense(additive, shapes, seeds))
      : dense(additive, shapes, backpropSparse(additive, graph, inputs, environment, seeds));
  const written = (t: Tensor<S>): ExactTensorJson => ({
    shape: t.shape,
    data: map(t, (s) => algebra.format(s)).data,
  });
  return ok({
    format: "adjudge.trace.v1",
    algebra: algebra.name,
    graph: program,
    point: { inputs: inputs.map(written), environment: writtenEnvironment(environment, written) },
    seeds: [...seeds].map(([id, cotangent]) => ({ id, cotangent: written(cotangent) })),
    form,
    values: compiled.value.context.map(written),
    cotangents: cotangents.map(written),
  });
}

function writtenEnvironment<S>(
  environment: Environment<S>,
  written: (t: Tensor<S>) => ExactTensorJson,
): TraceJson["point"]["environment"] {
  return Object.fromEntries(
    [...environment].map(([name, value]) => [
      name,
      value.kind === "real" ? written(value.tensor) : { shape: value.shape, data: value.indices.map(String) },
    ]),
  );
}

function parseTensor<S, B>(
  algebra: Algebra<S, B>,
  shape: Shape,
  numbers: readonly string[],
  pointer: string,
): Result<Tensor<S>, Issue[]> {
  if (numbers.length !== sizeOf(shape)) {
    return fail([
      {
        code: "run/count",
        pointer,
        message: `${counted(numbers.length, "number")} given for a tensor of ${sizeOf(shape)}.`,
        hint: "give every element, in row-major order",
      },
    ]);
  }
  const data: S[] = [];
  for (const text of numbers) {
    const x = algebra.parse(text.trim());
    if (x === undefined) return fail([unreadable(algebra, text, pointer)]);
    data.push(x);
  }
  return ok({ shape, data });
}

function unreadable(
  { name, notation = DEFAULT_NOTATION }: { readonly name: string; readonly notation?: string },
  text: string,
  pointer: string,
): Issue {
  return {
    code: "run/number",
    pointer,
    message: `${JSON.stringify(text.slice(0, 40))} is no number of the ${name} algebra.`,
    hint: `write ${notation}`,
  };
}

const DEFAULT_NOTATION = "integers, decimals, fractions p/q or hex floats, as far as the algebra has them";

function parseSeed<S, B>(
  algebra: Algebra<S, B>,
  shapes: readonly Shape[],
  id: number,
  place: NodeId | undefined,
  numbers: readonly string[],
): Result<readonly [NodeId, Tensor<S>], Issue[]> {
  const shape = shapes[place ?? shapes.length];
  if (shape === undefined || place === undefined) {
    return fail([
      {
        code: "run/seed",
        pointer: `/seeds/${id}`,
        message: `there is no id ${id}.`,
        hint: "ids count inputs first, then nodes",
      },
    ]);
  }
  const cotangent = parseTensor(algebra, shape, numbers, `/seeds/${id}`);
  return cotangent.ok ? ok([place, cotangent.value] as const) : cotangent;
}

function parseEnvironment<S, B>(
  program: WrittenGraph,
  algebra: Algebra<S, B>,
  texts: RunTexts,
): Result<Environment<S>, Issue[]> {
  const entries = new Map<string, EnvironmentValue<S>>();
  const issues: Issue[] = [];
  for (const { name, kind, shape } of program.environment) {
    const numbers = texts.environment.get(name) ?? [];
    const pointer = pointerTo("/environment", name);
    if (kind === "index") {
      // Indices are the same in every algebra, and a case writes them as it writes floats: 0x1p+0.
      const read = parseTensor(integer, shape, numbers, pointer);
      if (read.ok) entries.set(name, { kind, shape, indices: read.value.data.map(Number) });
      else issues.push(...read.error);
    } else {
      const read = parseTensor(algebra, shape, numbers, pointer);
      if (read.ok) entries.set(name, { kind, tensor: read.value });
      else issues.push(...read.error);
    }
  }
  return issues.length > 0 ? fail(issues) : ok(entries);
}
