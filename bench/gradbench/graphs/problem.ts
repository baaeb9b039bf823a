import {
  type FlatTensor,
  type Graph,
  idCount,
  type NodeId,
  nodeId,
  type Point,
  type Shape,
  sizeOf,
} from "../../../spec/index.ts";

/** A function of GradBench as a graph, and where it is evaluated. */
export interface Problem {
  /** The function and its sizes. */
  readonly name: string;
  /** Its last node is a scalar, the objective that is differentiated by all inputs. What is data is in Δ. */
  readonly graph: Graph;
  readonly point: Point;
  /** The values that GradBench compares: the objective, or the vectors from which it is made. */
  readonly outputs: readonly NodeId[];
}

/** A tensor of a shape from numbers in row-major order; throws if their number is another. */
export function tensor(shape: Shape, numbers: Iterable<number>): FlatTensor {
  const data = Float64Array.from(numbers);
  if (data.length !== sizeOf(shape)) throw new Error(`${data.length} numbers for [${shape.join(", ")}]`);
  return { shape, data };
}

/** The id of a graph's last node. */
export function objectiveOf(graph: Graph): NodeId {
  return nodeId(idCount(graph) - 1);
}
