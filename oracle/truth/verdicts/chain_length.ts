import type { NodeId } from "../../../spec/shapes/index.ts";
import type { PrimitiveCase } from "../../case/index.ts";
import type { Part } from "../nodes/bounds.ts";

/** From so many nodes in a row on, errors carried forward may grow far beyond what they can be. */
const LONG = 32;

/**
 * Returns a function that tells whether so many nodes in a row, outside composites, lie behind an id's
 * numbers: before its value or tangent, or, for a cotangent, before any that reads it. Cost: linear, once.
 */
export function longChains({ graph, insides }: PrimitiveCase): (part: Part, id: NodeId) => boolean {
  const first = graph.inputs.length;
  const before: number[] = graph.inputs.map(() => 0);
  for (const [index, { parents }] of graph.nodes.entries()) {
    const own = insides[index] === undefined ? 1 : 0;
    before.push(parents.reduce((most, id) => Math.max(most, before[id] ?? 0), 0) + own);
  }
  const behind = [...before];
  for (let index = graph.nodes.length - 1; index >= 0; index--) {
    for (const id of graph.nodes[index]?.parents ?? [])
      behind[id] = Math.max(behind[id] ?? 0, behind[first + index] ?? 0);
  }
  return (part, id) => ((part === "cotangent" ? behind : before)[id] ?? 0) >= LONG;
}
