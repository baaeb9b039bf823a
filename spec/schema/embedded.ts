import { checkGraph } from "../check.ts";
import type { Graph } from "../graph.ts";
import { issuesWithin } from "../pointer.ts";
import { fail, type Issue, ok, type Result } from "../result.ts";
import type { Validator } from "./registry.ts";

const emptyGraph: Graph = { format: "adjudge.graph.v1", inputs: [], environment: [], nodes: [] };

/**
 * Validates a document that holds a graph under `graph`: the graph by {@link checkGraph}, which looks deeper and
 * says more than a schema, and the rest by `read`, with an empty graph standing in.
 * The graph returned is fresh; the rest is the one given.
 */
export function validateEmbedding<T extends { readonly graph: Graph }>(
  json: unknown,
  read: Validator<T>,
): Result<T, Issue[]> {
  if (typeof json !== "object" || json === null || !Object.hasOwn(json, "graph")) return read(json);
  const { graph: embedded }: { readonly graph?: unknown } = json;
  const rest = read({ ...json, graph: emptyGraph });
  if (!rest.ok) return rest;
  const graph = checkGraph(embedded);
  return graph.ok ? ok({ ...rest.value, graph: graph.value }) : fail(issuesWithin("/graph", graph.error));
}
