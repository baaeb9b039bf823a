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

/** A problem is a function of GradBench as a graph, and its point. */
export interface Problem {
  /** This names the function and its sizes. */
  readonly name: string;
  /** Its last node is a scalar, the objective that is differentiated by all inputs. Data are in Δ. */
  readonly graph: Graph;
  readonly point: Point;
  /** GradBench compares these values: the objective, or the vectors from which it is made. */
  readonly outputs: readonly NodeId[];
}

/** Makes a tensor from numbers in row-major order; throws if there are too few or too many. */
export function tensor(shape: Shape, numbers: Iterable<number>): FlatTensor {
  const data = Float64Array.from(numbers);
  if (data.length !== sizeOf(shape)) throw new Error(`${data.length} numbers for [${shape.join(", ")}]`);
  return { shape, data };
}

/** Returns the id of a graph's last node. */
export function objectiveOf(graph: Graph): NodeId {
  return nodeId(idCount(graph) - 1);
}
