import { floats } from "../../reference/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import { type Graph, idCount, type Node, type NodeOf } from "../../spec/graph/index.ts";
import type { EnvironmentEntry } from "../../spec/operators/index.ts";
import { at, nodeId } from "../../spec/shapes/index.ts";
import type { DataType, FlatTensor } from "../../spec/wire/index.ts";
import { type Case, runReference } from "../case/index.ts";
import { idealCotangents } from "../shrink/index.ts";
import type { Judged } from "./inquiry.ts";

type Differentiate = NodeOf<"differentiate">;
type Mode = Differentiate["attributes"]["mode"];

/** A `differentiate` is wrong alone at these values of its operands and of Δ. */
export interface Within {
  readonly node: Differentiate;
  readonly operands: readonly FlatTensor[];
  readonly entries: ReadonlyMap<string, FlatTensor>;
  readonly environment: readonly EnvironmentEntry[];
}

/** Counts the inner nodes that were judged, and those that are right alone. */
export interface Counted {
  readonly all: number;
  readonly right: number;
}

/**
 * Finds what is wrong by itself in an inner graph, and names it: each inner node is asked as the whole inner
 * graph of as many levels as it stood in, first to last, and the inner graph of a derivative likewise. Else
 * counts the nodes that are right. Cost: a question for each inner node, its operands, and level.
 */
export async function wrongWithin(
  within: Within,
  dtype: DataType,
  judge: (question: Case) => Promise<Judged>,
  around: readonly Mode[] = [],
): Promise<string | Counted> {
  const { graph, mode } = within.node.attributes;
  const modes = [mode, ...around];
  const values = valuesWithin(within, dtype);
  let [all, right] = [0, 0];
  for (const [position, node] of graph.nodes.entries()) {
    const id = graph.inputs.length + position;
    const operands = node.parents.map((parent) => at(values, parent));
    if (node.op === "differentiate") {
      const deeper = await wrongWithin({ ...within, node, operands }, dtype, judge, modes);
      if (typeof deeper === "string") return `in the inner graph of node ${id}, ${deeper}`;
      all += deeper.all;
      right += deeper.right;
    }
    if (node.parents.length === 0) continue;
    const states: Judged[] = [];
    for (const place of node.parents.keys())
      states.push(await judge(alone(node, operands, place, modes, within)));
    if (states.includes("wrong")) return `node ${id} (${node.op})`;
    all += 1;
    if (!states.includes("open")) right += 1;
  }
  return { all, right };
}

/** Computes the value of every id of an inner graph by the reference. */
function valuesWithin({ node, operands, entries }: Within, dtype: DataType): readonly FlatTensor[] {
  const { graph } = node.attributes;
  const inputs = operands.slice(0, graph.inputs.length);
  const question: Case = {
    graph,
    point: { inputs, environment: entriesOf(graph, entries) },
    tangents: inputs.map(({ shape }) => idealCotangents(shape)),
    seeds: [],
  };
  return runReference(question, floats[dtype]).values;
}

/** Asks one node alone, within derivatives of these modes, innermost first, each by one operand. */
function alone(
  node: Node,
  operands: readonly FlatTensor[],
  place: number,
  modes: readonly Mode[],
  { environment, entries }: Within,
): Case {
  const inputs = [...operands];
  let graph: Graph = {
    format: "adjudge.graph.v1",
    inputs: operands.map(({ shape }, index) => ({ name: `operand${index}`, shape })),
    environment,
    nodes: [{ ...node, parents: operands.map((_, index) => nodeId(index)) }],
  };
  for (const mode of modes) {
    const of = nodeId(idCount(graph) - 1);
    const given = idealCotangents(at(shapesOf(graph), mode === "jvp" ? place : of));
    inputs.push(given);
    graph = {
      ...graph,
      inputs: [...graph.inputs, { name: `given${inputs.length}`, shape: given.shape }],
      nodes: [
        {
          op: "differentiate",
          attributes: { graph, mode, of, wrt: nodeId(place) },
          parents: inputs.map((_, index) => nodeId(index)),
        },
      ],
    };
  }
  const last = nodeId(idCount(graph) - 1);
  return {
    graph,
    point: { inputs, environment: entriesOf(graph, entries) },
    tangents: inputs.map(({ shape }) => idealCotangents(shape)),
    seeds: [{ id: last, cotangent: idealCotangents(at(shapesOf(graph), last)) }],
  };
}

function entriesOf(
  { environment }: Graph,
  entries: ReadonlyMap<string, FlatTensor>,
): ReadonlyMap<string, FlatTensor> {
  return new Map([...entries].filter(([name]) => environment.some((entry) => entry.name === name)));
}
