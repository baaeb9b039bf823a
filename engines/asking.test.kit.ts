import type { Engine, LoadedGraph, Reply } from "../spec/contract/index.ts";
import {
  type EnvironmentEntry,
  type FlatTensor,
  type Graph,
  type Node,
  type NodeOf,
  nodeId,
  type OperatorName,
  type Point,
  type Seed,
  type Shape,
} from "../spec/index.ts";
import type { DataType } from "../spec/wire/index.ts";

/** Makes a tensor; a vector if no shape is given. */
export function tensor(data: readonly number[], shape: Shape = [data.length]): FlatTensor {
  return { shape, data: Float64Array.from(data) };
}

export const scalar = (value: number): FlatTensor => tensor([value], []);

/** Makes a node, whose parents are positions in `Γ ++ ss`. */
export function node<K extends OperatorName>(
  op: K,
  attributes: NodeOf<K>["attributes"],
  ...parents: readonly number[]
): NodeOf<K> {
  return { op, attributes, parents: parents.map(nodeId) };
}

export const seed = (id: number, cotangent: FlatTensor): Seed => ({ id: nodeId(id), cotangent });

/** An entry of Δ: its kind and its value. */
export type Entry = readonly [EnvironmentEntry["kind"], FlatTensor];

/** A graph and its point. */
export interface Question {
  readonly graph: Graph;
  readonly point: Point;
}

/** Makes a graph whose inputs and environment have the shapes of the point's tensors. */
export function question(
  inputs: readonly FlatTensor[],
  nodes: readonly Node[],
  environment: Readonly<Record<string, Entry>> = {},
): Question {
  const entries = Object.entries(environment);
  return {
    graph: {
      format: "adjudge.graph.v1",
      inputs: inputs.map(({ shape }, n) => ({ name: `x${n}`, shape })),
      environment: entries.map(([name, [kind, { shape }]]) => ({ name, shape, kind })),
      nodes,
    },
    point: { inputs, environment: new Map(entries.map(([name, [, value]]) => [name, value])) },
  };
}

/** Returns the value of a reply; anything but a result fails the test. */
export function resultOf<T>(reply: Reply<T>): T {
  if (reply.kind !== "result") throw new Error(`not a result: ${JSON.stringify(reply)}`);
  return reply.value;
}

/** Loads a graph; a refusal fails the test. */
export async function loaded(
  engine: Engine,
  graph: Graph,
  dtype: DataType = "float64",
): Promise<LoadedGraph> {
  return resultOf(await engine.load(graph, dtype));
}
