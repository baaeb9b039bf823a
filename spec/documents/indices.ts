import { expandedIndexLimitsOf } from "../expansion/index.ts";
import type { Graph } from "../graph/index.ts";
import { type Issue, MAXIMUM_ISSUES, pointerTo, quote } from "../shapes/index.ts";
import type { FlatTensor } from "../wire/index.ts";

/** Elements of an entry that no node reads must be below this. */
const unread: readonly number[] = [Number.MAX_SAFE_INTEGER];

/**
 * Says what is wrong with an environment's index entries [SEMANTICS §8.6]: an element is no non-negative
 * integer, or not below what a node that reads it allows (the extent of its axis). One issue for an entry.
 * Cost: linear in the graph and the elements, however often an entry is used.
 */
export function indexIssues(
  graph: Graph,
  environment: ReadonlyMap<string, FlatTensor>,
  pointer: string,
): Issue[] {
  const entries = graph.environment.filter(({ kind }) => kind === "index");
  if (entries.length === 0) return [];
  const allLimits = expandedIndexLimitsOf(graph);
  const issues: Issue[] = [];
  for (const { name } of entries) {
    const limits = allLimits.get(name) ?? unread;
    const limitAt = (position: number): number => limits[position % limits.length] ?? 0;
    const isBad = (index: number, position: number): boolean => !isIndexBelow(index, limitAt(position));
    const at = environment.get(name)?.data.findIndex(isBad) ?? -1;
    if (at >= 0) issues.push(badIndex(name, at, limitAt(at), pointerTo(pointer, name)));
    if (issues.length >= MAXIMUM_ISSUES) break;
  }
  return issues;
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
