import type { Graph, Node, NodeOf } from "../../spec/graph/index.ts";
import { type NodeId, nodeId, present } from "../../spec/shapes/index.ts";
import { type Draft, type Proposal, pickLike, pickWhere, shapeAt } from "./draft.ts";
import { happens, oneOf } from "./values.ts";

/** The most nodes of an inner graph. */
const MOST_INNER = 6;

/** The most inner graphs within each other. */
const MOST_LEVELS = 3;

/**
 * The derivative of a part of the graph that is there already: a computed value and some of what it is made of become the inner graph, and what that
 * reads is given to it as operands. So its operands are where its operators are defined.
 */
export function proposeDifferentiate(draft: Draft): Proposal<NodeOf<"differentiate">> | undefined {
  // Mostly what is itself a derivative, or reads one: levels are confused within each other.
  const { random } = draft;
  const isAround = (id: NodeId): boolean => isInner(draft, id) && holdsDerivative(draft, id);
  const deeper = happens(random, 2, 3) ? pickWhere(draft, isAround) : undefined;
  const last = deeper ?? pickWhere(draft, (id) => isInner(draft, id));
  if (last === undefined) return undefined;
  const inner = partBehind(draft, last);
  const operands = [...new Set(inner.flatMap((id) => nodeOf(draft, id).parents))].filter(
    (id) => !inner.includes(id),
  );
  if (operands.length === 0) return undefined;
  const places = new Map([...operands, ...inner].map((id, place) => [id, nodeId(place)]));
  const there = (id: NodeId): NodeId => present(places.get(id), "a place in the inner graph");
  const nodes = inner.map((id): Node => {
    const node = nodeOf(draft, id);
    return { ...node, parents: node.parents.map(there) };
  });
  const wrt = oneOf(random, [nodeId(0), ...operands.map((_, place) => nodeId(place))]);
  // Mostly of the value that the rest leads to; else some of it leads nowhere.
  const of = happens(random, 1, 4) ? oneOf(random, [last, ...inner]) : last;
  const mode = happens(random, 1, 2) ? "vjp" : "jvp";
  const likeWhat = mode === "vjp" ? of : present(operands[wrt], "an operand");
  const graph: Graph = {
    format: "adjudge.graph.v1",
    inputs: operands.map((id, place) => ({ name: `y${place}`, shape: shapeAt(draft, id) })),
    environment: draft.environment.filter(({ name }) => nodes.some((node) => readsEntry(node, name))),
    nodes,
  };
  const parents = [...operands, pickLike(draft, likeWhat)];
  return { node: { op: "differentiate", attributes: { graph, mode, of: there(of), wrt }, parents } };
}

function nodeOf({ inputs, nodes }: Draft, id: NodeId): Node {
  return present(nodes[id - inputs.length], "a computed value");
}

/** Whether a value may be computed within an inner graph: what depends on nothing is better given to it. */
function isInner(draft: Draft, id: NodeId): boolean {
  if (id < draft.inputs.length) return false;
  const node = nodeOf(draft, id);
  return node.parents.length > 0 && levelsOf(node) < MOST_LEVELS;
}

/** A value and, with some luck, what it is computed from, in order. */
function partBehind(draft: Draft, last: NodeId): readonly NodeId[] {
  const part = new Set([last]);
  for (const id of part) {
    for (const parent of nodeOf(draft, id).parents) {
      if (part.size >= MOST_INNER || !isInner(draft, parent)) continue;
      if (levelsOf(nodeOf(draft, parent)) > 0 || happens(draft.random, 3, 4)) part.add(parent);
    }
  }
  return [...part].toSorted((a, b) => a - b);
}

/** Whether a computed value is a derivative, or one of its operands is. */
function holdsDerivative(draft: Draft, id: NodeId): boolean {
  return [id, ...nodeOf(draft, id).parents].some(
    (other) => other >= draft.inputs.length && levelsOf(nodeOf(draft, other)) > 0,
  );
}

/** How many inner graphs stand within each other in a node. */
function levelsOf(node: Node): number {
  return node.op === "differentiate" ? 1 + Math.max(0, ...node.attributes.graph.nodes.map(levelsOf)) : 0;
}

function readsEntry({ attributes }: Node, name: string): boolean {
  return Object.values(attributes).some(
    (value: unknown) =>
      value === name ||
      (typeof value === "object" && value !== null && "environment" in value && declares(value, name)),
  );
}

function declares({ environment }: { readonly environment: unknown }, name: string): boolean {
  return (
    Array.isArray(environment) &&
    environment.some((entry: { readonly name?: unknown }) => entry.name === name)
  );
}
