import {
  type EnvironmentEntry,
  isPrimitiveName,
  type PrimitiveName,
  primitives,
} from "../operators/index.ts";
import { at, InvariantError, type Result, type Shape, type ShapeFault } from "../shapes/index.ts";
import {
  entriesNamedBy,
  type Graph,
  type Node,
  type NodeOf,
  type PrimitiveGraph,
  type PrimitiveNode,
} from "./graph.ts";

/** Says whether the node is a primitive's. */
export function isPrimitiveNode(node: Node): node is PrimitiveNode {
  return isPrimitiveName(node.op);
}

/** Says whether every node is a primitive's. */
export function isPrimitiveGraph(graph: Graph): graph is PrimitiveGraph {
  return graph.nodes.every(isPrimitiveNode);
}

/** The shape of a primitive's value from its operands and entries of Δ, or what does not fit. */
export function shapeOfPrimitive<K extends PrimitiveName>(
  node: NodeOf<K>,
  operands: readonly Shape[],
  environment: readonly EnvironmentEntry[],
): Result<Shape, ShapeFault> {
  return primitives[node.op].shape(node.attributes, operands, environment);
}

/** The shapes of a well-formed graph of primitives. Throws {@link InvariantError}. Cost: linear. */
export function shapesOfPrimitives(graph: PrimitiveGraph): readonly Shape[] {
  const shapes = graph.inputs.map(({ shape }) => shape);
  const environment = new Map(graph.environment.map((entry) => [entry.name, entry]));
  for (const node of graph.nodes) {
    const operands = node.parents.map((id) => at(shapes, id));
    const shape = shapeOfPrimitive(node, operands, entriesNamedBy(node, environment));
    if (!shape.ok) throw new InvariantError(`not a well-formed graph: ${shape.error.message}`);
    shapes.push(shape.value);
  }
  return shapes;
}
