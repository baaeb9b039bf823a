import { interpret } from "../../../engines/interpretation/index.ts";
import { type OperatorName, operators } from "../../../spec/composites/index.ts";
import { shapesOf } from "../../../spec/expansion/index.ts";
import { type Graph, isPrimitiveGraph, type Node } from "../../../spec/graph/index.ts";
import { primitiveNames } from "../../../spec/operators/index.ts";
import { InvariantError, present } from "../../../spec/shapes/index.ts";
import type { DataType, FlatTensor } from "../../../spec/wire/index.ts";

/**
 * The primitives without operands. They are numbers before any library sees them, so that the kit makes
 * tensors of them wherever the library has no function of its own.
 */
export const nullaryPrimitives: readonly OperatorName[] = primitiveNames.filter(
  (name) => operators[name].arity === 0,
);

/** Returns the numbers of a node without operands, as adjudge's interpreter computes them in `dtype`. */
export function numbersOf(
  node: Node,
  graph: Graph,
  environment: ReadonlyMap<string, FlatTensor>,
  dtype: DataType,
): FlatTensor {
  const named: readonly unknown[] = Object.values(node.attributes);
  const declared = graph.environment.filter(({ name }) => named.includes(name));
  const alone: Graph = { ...graph, inputs: [], environment: declared, nodes: [node] };
  if (!isPrimitiveGraph(alone)) throw new InvariantError(`${node.op} is no primitive`);
  const answer = interpret(alone, dtype).evaluate({ inputs: [], environment });
  if (!answer.ok) throw new InvariantError(answer.error);
  const [shape] = shapesOf(alone);
  return {
    shape: present(shape, "the shape of the node"),
    data: Float64Array.from(present(answer.value[0], "the value of the node")),
  };
}
