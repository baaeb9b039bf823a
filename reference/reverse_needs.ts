import { GraphError } from "../spec/builder/index.ts";
import { type Needs, needsOf, type RuleGraph } from "../spec/derivatives/index.ts";
import { entriesNamedBy, type NodeOf, type PrimitiveGraph } from "../spec/graph/index.ts";
import type { EnvironmentEntry, PrimitiveName } from "../spec/operators/index.ts";
import { at, fail, type Issue, ok, type Result, type Shape } from "../spec/shapes/index.ts";

/** Pulling back to an operand reads these of the run: operands, the node's value, entries of Δ. */
export interface PullNeeds extends Omit<Needs, "cotangent"> {
  readonly entries: readonly string[];
}

/** Each operand's pull reads these; `undefined` stands where nothing is pulled back. */
export type NodeNeeds = readonly (PullNeeds | undefined)[];

/**
 * Returns the cotangent rule of every node, as graphs ({@link needsOf}); equal nodes share one. `shapes` are
 * those of all ids. Fails: `lifetimes/rule` if a part of a rule would have too many elements. Cost: linear in
 * nodes and edges; a rule is written once for each operator, attributes and shapes.
 */
export function reverseRules(
  graph: PrimitiveGraph,
  shapes: readonly Shape[],
): Result<readonly RuleGraph[], Issue[]> {
  const environment = new Map(graph.environment.map((entry) => [entry.name, entry]));
  const known = new Map<string, RuleGraph>();
  const rules: RuleGraph[] = [];
  for (const [index, node] of graph.nodes.entries()) {
    const operands = node.parents.map((id) => at(shapes, id));
    const value = at(shapes, graph.inputs.length + index);
    const key = JSON.stringify([node.op, node.attributes, operands]);
    const rule = known.get(key) ?? written(node, { operands, value }, entriesNamedBy(node, environment));
    if (rule === undefined) return fail([unwritable(node.op, index)]);
    known.set(key, rule);
    rules.push(rule);
  }
  return ok(rules);
}

/** Returns the rule of a node; `undefined` where a shape in it is beyond the limits. */
function written<K extends PrimitiveName>(
  node: NodeOf<K>,
  shapes: { readonly operands: readonly Shape[]; readonly value: Shape },
  entries: readonly EnvironmentEntry[],
): RuleGraph | undefined {
  try {
    return needsOf(node, shapes, entries);
  } catch (problem) {
    if (problem instanceof GraphError) return undefined;
    throw problem;
  }
}

function unwritable(op: PrimitiveName, index: number): Issue {
  return {
    code: "lifetimes/rule",
    pointer: `/nodes/${index}`,
    message: `the cotangent rule of ${op} has values of too many elements for operands of these shapes.`,
    hint: "make the operands smaller",
  };
}

/** Finds what the pulls of a rule read, one for each operand. */
export function needsWithin(
  { pulls, needs }: RuleGraph,
  environment: PrimitiveGraph["environment"],
): NodeNeeds {
  if (environment.length === 0) return needs.map((need) => need && { ...need, entries: [] });
  const declared = new Map(environment.map((entry) => [entry.name, entry]));
  return needs.map((need, place) => {
    const named = pulls[place]?.graph.nodes.flatMap((node) => entriesNamedBy(node, declared)) ?? [];
    return need && { ...need, entries: [...new Set(named.map(({ name }) => name))] };
  });
}

/** Lists for each node the entries of Δ that it reads when it runs forward. */
export function environmentEntries({ nodes, environment }: PrimitiveGraph): readonly (readonly string[])[] {
  const declared = new Map(environment.map((entry) => [entry.name, entry]));
  return nodes.map((node) => entriesNamedBy(node, declared).map(({ name }) => name));
}
