import type { Graph, Node, NodeOf } from "../../spec/graph/index.ts";
import { type NodeId, nodeId, present } from "../../spec/shapes/index.ts";
import { happens, oneOf } from "../random/index.ts";
import { type Draft, type Proposal, pickLike, pickWhere, shapeAt } from "./draft.ts";

/** An inner graph has at most this many nodes. */
const MOST_INNER = 6;

/** At most this many inner graphs stand within each other. */
const MOST_LEVELS = 3;

/**
 * Differentiates a part of the graph: a computed value and some nodes behind it become the inner graph, whose
 * inputs are what those read. So its operands lie where its operators are defined.
 */
export function proposeDifferentiate(draft: Draft): Proposal<NodeOf<"differentiate">> | undefined {
  // Mostly it takes what is a derivative, or reads one, since engines confuse nested levels.
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
  // Mostly it differentiates the last value; else some of the inner graph is dead.
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

/** A node may move into an inner graph unless it depends on nothing; that is better passed in. */
function isInner(draft: Draft, id: NodeId): boolean {
  if (id < draft.inputs.length) return false;
  const node = nodeOf(draft, id);
  return node.parents.length > 0 && levelsOf(node) < MOST_LEVELS;
}

/** Returns a value and, with some luck, the nodes it is computed from, in order. */
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

/** Tells whether a computed value is a derivative, or one of its operands is. */
function holdsDerivative(draft: Draft, id: NodeId): boolean {
  return [id, ...nodeOf(draft, id).parents].some(
    (other) => other >= draft.inputs.length && levelsOf(nodeOf(draft, other)) > 0,
  );
}

/** Counts the inner graphs that stand within each other in a node. */
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
