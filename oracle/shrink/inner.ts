import { shapesOf } from "../../spec/expansion/index.ts";
import type { Graph, Node, NodeOf } from "../../spec/graph/index.ts";
import { isSameShape, type NodeId, nodeId } from "../../spec/shapes/index.ts";

type Differentiate = NodeOf<"differentiate">;

/** Counts the inner graphs of some nodes, with their nodes and inputs, at all levels. */
export function innerSize(nodes: readonly Node[]): number {
  return nodes.reduce((total, node) => {
    if (node.op !== "differentiate") return total;
    const { inputs, nodes: within } = node.attributes.graph;
    return total + 1 + within.length + inputs.length + innerSize(within);
  }, 0);
}

/**
 * Lists replacements of a derivative with the same operands or fewer: its one inner node, and derivatives of
 * smaller inner graphs. Inner ids are valid; the caller checks whether shapes fit.
 */
export function* simplerDerivatives(node: Differentiate): Generator<Node> {
  yield* innerValues(node);
  yield* smallerGraphs(node);
}

/** Takes out the inner node that is differentiated, if its operands are inputs: one level less. */
function* innerValues({ attributes: { graph, of }, parents }: Differentiate): Generator<Node> {
  const found = graph.nodes[of - graph.inputs.length];
  if (found === undefined) return;
  const operands = found.parents.flatMap((id) => (id < graph.inputs.length ? (parents[id] ?? []) : []));
  if (operands.length === found.parents.length) yield { ...found, parents: operands };
}

function* smallerGraphs(node: Differentiate): Generator<Differentiate> {
  const { graph, of } = node.attributes;
  const first = graph.inputs.length;
  // An earlier value is differentiated, so that all that comes after it goes.
  for (let id = first; id < of; id++) yield tidied(withGraph(node, graph, nodeId(id)));
  yield tidied(node);
  const shapes = shapesOf(graph);
  for (let id = shapes.length - 1; id > 0; id--) {
    for (let other = 0; other < id; other++) {
      if (!isSameShape(shapes[id] ?? [], shapes[other] ?? [])) continue;
      const merged = readingInstead(node, nodeId(id), nodeId(other));
      yield tidied(merged);
      // Some faults need a node that nothing reads.
      yield keeping(merged, (kept) => kept !== id);
    }
  }
  for (const [position, within] of graph.nodes.entries()) {
    if (within.op !== "differentiate") continue;
    for (const simpler of simplerDerivatives(within)) {
      const changed = tidied(withGraph(node, { ...graph, nodes: graph.nodes.with(position, simpler) }, of));
      yield changed;
      // With a level gone, its derivative may have been the one that matters.
      if (simpler.op !== "differentiate") yield* otherwise(changed);
    }
  }
}

function withGraph(node: Differentiate, graph: Graph, of: NodeId): Differentiate {
  return { ...node, attributes: { ...node.attributes, graph, of } };
}

/** Takes the derivative in each mode, by each input; the caller checks whether shapes fit. */
function* otherwise(node: Differentiate): Generator<Differentiate> {
  for (const mode of ["jvp", "vjp"] as const) {
    for (const wrt of node.attributes.graph.inputs.keys()) {
      yield { ...node, attributes: { ...node.attributes, mode, wrt: nodeId(wrt) } };
    }
  }
}

/** Makes what reads one inner id, or is taken by it, read or be taken by an earlier one. */
function readingInstead(node: Differentiate, id: NodeId, other: NodeId): Differentiate {
  const { graph, of, wrt } = node.attributes;
  const moved = (parent: NodeId): NodeId => (parent === id ? other : parent);
  const nodes = graph.nodes.map((inner) => ({ ...inner, parents: inner.parents.map(moved) }));
  const attributes = { ...node.attributes, graph: { ...graph, nodes }, of: moved(of), wrt: moved(wrt) };
  return { ...node, attributes };
}

/** Drops the inner nodes, inputs and entries of Δ that nothing reads, and the operands of such inputs. */
function tidied(node: Differentiate): Differentiate {
  const { graph, of, wrt } = node.attributes;
  const first = graph.inputs.length;
  const read = new Set<number>([of, wrt]);
  for (let id = first + graph.nodes.length - 1; id >= first; id--) {
    if (read.has(id)) for (const parent of graph.nodes[id - first]?.parents ?? []) read.add(parent);
  }
  return keeping(node, (id) => read.has(id));
}

/** Drops the inner ids that are not kept, which none that is kept reads, and what they alone need. */
function keeping(node: Differentiate, isKept: (id: number) => boolean): Differentiate {
  const { graph, of, wrt } = node.attributes;
  const first = graph.inputs.length;
  const order = [...Array(first + graph.nodes.length).keys()].filter(isKept);
  const moved = (id: NodeId): NodeId => nodeId(order.indexOf(id));
  const nodes = graph.nodes
    .filter((_, position) => isKept(first + position))
    .map((inner) => ({ ...inner, parents: inner.parents.map(moved) }));
  const environment = graph.environment.filter(({ name }) => readsEntry(nodes, name));
  const inputs = graph.inputs.filter((_, id) => isKept(id));
  return {
    ...node,
    attributes: {
      ...node.attributes,
      graph: { ...graph, inputs, environment, nodes },
      of: moved(of),
      wrt: moved(wrt),
    },
    parents: node.parents.filter((_, place) => place === first || isKept(place)),
  };
}

/** Tells whether a node names an entry of Δ, itself or within its inner graph. */
export function readsEntry(nodes: readonly Node[], name: string): boolean {
  return nodes.some((node) =>
    node.op === "differentiate"
      ? node.attributes.graph.environment.some((entry) => entry.name === name)
      : Object.values(node.attributes).includes(name),
  );
}

/** Finds the node that reads an entry of Δ, at any level. */
export function readerOf(nodes: readonly Node[], name: string): Node | undefined {
  for (const node of nodes) {
    const found = node.op === "differentiate" ? readerOf(node.attributes.graph.nodes, name) : undefined;
    if (found !== undefined) return found;
    if (Object.values(node.attributes).includes(name)) return node;
  }
  return undefined;
}
