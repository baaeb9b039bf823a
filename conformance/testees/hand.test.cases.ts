import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { DataType, Engine, Program, Reply } from "../../engines/index.ts";
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

/** A tensor; a vector if no shape is given. */
export function tensor(data: readonly number[], shape: Shape = [data.length]): FlatTensor {
  expect(data.length).toBe(sizeOf(shape));
  return { shape, data: Float64Array.from(data) };
}

export const scalar = (value: number): FlatTensor => tensor([value], []);

export const seed = (id: number, cotangent: FlatTensor): Seed => ({ id: nodeId(id), cotangent });

/** A node, whose parents are positions in `Γ ++ ss`. */
export function node<K extends OperatorName>(
  op: K,
  attributes: NodeOf<K>["attributes"],
  ...parents: readonly number[]
): NodeOf<K> {
  return { op, attributes, parents: parents.map(nodeId) };
}

/** An entry of Δ: what is declared, and the value. */
export interface Entry {
  readonly kind: EnvironmentEntry["kind"];
  readonly value: FlatTensor;
}

/** A graph with inputs and an environment of the shapes of the point's tensors. */
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

/** The graph, loaded; a refusal fails the test. */
export async function loaded(engine: Engine, graph: Graph, dtype: DataType): Promise<Program> {
  return resultOf(await engine.load(graph, dtype));
}

/** The value of a reply; anything but a result fails the test. */
export function resultOf<T>(reply: Reply<T>): T {
  if (reply.kind !== "result") expect.fail(`not a result: ${JSON.stringify(reply)}`);
  return reply.value;
}

/** Asks for the values and the cotangents and expects the ones worked out by hand, to the bit. */
export async function expectByHand(engine: Engine, dtype: DataType, question: HandComputed): Promise<void> {
  const program = await loaded(engine, question.graph, dtype);
  expect(resultOf(await program.evaluate(question.point))).toEqual(question.values);
  expect(resultOf(await program.vjp(question.point, question.seeds))).toEqual(question.pulled);
  await program.unload();
}

const empty = tensor([], [0, 2]);

