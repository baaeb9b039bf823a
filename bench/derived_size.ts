import {
  type Derivative,
  derive,
  expand,
  formatIssue,
  type Graph,
  graph,
  InvariantError,
  idCount,
  nodeId,
  type PrimitiveName,
  primitiveNames,
  primitives,
} from "../spec/index.ts";

/** A graph and its derivative have this many nodes. */
export interface Size {
  readonly nodes: number;
  readonly derived: number;
}

/** Measures the derivative of a graph's last value by all inputs. Throws if the graph computes nothing. */
export function sizeOfDerived(graph: Graph, mode: Derivative["mode"]): Size {
  const wrt = graph.inputs.map((_, id) => nodeId(id));
  const derived = derive(graph, { mode, of: [nodeId(idCount(graph) - 1)], wrt });
  if (!derived.ok) throw new InvariantError(derived.error.map(formatIssue).join("; "));
  return { nodes: expand(graph).graph.nodes.length, derived: derived.value.graph.nodes.length };
}

/** Returns the derived nodes for each node, of many graphs together. */
export function ratioOf(sizes: readonly Size[]): number {
  const total = (pick: (size: Size) => number): number => sizes.reduce((sum, size) => sum + pick(size), 0);
  return total(({ derived }) => derived) / total(({ nodes }) => nodes);
}

/** Scalar graphs are made of these operators. */
export const scalarOperators: readonly PrimitiveName[] = primitiveNames.filter(
  (op) => primitives[op].isElementwise === true && Object.keys(primitives[op].attributes).length === 0,
);

/** Builds a graph of one operator on different scalars. */
export function alone(op: PrimitiveName): Graph {
  const { arity } = primitives[op];
  if (typeof arity !== "number") throw new InvariantError(`${op} takes any number of operands`);
  return graph((builder) => {
    builder.apply(
      op,
      {},
      Array.from({ length: arity }, (_, place) => builder.input(`x${place}`)),
    );
  });
}
