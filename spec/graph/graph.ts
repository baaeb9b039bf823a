import type { AttributesOf, OperatorName } from "../composites/index.ts";
import type { EnvironmentEntry, PrimitiveName } from "../operators/index.ts";
import type { NodeId, Shape } from "../shapes/index.ts";

/** An input: an entry of `Γ`, with respect to which a graph is differentiated. */
export interface Input {
  readonly name: string;
  readonly shape: Shape;
}

/** A computed value: an operator applied to earlier ids. */
export interface NodeOf<K extends OperatorName> {
  readonly op: K;
  readonly attributes: AttributesOf[K];
  /** Each is smaller than the node's own id: the invariant that makes every sweep well-founded. */
  readonly parents: readonly NodeId[];
}

/** A node of any operator; `op` tells which. */
export type Node = { readonly [K in OperatorName]: NodeOf<K> }[OperatorName];

/**
 * A graph: inputs `Γ`, the declarations of the environment `Δ`, and the nodes in evaluation order.
 * Equal to its JSON form; built from untrusted JSON by {@link checkGraph} alone.
 */
export interface Graph {
  readonly format: "adjudge.graph.v1";
  readonly inputs: readonly Input[];
  readonly environment: readonly EnvironmentEntry[];
  readonly nodes: readonly Node[];
}

/** A node of a primitive. */
export type PrimitiveNode = { readonly [K in PrimitiveName]: NodeOf<K> }[PrimitiveName];

/** A graph without composites: what the reference gives a meaning to. */
export interface PrimitiveGraph extends Graph {
  readonly nodes: readonly PrimitiveNode[];
}

/** Returns the number of ids: inputs and nodes. */
export function idCount(graph: Graph): number {
  return graph.inputs.length + graph.nodes.length;
}

/** Returns the node at `id`, or `undefined` for an input. */
export function nodeAt(graph: Graph, id: NodeId): Node | undefined {
  return graph.nodes[id - graph.inputs.length];
}

/** Returns the operator of each node, and of each node of the graphs within it. */
export function operatorsWithin(graph: Graph): OperatorName[] {
  return graph.nodes.flatMap((node) =>
    node.op === "differentiate" ? [node.op, ...operatorsWithin(node.attributes.graph)] : [node.op],
  );
}

/**
 * Returns the environment entries that a node's attributes name. A shape rule searches what it is given: with
 * these alone, a graph of many entries still takes time linear in its size.
 */
export function entriesNamedBy(
  node: { readonly attributes: object },
  environment: ReadonlyMap<string, EnvironmentEntry>,
): EnvironmentEntry[] {
  const named: EnvironmentEntry[] = [];
  if (environment.size === 0) return named;
  const attributes: readonly unknown[] = Object.values(node.attributes);
  const add = (name: string): void => {
    const entry = environment.get(name);
    if (entry !== undefined) named.push(entry);
  };
  for (const value of attributes) {
    if (typeof value === "string") add(value);
    else if (isGraph(value)) for (const { name } of value.environment) add(name);
  }
  return named;
}

/** Says whether an attribute of a checked node is a graph. */
function isGraph(value: unknown): value is Graph {
  return (
    typeof value === "object" && value !== null && "format" in value && value.format === "adjudge.graph.v1"
  );
}
