import type { RuleGraph } from "../spec/derivatives/index.ts";
import type { PrimitiveGraph } from "../spec/graph/index.ts";
import { at, fail, type Issue, type NodeId, ok, type Result } from "../spec/shapes/index.ts";
import type { GraphData } from "./graph.ts";

/** The cotangent of one operand as a graph of the operands, the node's value and its cotangent. */
export interface Pulling<S> {
  readonly meaning: GraphData<S>;
  readonly result: NodeId;
}

/** These compute each operand's cotangent; `undefined` stands where nothing is pulled back. */
export type Pullings<S> = readonly (Pulling<S> | undefined)[];

/**
 * The pulls of every node over an algebra, of the graphs that {@link reverseRules} gives; nodes that share a
 * rule share them. Fails as `meaningOf` does, which is {@link interpret} over the algebra.
 */
export function pullings<S>(
  rules: readonly RuleGraph[],
  meaningOf: (pull: PrimitiveGraph) => Result<GraphData<S>, Issue[]>,
): Result<readonly Pullings<S>[], Issue[]> {
  const known = new Map<RuleGraph, Pullings<S>>();
  const issues: Issue[] = [];
  for (const rule of rules) {
    if (known.has(rule)) continue;
    known.set(
      rule,
      rule.pulls.map((pull) => {
        const meaning = pull && meaningOf(pull.graph);
        if (meaning?.ok === false) issues.push(...meaning.error);
        return meaning?.ok === true
          ? { meaning: meaning.value, result: at(pull?.results ?? [], 0) }
          : undefined;
      }),
    );
  }
  return issues.length > 0 ? fail(issues) : ok(rules.map((rule) => known.get(rule) ?? []));
}
