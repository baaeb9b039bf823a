import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { PrimitiveGraph } from "../../../spec/graph/index.ts";
import { InvariantError, nodeId, type Shape, sizeOf } from "../../../spec/shapes/index.ts";

/** A generated graph has this size. */
export interface Size {
  readonly nodes: number;
  readonly inputs: number;
  /** Inputs take these shapes in turn. */
  readonly shapes: readonly Shape[];
  /** If true, sin and divide occur, which make no polynomials. */
  readonly isTranscendental: boolean;
}

type Node = PrimitiveGraph["nodes"][number];

/** A value was generated so far. */
interface Value {
  readonly id: number;
  readonly shape: Shape;
  /** As a polynomial in the inputs it has at most this degree. */
  readonly degree: number;
}

/** Products of a higher degree in the inputs are not made, else one proof in ten takes a minute. */
const MAXIMUM_DEGREE = 12;

/**
 * Draws a graph of +, ×, −, sums and broadcasts (and sin and ÷ if asked for) from a seed. Nodes mostly
 * read recent values, so that most lead to the last, a scalar. Law: equal seeds give equal graphs.
 */
export function drawGraph(seed: number, size: Size): PrimitiveGraph {
  const random = new Random(xoroshiro128plus(seed));
  const inputs = Array.from({ length: size.inputs }, (_, id) => ({
    name: `x${id}`,
    shape: size.shapes[id % size.shapes.length] ?? [],
  }));
  const values: Value[] = inputs.map(({ shape }, id) => ({ id, shape, degree: 1 }));
  const nodes: Node[] = [];
  const append = (node: Node, shape: Shape, degree: number): void => {
    nodes.push(node);
    values.push({ id: values.length, shape, degree });
  };
  while (nodes.length < size.nodes - 1) {
    const [x, y] = drawOperands(random, values);
    if (sizeOf(x.shape) !== sizeOf(y.shape)) {
      const [large, small] = sizeOf(x.shape) > sizeOf(y.shape) ? [x, y] : [y, x];
      if (random.nextInt(0, 1) === 0) append(summed(large), [], large.degree);
      else append(broadcast(small, large.shape), large.shape, small.degree);
      continue;
    }
    append(...drawNode(random, x, y, size.isTranscendental));
  }
  const last = values.at(-1);
  if (last === undefined) throw new InvariantError("a graph has a value");
  append(summed(last), [], last.degree);
  return { format: "adjudge.graph.v1", inputs, environment: [], nodes };
}

function drawOperands(random: Random, values: readonly Value[]): readonly [Value, Value] {
  const recent = (): Value => {
    const back = random.nextInt(0, 3) === 0 ? values.length : Math.min(values.length, 4);
    const value = values[values.length - random.nextInt(1, back)];
    if (value === undefined) throw new InvariantError("an operand among the values");
    return value;
  };
  const x = values.at(-1);
  return [random.nextInt(0, 2) === 0 || x === undefined ? recent() : x, recent()];
}

function drawNode(random: Random, x: Value, y: Value, isTranscendental: boolean): [Node, Shape, number] {
  const parents = [nodeId(x.id), nodeId(y.id)];
  const kind = random.nextInt(0, isTranscendental ? 7 : 5);
  const degree = x.degree + y.degree;
  if (kind === 0) return [{ op: "negative", attributes: {}, parents: [nodeId(x.id)] }, x.shape, x.degree];
  if (kind === 6) return [{ op: "sin", attributes: {}, parents: [nodeId(x.id)] }, x.shape, x.degree];
  if (kind === 7) return [{ op: "divide", attributes: {}, parents }, x.shape, degree];
  return kind < 4 && (isTranscendental || degree <= MAXIMUM_DEGREE)
    ? [{ op: "multiply", attributes: {}, parents }, x.shape, degree]
    : [{ op: "add", attributes: {}, parents }, x.shape, Math.max(x.degree, y.degree)];
}

function summed({ id, shape }: Value): Node {
  return {
    op: "sum",
    attributes: { axes: shape.map((_, axis) => axis), keepdims: false },
    parents: [nodeId(id)],
  };
}

function broadcast({ id }: Value, shape: Shape): Node {
  return { op: "broadcast_to", attributes: { shape }, parents: [nodeId(id)] };
}
