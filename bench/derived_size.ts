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

/** How many nodes a graph's derivative has, and how many the graph. */
export interface Size {
  readonly nodes: number;
  readonly derived: number;
}

/** The size of the derivative of a graph's last value by all inputs. Throws where the graph computes nothing. */
export function sizeOfDerived(graph: Graph, mode: Derivative["mode"]): Size {
  const wrt = graph.inputs.map((_, id) => nodeId(id));
  const derived = derive(graph, { mode, of: [nodeId(idCount(graph) - 1)], wrt });
  if (!derived.ok) throw new InvariantError(derived.error.map(formatIssue).join("; "));
  return { nodes: expand(graph).graph.nodes.length, derived: derived.value.graph.nodes.length };
}

/** Derived nodes a node, of many graphs together. */
export function ratioOf(sizes: readonly Size[]): number {
  const total = (pick: (size: Size) => number): number => sizes.reduce((sum, size) => sum + pick(size), 0);
  return total(({ derived }) => derived) / total(({ nodes }) => nodes);
}

/** The operators that scalar graphs are made of. */
export const scalarOperators: readonly PrimitiveName[] = primitiveNames.filter(
  (op) => primitives[op].isElementwise === true && Object.keys(primitives[op].attributes).length === 0,
);

/** One operator on scalars that differ. */
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
