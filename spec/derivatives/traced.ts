import { inlined } from "../composites/index.ts";
import type { Scope, Value } from "../construction/value.ts";
import type { NodeOf, PrimitiveGraph } from "../graph/index.ts";
import type { PrimitiveAttributes, PrimitiveName } from "../operators/index.ts";
import { at, type NodeId } from "../shapes/index.ts";
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

/** Traces a graph: it is {@link inlined}. */
export function trace(
  scope: Scope,
  graph: PrimitiveGraph,
  operands: readonly Value[],
  rules: DerivativesOf<PrimitiveName> = derivatives,
): Traced {
  return { scope, graph, values: inlined(scope, graph, operands), rules };
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
