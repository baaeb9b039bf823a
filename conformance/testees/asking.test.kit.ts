import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect } from "vitest";
import type { DataType, Engine, LoadedGraph, Reply } from "../../engines/index.ts";
import {
  type EnvironmentEntry,
  type FlatTensor,
  type Graph,
  type Node,
  type NodeOf,
  nodeId,
  type OperatorName,
  type Point,
  present,
  type Seed,
  type Shape,
  sizeOf,
} from "../../spec/index.ts";
import { ProcessEngine } from "../runner/engine.ts";
import type { Command } from "../runner/process.ts";

/** A question whose answers were worked out by hand, in numbers that float32 holds exactly. */
export interface HandComputed {
  readonly title: string;
  readonly graph: Graph;
  readonly point: Point;
  readonly seeds: readonly Seed[];
  /** The value of every node. */
  readonly values: readonly FlatTensor[];
  /** The cotangent of every input. */
  readonly pulled: readonly FlatTensor[];
}

/** Makes a tensor; a vector if no shape is given. */
export function tensor(data: readonly number[], shape: Shape = [data.length]): FlatTensor {
  expect(data.length).toBe(sizeOf(shape));
  return { shape, data: Float64Array.from(data) };
}

export const scalar = (value: number): FlatTensor => tensor([value], []);

export const seed = (id: number, cotangent: FlatTensor): Seed => ({ id: nodeId(id), cotangent });

/** Makes a node, whose parents are positions in `Γ ++ ss`. */
export function node<K extends OperatorName>(
  op: K,
  attributes: NodeOf<K>["attributes"],
  ...parents: readonly number[]
): NodeOf<K> {
  return { op, attributes, parents: parents.map(nodeId) };
}

/** An entry of Δ: its declaration and its value. */
export interface Entry {
  readonly kind: EnvironmentEntry["kind"];
  readonly value: FlatTensor;
}

/** Makes a graph whose inputs and environment have the shapes of the point's tensors. */
export function question(
  inputs: readonly FlatTensor[],
  nodes: readonly Node[],
  environment: Readonly<Record<string, Entry>> = {},
): { readonly graph: Graph; readonly point: Point } {
  const entries = Object.entries(environment);
  return {
    graph: {
      format: "adjudge.graph.v1",
      inputs: inputs.map(({ shape }, i) => ({ name: `x${i}`, shape })),
      environment: entries.map(([name, { kind, value }]) => ({ name, shape: value.shape, kind })),
      nodes,
    },
    point: { inputs, environment: new Map(entries.map(([name, { value }]) => [name, value])) },
  };
}

/** Loads a graph; a refusal fails the test. */
export async function loaded(engine: Engine, graph: Graph, dtype: DataType): Promise<LoadedGraph> {
  return resultOf(await engine.load(graph, dtype));
}

/** Returns the value of a reply; anything but a result fails the test. */
export function resultOf<T>(reply: Reply<T>): T {
  if (reply.kind !== "result") expect.fail(`not a result: ${JSON.stringify(reply)}`);
  return reply.value;
}

/** Asks for values and cotangents, and expects the hand-computed ones, to the bit. */
export async function expectByHand(engine: Engine, dtype: DataType, question: HandComputed): Promise<void> {
  const program = await loaded(engine, question.graph, dtype);
  expect(resultOf(await program.evaluate(question.point))).toEqual(question.values);
  expect(resultOf(await program.vjp(question.point, question.seeds))).toEqual(question.pulled);
  await program.unload();
}

/** Asks at a tie, at relu's kink and below normal numbers, and expects what the engine declares. */
export async function expectDeclaredConventions(engine: Engine, dtype: DataType): Promise<void> {
  const { conventions } = engine.describe();
  const tie = question([tensor([2, 1]), tensor([2, 1])], [node("maximum", {}, 0, 1)]);
  const ofTie = { first: [1, 0], second: [0, 1], split: [0.5, 0.5], both: [1, 1], neither: [0, 0] };
  expect(await firstPulled(engine, dtype, tie)).toEqual(ofTie[conventions.maximumAtTie]);
  const kink = question([tensor([0, 1])], [node("relu", {}, 0)]);
  expect(await firstPulled(engine, dtype, kink)).toEqual([
    { zero: 0, half: 0.5, one: 1 }[conventions.reluAtZero],
  ]);
  const smallest = dtype === "float32" ? 2 ** -126 : 2 ** -1022;
  const under = question([tensor([smallest, 1]), tensor([0.5, 0.25])], [node("multiply", {}, 0, 1)]);
  const program = await loaded(engine, under.graph, dtype);
  const product = conventions.subnormals === "gradual" ? smallest / 2 : 0;
  expect(resultOf(await program.evaluate(under.point))).toEqual([tensor([product, 0.25])]);
}

/** Returns the first entry of each input's cotangent for a seed of ones at the last id. */
async function firstPulled(
  engine: Engine,
  dtype: DataType,
  { graph, point }: Pick<HandComputed, "graph" | "point">,
): Promise<readonly number[]> {
  const program = await loaded(engine, graph, dtype);
  const cotangents = resultOf(await program.vjp(point, [seed(point.inputs.length, tensor([1, 1]))]));
  return cotangents.map(({ data }) => present(data[0], "the first entry"));
}