/** Every engine of a library must get these right; at a kink they hold for every convention. */
export const handComputed: readonly HandComputed[] = [
  {
    title: "a value with two consumers gets both cotangents: x·y + x",
    ...question([scalar(3), scalar(4)], [node("multiply", {}, 0, 1), node("add", {}, 2, 0)]),
    seeds: [seed(3, scalar(2))],
    values: [scalar(12), scalar(15)],
    pulled: [scalar(10), scalar(6)],
  },
  {
    title: "an operand used twice by one node gets both contributions: x·x",
    ...question([scalar(3)], [node("multiply", {}, 0, 0)]),
    seeds: [seed(1, scalar(0.5))],
    values: [scalar(9)],
    pulled: [scalar(3)],
  },
  {
    title: "two seeded results both pull back: x·y and x − y",
    ...question([scalar(3), scalar(4)], [node("multiply", {}, 0, 1), node("subtract", {}, 0, 1)]),
    seeds: [seed(2, scalar(2)), seed(3, scalar(5))],
    values: [scalar(12), scalar(-1)],
    pulled: [scalar(13), scalar(1)],
  },
  {
    title: "a seed on an intermediate leaves the nodes after it out",
    ...question([scalar(3)], [node("multiply", {}, 0, 0), node("add", {}, 1, 1)]),
    seeds: [seed(1, scalar(7))],
    values: [scalar(9), scalar(18)],
    pulled: [scalar(42)],
  },
  {
    title: "a seed on an input is part of that input's cotangent",
    ...question([scalar(3), scalar(4)], [node("multiply", {}, 0, 1)]),
    seeds: [seed(0, scalar(10)), seed(2, scalar(1))],
    values: [scalar(12)],
    pulled: [scalar(14), scalar(3)],
  },
  {
    title: "an input that is not used gets zeros of its shape",
    ...question([scalar(3), tensor([1, 2])], [node("negative", {}, 0)]),
    seeds: [seed(2, scalar(1))],
    values: [scalar(-3)],
    pulled: [scalar(-1), tensor([0, 0])],
  },
  {
    title: "tensors without elements have shapes, sums and cotangents",
    ...question([empty], [node("multiply", {}, 0, 0), node("sum", { axes: [0], keepdims: false }, 1)]),
    seeds: [seed(2, tensor([1, 1]))],
    values: [empty, tensor([0, 0])],
    pulled: [empty],
  },
  {
    title: "scalars divide: x / y",
    ...question([scalar(1), scalar(2)], [node("divide", {}, 0, 1)]),
    seeds: [seed(2, scalar(8))],
    values: [scalar(0.5)],
    pulled: [scalar(4), scalar(-2)],
  },
  {
    title: "cotangents of an index that is taken twice add up",
    ...question([tensor([1, 2, 3])], [node("take", { axis: 0, indices: "rows" }, 0)], {
      rows: { kind: "index", value: tensor([2, 0, 2]) },
    }),
    seeds: [seed(1, tensor([1, 10, 100]))],
    values: [tensor([3, 1, 3])],
    pulled: [tensor([10, 0, 101])],
  },
  {
    title: "nothing is taken, and nothing comes back",
    ...question([tensor([1, 2, 3])], [node("take", { axis: 0, indices: "rows" }, 0)], {
      rows: { kind: "index", value: tensor([]) },
    }),
    seeds: [seed(1, tensor([]))],
    values: [tensor([])],
    pulled: [tensor([0, 0, 0])],
  },
  {
    title: "a broadcast's cotangent is summed over the new and over the stretched axis",
    ...question([tensor([1, 2], [2, 1])], [node("broadcast_to", { shape: [2, 2, 2] }, 0)]),
    seeds: [seed(1, tensor([1, 2, 3, 4, 5, 6, 7, 8], [2, 2, 2]))],
    values: [tensor([1, 1, 2, 2, 1, 1, 2, 2], [2, 2, 2])],
    pulled: [tensor([14, 22], [2, 1])],
  },
  {
    title: "a matrix product pulls back entry by entry of the batch",
    ...question(
      [tensor([1, 2, 3, 4], [2, 1, 2]), tensor([5, 6, 7, 8], [2, 2, 1])],
      [node("matmul", {}, 0, 1)],
    ),
    seeds: [seed(2, tensor([1, 10], [2, 1, 1]))],
    values: [tensor([17, 53], [2, 1, 1])],
    pulled: [tensor([5, 6, 70, 80], [2, 1, 2]), tensor([1, 2, 30, 40], [2, 2, 1])],
  },
  {
    title: "a product over no elements is zero",
    ...question([tensor([], [2, 0]), tensor([], [0, 1])], [node("matmul", {}, 0, 1)]),
    seeds: [seed(2, tensor([1, 2], [2, 1]))],
    values: [tensor([0, 0], [2, 1])],
    pulled: [tensor([], [2, 0]), tensor([], [0, 1])],
  },
  {
    title: "where pulls back to the chosen operand, and to a computed condition zero",
    ...question(
      [tensor([1, 0]), tensor([2, 3]), tensor([4, 5])],
      [node("multiply", {}, 0, 0), node("where", {}, 3, 1, 2)],
    ),
    seeds: [seed(4, tensor([10, 20]))],
    values: [tensor([1, 0]), tensor([2, 5])],
    pulled: [tensor([0, 0]), tensor([10, 0]), tensor([0, 20])],
  },
  {
    title: "stop_gradient makes a constant of its operand: x · stop(x)",
    ...question([scalar(3)], [node("stop_gradient", {}, 0), node("multiply", {}, 0, 1)]),
    seeds: [seed(2, scalar(5))],
    values: [scalar(3), scalar(9)],
    pulled: [scalar(15)],
  },
  {
    title: "an environment entry is a factor without a cotangent",
    ...question([tensor([1, 2])], [node("constant", { name: "c" }), node("multiply", {}, 0, 1)], {
      c: { kind: "real", value: tensor([3, 4]) },
    }),
    seeds: [seed(2, tensor([1, 10]))],
    values: [tensor([3, 4]), tensor([3, 8])],
    pulled: [tensor([3, 40])],
  },
  {
    title: "axes are permuted, joined and summed away, and come back the same way",
    ...question(
      [tensor([1, 2, 3, 4, 5, 6], [2, 3, 1])],
      [
        node("permute_dims", { axes: [1, 2, 0] }, 0),
        node("concat", { axis: 2 }, 1, 1),
        node("sum", { axes: [2], keepdims: true }, 2),
        node("reshape", { shape: [3] }, 3),
      ],
    ),
    seeds: [seed(4, tensor([1, 10, 100]))],
    values: [
      tensor([1, 4, 2, 5, 3, 6], [3, 1, 2]),
      tensor([1, 4, 1, 4, 2, 5, 2, 5, 3, 6, 3, 6], [3, 1, 4]),
      tensor([10, 14, 18], [3, 1, 1]),
      tensor([10, 14, 18]),
    ],
    pulled: [tensor([2, 20, 200, 2, 20, 200], [2, 3, 1])],
  },
];

/** Asks at a tie, at relu's kink and under the smallest normal number, and expects what the engine declares. */
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

/** The first entry of each input's cotangent for a seed of ones at the last id. */
async function firstPulled(
  engine: Engine,
  dtype: DataType,
  { graph, point }: Pick<HandComputed, "graph" | "point">,
): Promise<readonly number[]> {
  const program = await loaded(engine, graph, dtype);
  const cotangents = resultOf(await program.vjp(point, [seed(point.inputs.length, tensor([1, 1]))]));
  return cotangents.map(({ data }) => present(data[0], "the first entry"));
}

/** Expects the functions of one variable to be the ones of their names, with their derivatives, to five digits. */
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

/** Sends a `hello` to the testee in `file` and ends its input: its replies, and the code it exits with. */
export function greet(file: URL): { readonly replies: readonly unknown[]; readonly code: number | null } {
  const input = '{"id":1,"kind":"hello","protocol":1}\n';
  const { stdout, status } = spawnSync(process.execPath, [fileURLToPath(file)], { input, encoding: "utf8" });
  const replies = stdout
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  return { replies, code: status };
}
