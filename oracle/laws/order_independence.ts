import { type Graph, type NodeId, nodeId, present } from "../../spec/index.ts";
import type { Case } from "../case.ts";
import type { Law } from "../judge/ask.ts";
import { agrees } from "../judge/outcome.ts";
import { allAnswered, broken, firstDifference } from "./answers.ts";
import { inTurn } from "./in_turn.ts";

/**
 * Any topological order of the same nodes gives the same gradient, up to the order in which cotangents are
 * added: twice the bound. An engine that depends on how its user happened to write the graph down breaks it. Says
 * nothing of a graph that has one order.
 */
export const orderIndependence: Law = {
  name: "order independence",
  needs: ["vjp"],
  followsFromTruth: false,
  async check({ engine, standard, question, handed, truth, answer }) {
    const newIds = latestFirst(question.graph);
    if (newIds.every((newId, id) => newId === id)) return agrees;
    const other = reordered(question, newIds);
    const loaded = await engine.load(other.graph, standard.dtype);
    if (loaded.kind !== "result") return agrees;
    const [turn, program] = [inTurn(engine), loaded.value];
    const [there] = await Promise.all([
      turn(() => program.vjp(handed.point, other.seeds)),
      turn(() => program.unload()),
    ]);
    const replies = allAnswered([(await answer("vjp")).given, there]);
    if ("outcome" in replies) return replies.outcome;
    const [first = [], second = []] = replies.answers;
    const boundAt = (id: NodeId, element: number): number => 2 * (truth.cotangent(id)[element]?.bound ?? 0);
    const difference = firstDifference(first, second, (x, y, id, element) => {
      if (Object.is(x, y) || x === y) return true;
      const bound = boundAt(id, element);
      return !Number.isFinite(bound) || Math.abs(x - y) <= bound;
    });
    if (difference === undefined) return agrees;
    const bound = boundAt(difference.id, difference.element);
    return broken("order independence", difference, difference.y, difference.x, bound);
  },
};

/** The same case with its ids renamed. */
function reordered(question: Case, newIds: readonly number[]): Case {
  const { graph } = question;
  const nodes = graph.nodes.map((node, index) => ({
    id: present(newIds[graph.inputs.length + index], "new id"),
    node: { ...node, parents: node.parents.map((id) => nodeId(present(newIds[id], "new id"))) },
  }));
  nodes.sort((a, b) => a.id - b.id);
  return {
    ...question,
    graph: { ...graph, nodes: nodes.map(({ node }) => node) },
    seeds: question.seeds.map(({ id, cotangent }) => ({
      id: nodeId(present(newIds[id], "new id")),
      cotangent,
    })),
  };
}

/**
 * For each old id its new one in the topological order that takes the latest ready node first; each keeps its own where
 * there is one order. Linear in nodes and edges.
 */
function latestFirst(graph: Graph): number[] {
  const first = graph.inputs.length;
  const newIds = graph.inputs.map((_, id) => id);
  // A node waits for each of its operands, twice for one that it reads twice.
  const waiting = graph.nodes.map(() => 0);
  const readers: number[][] = graph.nodes.map(() => []);
  for (const [index, { parents }] of graph.nodes.entries()) {
    for (const id of parents) {
      if (id < first) continue;
      readers[id - first]?.push(index);
      waiting[index] = (waiting[index] ?? 0) + 1;
    }
  }
  const ready = waiting.flatMap((count, index) => (count === 0 ? [index] : []));
  for (let next = first; ready.length > 0; next++) {
    const index = present(ready.pop(), "a ready node");
    newIds[first + index] = next;
    for (const reader of readers[index] ?? []) {
      waiting[reader] = (waiting[reader] ?? 0) - 1;
      if (waiting[reader] === 0) ready.push(reader);
    }
  }
  return newIds;
}