/** Reshapes −0, infinities, NaN, a subnormal and 0.1, and expects them back in the precision. */
export async function expectSpecialNumbers(engine: Engine, dtype: DataType): Promise<void> {
  const smallest = dtype === "float32" ? 2 ** -149 : Number.MIN_VALUE;
  const given = tensor([0, -0, Infinity, -Infinity, Number.NaN, smallest, 0.1]);
  const { graph, point } = question([given], [node("reshape", { shape: [7] }, 0)]);
  const program = await loaded(engine, graph, dtype);
  const rounded = dtype === "float32" ? tensor([...given.data].map(Math.fround)) : given;
  expect(resultOf(await program.evaluate(point))).toEqual([rounded]);
}

/** Seeds several ids of `x y + x`, and expects the cotangent of every id; zeros without seeds. */
export async function expectDenseCotangents(engine: Engine): Promise<void> {
  const nodes = [node("multiply", {}, 0, 1), node("add", {}, 2, 0)];
  const { graph, point } = question([scalar(3), scalar(4)], nodes);
  const program = await loaded(engine, graph, "float64");
  const seeds = [seed(2, scalar(10)), seed(0, scalar(100)), seed(3, scalar(1))];
  expect(resultOf(await program.backwardDense(point, seeds))).toEqual([145, 33, 11, 1].map(scalar));
  expect(resultOf(await program.vjp(point, seeds))).toEqual([145, 33].map(scalar));
  expect(resultOf(await program.vjp(point, []))).toEqual([0, 0].map(scalar));
}

/** Expects slopes at a constant 0, and at one that is chosen, of the right sign; −0 has another. */
export async function expectSlopesAtZero(engine: Engine): Promise<void> {
  const infinite = scalar(Number.POSITIVE_INFINITY);
  const zero = { c: { kind: "real", value: scalar(0) } } as const;
  const root = question([], [node("constant", { name: "c" }), node("sqrt", {}, 0)], zero);
  const ofRoot = await loaded(engine, root.graph, "float64");
  expect(resultOf(await ofRoot.backwardDense(root.point, [seed(1, scalar(3))]))[0]).toEqual(infinite);
  const quotient = question([scalar(-1), scalar(3)], [node("relu", {}, 0), node("divide", {}, 1, 2)]);
  const ofQuotient = await loaded(engine, quotient.graph, "float64");
  expect(resultOf(await ofQuotient.vjp(quotient.point, [seed(3, scalar(3))]))[1]).toEqual(infinite);
}

/** Reads at rows of indices and adds there, at one of them twice. */
export async function expectRowsOfIndices(engine: Engine): Promise<void> {
  const rows = { i: { kind: "index", value: tensor([1, 0, 0, 1, 1, 0], [3, 2]) } } as const;
  const nodes = [node("gather", { indices: "i" }, 0), node("scatter_add", { indices: "i" }, 0, 1)];
  const { graph, point } = question([tensor([1, 2, 3, 4], [2, 2])], nodes, rows);
  const program = await loaded(engine, graph, "float64");
  expect(resultOf(await program.evaluate(point))).toEqual([tensor([3, 2, 3]), tensor([1, 4, 9, 4], [2, 2])]);
}

/** Expects the functions of one variable and their derivatives by name, to five digits. */
export async function expectNamedFunctions(engine: Engine, dtype: DataType): Promise<void> {
  const x = 0.75;
  const functions = {
    exp: [Math.exp(x), Math.exp(x)],
    log: [Math.log(x), 1 / x],
    sin: [Math.sin(x), Math.cos(x)],
    cos: [Math.cos(x), -Math.sin(x)],
    tanh: [Math.tanh(x), 1 / Math.cosh(x) ** 2],
    sqrt: [Math.sqrt(x), 0.5 / Math.sqrt(x)],
  } as const;
  const names = ["exp", "log", "sin", "cos", "tanh", "sqrt"] as const;
  for (const name of names) {
    const { graph, point } = question([tensor([x, 1])], [node(name, {}, 0)]);
    const program = await loaded(engine, graph, dtype);
    const [value] = resultOf(await program.evaluate(point));
    const [pulled] = resultOf(await program.vjp(point, [seed(1, tensor([1, 0]))]));
    expect(value?.data[0], name).toBeCloseTo(functions[name][0], 5);
    expect(pulled?.data[0], `derivative of ${name}`).toBeCloseTo(functions[name][1], 5);
  }
}

/** Starts an adapter before the tests of a `describe`, and ends it after them; tests call the result. */
export function processStarted(command: Command | undefined): () => Engine {
  let engine: ProcessEngine | undefined;
  beforeAll(async () => {
    if (command === undefined) return;
    const started = await ProcessEngine.start(command);
    if (!started.ok) throw new Error(JSON.stringify(started.error));
    engine = started.value;
  });
  afterAll(() => engine?.[Symbol.asyncDispose]());
  return () => engine ?? expect.unreachable("the engine was not started");
}

/** Sends `hello` to the testee in `file`, ends its input, and returns its replies and its exit code. */
export function greet(file: URL): { readonly replies: readonly unknown[]; readonly code: number | null } {
  const input = '{"id":1,"kind":"hello","protocol":1}\n';
  const { stdout, status } = spawnSync(process.execPath, [fileURLToPath(file)], { input, encoding: "utf8" });
  const replies = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));
  return { replies, code: status };
}
