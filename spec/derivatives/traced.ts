import type { Scope, Value } from "../construction/value.ts";
import type { NodeOf, PrimitiveGraph } from "../graph/graph.ts";
import type { PrimitiveAttributes, PrimitiveName } from "../operators/table.ts";
import { at } from "../shapes/at.ts";
import type { NodeId } from "../shapes/node_id.ts";
import type { Applied, DerivativesOf } from "./rule.ts";
import { derivatives } from "./table.ts";

/** A graph of primitives that was written into a scope: by id, the value that stands for it there. */
export interface Traced {
  readonly scope: Scope;
  readonly graph: PrimitiveGraph;
  readonly values: readonly Value[];
  /** The graph is differentiated by these rules. */
  readonly rules: DerivativesOf<PrimitiveName>;
}

/** Writes the nodes of a graph into a scope where its Δ is declared, its inputs being the operands. */
export function trace(
  scope: Scope,
  graph: PrimitiveGraph,
  operands: readonly Value[],
  rules: DerivativesOf<PrimitiveName> = derivatives,
): Traced {
  const values = [...operands];
  for (const { op, attributes, parents } of graph.nodes) {
    values.push(
      scope.apply(
        op,
        attributes,
        parents.map((id) => at(values, id)),
      ),
    );
  }
  return { scope, graph, values, rules };
}

/** Returns what a rule sees of a node. */
export function appliedAt<K extends PrimitiveName>(
  { scope, values }: Traced,
  { op, attributes, parents }: NodeOf<K>,
  id: NodeId,
): Applied<PrimitiveAttributes[K]> {
  return {
    scope,
    attributes,
    operands: parents.map((parent) => at(values, parent)),
    value: at(values, id),
    again: (...operands) => scope.apply(op, attributes, operands),
  };
}
