import { Construction } from "../construction/construction.ts";
import { isPrimitiveGraph, type NodeOf } from "../graph/index.ts";
import type { EnvironmentEntry, PrimitiveName } from "../operators/index.ts";
import { InvariantError, type Shape } from "../shapes/index.ts";
import { primitivesAlone } from "./derive.ts";
import { type Computed, prunedTo } from "./prune.ts";
import { derivatives } from "./table.ts";

/** The cotangent of one operand is computed from these. */
export interface Needs {
  /** The operands, by place. What reads only an operand's shape does not read it. */
  readonly operands: readonly number[];
  /** Is true if the rule reads the node's own value. */
  readonly value: boolean;
  /** Is true if the rule reads the value's cotangent; if it does not, its results are zero. */
  readonly cotangent: boolean;
}

/** A node's cotangent rule as a graph. Inputs: the operands, the node's value and its cotangent. */
export interface RuleGraph {
  /** These graphs compute each operand's cotangent; `undefined` stands where nothing is pulled back. */
  readonly pulls: readonly (Computed | undefined)[];
  readonly needs: readonly (Needs | undefined)[];
}

/**
 * Finds what a node's cotangent rule reads, by running it: all that an engine must keep for reverse mode.
 * Shapes are those of operands, value and named entries of Δ. Law: dropping a need changes some answer.
 */
export function needsOf<K extends PrimitiveName>(
  { op, attributes }: Pick<NodeOf<K>, "op" | "attributes">,
  shapes: { readonly operands: readonly Shape[]; readonly value: Shape },
  environment: readonly EnvironmentEntry[] = [],
): RuleGraph {
  const construction = new Construction(primitivesAlone);
  for (const entry of environment) construction.environment.set(entry.name, entry);
  const operands = shapes.operands.map((shape, place) => construction.input(`operand ${place}`, shape));
  const value = construction.input("value", shapes.value);
  const c = construction.input("cotangent", shapes.value);
  const { scope } = construction;
  const rules = derivatives[op].cotangents(
    { scope, attributes, operands, value, again: (...others) => scope.apply(op, attributes, others) },
    c,
  );
  const results = operands.map((_, place) => rules[place]?.().id);
  const graph = {
    format: "adjudge.graph.v1" as const,
    inputs: construction.inputs,
    environment,
    nodes: construction.nodes,
  };
  if (!isPrimitiveGraph(graph)) throw new InvariantError("a rule is written with primitives");
  const pulls = results.map((id) => (id === undefined ? undefined : prunedTo(graph, id)));
  return { pulls, needs: pulls.map((pull) => pull && readBy(pull, operands.length)) };
}

/** Lists the inputs that a graph without idle nodes reads: a node, or the result itself, names them. */
function readBy({ graph, results }: Computed, count: number): Needs {
  const read = new Set<number>([...results, ...graph.nodes.flatMap(({ parents }) => parents)]);
  return {
    operands: [...read].filter((id) => id < count).sort((a, b) => a - b),
    value: read.has(count),
    cotangent: read.has(count + 1),
  };
}

/** The needs of all operands together: what has to be kept of the node. */
export function keptFor(needs: readonly (Needs | undefined)[]): Omit<Needs, "cotangent"> {
  const all = needs.filter((need) => need !== undefined);
  const operands = new Set(all.flatMap((need) => need.operands));
  return {
    operands: needs.flatMap((_, place) => (operands.has(place) ? [place] : [])),
    value: all.some(({ value }) => value),
  };
}
