import { expand, shapesOf } from "../composites/expand.ts";
import type { Graph } from "../graph.ts";
import { pointerTo } from "../pointer.ts";
import { type Issue, MAXIMUM_ISSUES } from "../result.ts";
import { quote } from "../suggest.ts";
import type { FlatTensor } from "./tensor.ts";

/**
 * What is wrong with the index entries of an environment: an element that is not a non-negative integer, or is
 * not below the extent of an axis that `take` applies it to. One issue for an entry.
 * Cost: linear in the graph and the elements, however often an entry is used.
 */
export function indexIssues(
  graph: Graph,
  environment: ReadonlyMap<string, FlatTensor>,
  pointer: string,
): Issue[] {
  const entries = graph.environment.filter(({ kind }) => kind === "index");
  if (entries.length === 0) return [];
  const limits = indexLimits(graph);
  const issues: Issue[] = [];
  for (const { name } of entries) {
    const limit = limits.get(name) ?? Number.MAX_SAFE_INTEGER;
    const at = environment.get(name)?.data.findIndex((index) => !isIndexBelow(index, limit)) ?? -1;
    if (at >= 0) issues.push(badIndex(name, at, limit, pointerTo(pointer, name)));
    if (issues.length >= MAXIMUM_ISSUES) break;
  }
  return issues;
}

/** For each entry that a `take` reads, the least extent that its elements must stay below. */
function indexLimits(graph: Graph): Map<string, number> {
  const { graph: expanded } = expand(graph);
  const shapes = shapesOf(expanded);
  const limits = new Map<string, number>();
  for (const node of expanded.nodes) {
    if (node.op !== "take") continue;
    const { axis, indices } = node.attributes;
    const extent = shapes[node.parents[0] ?? 0]?.[axis] ?? 0;
    limits.set(indices, Math.min(extent, limits.get(indices) ?? extent));
  }
  return limits;
}

function isIndexBelow(index: number, limit: number): boolean {
  return Number.isSafeInteger(index) && index >= 0 && index < limit;
}

function badIndex(name: string, element: number, limit: number, pointer: string): Issue {
  return {
    code: "point/index",
    pointer,
    message: `element ${element} of ${quote(name)} is not a non-negative integer below ${limit}.`,
    hint: "indices count from 0 and stay below the extent of the axis they are taken along",
  };
}
