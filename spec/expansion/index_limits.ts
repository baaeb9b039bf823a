import { entriesNamedBy, type Graph, type NodeOf, type PrimitiveGraph } from "../graph/index.ts";
import { type EnvironmentEntry, type IndexUse, type PrimitiveName, primitives } from "../operators/index.ts";
import type { Shape } from "../shapes/index.ts";
import { expand, shapesOf } from "./expand.ts";

/** Limits of an index entry's elements: the one at position `p` is below `limits[p % limits.length]`. */
export type IndexLimits = readonly number[];

/** Says how a node reads an index entry; `undefined` if its operator reads none. */
export function indexUseOf<K extends PrimitiveName>(
  { op, attributes, parents }: NodeOf<K>,
  shapes: readonly Shape[],
  environment: readonly EnvironmentEntry[],
): IndexUse | undefined {
  const operands = parents.map((id) => shapes[id] ?? []);
  return primitives[op].indexUse?.(attributes, operands, environment);
}

/**
 * Finds, for each index entry of a well-formed graph that some node reads, the number that its elements must
 * stay below for all these nodes; `shapes` are those of all ids. Cost: one visit per node, however often an
 * entry is read.
 */
export function indexLimitsOf(
  graph: PrimitiveGraph,
  shapes: readonly Shape[],
): ReadonlyMap<string, IndexLimits> {
  const limits = new Map<string, IndexLimits>();
  if (!graph.environment.some(({ kind }) => kind === "index")) return limits;
  const environment = new Map(graph.environment.map((entry) => [entry.name, entry]));
  for (const node of graph.nodes) {
    const use = indexUseOf(node, shapes, entriesNamedBy(node, environment));
    if (use !== undefined) limits.set(use.name, strictest(use.limits, limits.get(use.name) ?? use.limits));
  }
  return limits;
}

/**
 * Finds the same for any well-formed graph, by its expansion [SEMANTICS §9.7]: a composite reads what its
 * primitives read. All nodes of an inner graph count, since an engine that is asked whole evaluates them.
 */
export function expandedIndexLimitsOf(graph: Graph): ReadonlyMap<string, IndexLimits> {
  if (graph.environment.every(({ kind }) => kind !== "index")) return new Map();
  const { graph: expanded } = expand(graph);
  const limits = new Map(indexLimitsOf(expanded, shapesOf(expanded)));
  for (const { op, attributes } of graph.nodes) {
    if (op !== "differentiate") continue;
    for (const [name, inner] of expandedIndexLimitsOf(attributes.graph))
      limits.set(name, strictest(inner, limits.get(name) ?? inner));
  }
  return limits;
}

/** An entry's limits are one for all or one for each column: the shorter list repeats in the longer. */
function strictest(a: IndexLimits, b: IndexLimits): IndexLimits {
  const [long, short] = a.length < b.length ? [b, a] : [a, b];
  return long.map((limit, i) => Math.min(limit, short[i % short.length] ?? limit));
}
