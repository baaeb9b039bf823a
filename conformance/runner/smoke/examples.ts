import { operators } from "../../../spec/composites/index.ts";
import { checkGraph } from "../../../spec/documents/index.ts";
import type { Graph, Point, Seed } from "../../../spec/graph/index.ts";
import {
  type EnvironmentEntry,
  forUnary,
  type NoAttributes,
  type PrimitiveAttributes,
  type PrimitiveName,
  unaryFunctions,
} from "../../../spec/operators/index.ts";
import { formatIssue, InvariantError, nodeId, type Shape } from "../../../spec/shapes/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";

/** One operator on numbers that can be checked in the head, and all that every mode must answer. */
export interface Example<A> {
  readonly attributes: A;
  /** There is one per operand; an operator without operands gets one it does not read. */
  readonly inputs: readonly FlatTensor[];
  /** The entry of Δ that the attributes name. */
  readonly entry?: { readonly declaration: EnvironmentEntry; readonly tensor: FlatTensor };
  readonly tangents: readonly FlatTensor[];
  readonly cotangent: FlatTensor;
  readonly value: FlatTensor;
  readonly tangent: FlatTensor;
  readonly cotangents: readonly FlatTensor[];
}

/** Returns a tensor of consecutive elements, row-major. */
function tensor(shape: Shape, ...data: readonly number[]): FlatTensor {
  return { shape, data: Float64Array.from(data) };
}

type Pair = readonly [number, number];

function times(xs: Pair, ys: Pair): FlatTensor {
  return tensor([2], xs[0] * ys[0], xs[1] * ys[1]);
}

const tangentPair: Pair = [2, 3];
const cotangentPair: Pair = [5, 7];
const noAttributes: NoAttributes = {};

/** Makes the example of `y = f(x)` with slope `d`, at two points. */
function unary(x: Pair, y: Pair, d: Pair): Example<NoAttributes> {
  return {
    attributes: noAttributes,
    inputs: [tensor([2], ...x)],
    tangents: [tensor([2], ...tangentPair)],
    cotangent: tensor([2], ...cotangentPair),
    value: tensor([2], ...y),
    tangent: times(tangentPair, d),
    cotangents: [times(cotangentPair, d)],
  };
}

/**
 * Makes the example of `z = f(x, y)` with slopes `dx` and `dy`, at two points; the tangent is along `x`
 * first, then along `y`.
 */
function binary(x: Pair, y: Pair, z: Pair, dx: Pair, dy: Pair): Example<NoAttributes> {
  return {
    attributes: noAttributes,
    inputs: [tensor([2], ...x), tensor([2], ...y)],
    tangents: [tensor([2], 2, 0), tensor([2], 0, 3)],
    cotangent: tensor([2], ...cotangentPair),
    value: tensor([2], ...z),
    tangent: tensor([2], 2 * dx[0], 3 * dy[1]),
    cotangents: [times(cotangentPair, dx), times(cotangentPair, dy)],
  };
}

/** Makes the example of a value that depends on no operand. */
function nullary<A>(attributes: A, value: FlatTensor): Example<A> {
  const zeros = value.data.map(() => 0);
  return {
    attributes,
    inputs: [tensor([2], 1, 2)],
    tangents: [tensor([2], ...tangentPair)],
    cotangent: { shape: value.shape, data: value.data.map((_, i) => 5 + i) },
    value,
    tangent: { shape: value.shape, data: zeros },
    cotangents: [tensor([2], 0, 0)],
  };
}

const oneToSix = [1, 2, 3, 4, 5, 6] as const;

/** Each operator's example shows wrong axes, swapped operands, lost contributions and wrong signs. */
export const examples: { readonly [K in PrimitiveName]: Example<PrimitiveAttributes[K]> } = {
  constant: {
    attributes: { name: "c" },
    inputs: [tensor([2], 1, 2)],
    entry: { declaration: { name: "c", shape: [2], kind: "real" }, tensor: tensor([2], 3, 4) },
    tangents: [tensor([2], 2, 3)],
    cotangent: tensor([2], 5, 7),
    value: tensor([2], 3, 4),
    tangent: tensor([2], 0, 0),
    cotangents: [tensor([2], 0, 0)],
  },
  full: nullary({ shape: [2, 1], value: -1.5 }, tensor([2, 1], -1.5, -1.5)),
  iota: nullary({ shape: [2, 3], axis: 1 }, tensor([2, 3], 0, 1, 2, 0, 1, 2)),
  // The bits are 7d1c13a2 ae0730d9 9dc3f9f9 8f9ec1d7 735d7315 95fb4ed8.
  bernoulli_mask: {
    ...nullary({ shape: [2, 3], key: "k", rate: 0.5 }, tensor([2, 3], 0, 1, 1, 1, 0, 1)),
    entry: { declaration: { name: "k", shape: [2], kind: "index" }, tensor: tensor([2], 0, 42) },
  },
  stop_gradient: unary([1.5, -2], [1.5, -2], [0, 0]),
  negative: unary([1.5, -2], [-1.5, 2], [-1, -1]),
  ...forUnary((name) => {
    const { at, value, slope } = unaryFunctions[name].example;
    return unary(at, value, slope);
  }),
  relu: unary([-1, 2], [0, 2], [0, 1]),
  floor: unary([-1.5, 2.5], [-2, 2], [0, 0]),
  add: binary([1, 2], [10, 20], [11, 22], [1, 1], [1, 1]),
  subtract: binary([1, 2], [10, 20], [-9, -18], [1, 1], [-1, -1]),
  multiply: binary([1, 2], [10, 20], [10, 40], [10, 20], [1, 2]),
  divide: binary([1, 8], [2, 4], [0.5, 2], [0.5, 0.25], [-0.25, -0.5]),
  maximum: binary([1, 5], [2, 4], [2, 5], [0, 1], [1, 0]),
  less: binary([1, 5], [2, 4], [1, 0], [0, 0], [0, 0]),
  equal: binary([1, 5], [2, 5], [0, 1], [0, 0], [0, 0]),
  pow: binary([2, 4], [3, 0.5], [8, 2], [12, 0.25], [8 * Math.LN2, 4 * Math.LN2]),
  atan2: binary([1, 1], [0, 1], [Math.PI / 2, Math.PI / 4], [0, 0.5], [-1, -0.5]),
  hypot: binary([3, 12], [4, 5], [5, 13], [0.6, 12 / 13], [0.8, 5 / 13]),
  where: {
    attributes: noAttributes,
    inputs: [tensor([2], 1, 0), tensor([2], 1, 2), tensor([2], 3, 4)],
    tangents: [tensor([2], 100, 100), tensor([2], 10, 20), tensor([2], 30, 40)],
    cotangent: tensor([2], 5, 7),
    value: tensor([2], 1, 4),
    tangent: tensor([2], 10, 40),
    cotangents: [tensor([2], 0, 0), tensor([2], 5, 0), tensor([2], 0, 7)],
  },
  sum: {
    attributes: { axes: [1], keepdims: false },
    inputs: [tensor([2, 3], ...oneToSix)],
    tangents: [tensor([2, 3], 1, 0, 0, 0, 10, 10)],
    cotangent: tensor([2], 1, 10),
    value: tensor([2], 6, 15),
    tangent: tensor([2], 1, 20),
    cotangents: [tensor([2, 3], 1, 1, 1, 10, 10, 10)],
  },
  broadcast_to: {
    attributes: { shape: [2, 2, 3] },
    inputs: [tensor([2, 1], 1, 2)],
    tangents: [tensor([2, 1], 5, 7)],
    cotangent: tensor([2, 2, 3], ...oneToSix, 7, 8, 9, 10, 11, 12),
    value: tensor([2, 2, 3], 1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2),
    tangent: tensor([2, 2, 3], 5, 5, 5, 7, 7, 7, 5, 5, 5, 7, 7, 7),
    cotangents: [tensor([2, 1], 30, 48)],
  },
  reshape: {
    attributes: { shape: [3, 2] },
    inputs: [tensor([2, 3], ...oneToSix)],
    tangents: [tensor([2, 3], 6, 5, 4, 3, 2, 1)],
    cotangent: tensor([3, 2], ...oneToSix),
    value: tensor([3, 2], ...oneToSix),
    tangent: tensor([3, 2], 6, 5, 4, 3, 2, 1),
    cotangents: [tensor([2, 3], ...oneToSix)],
  },
  permute_dims: {
    attributes: { axes: [2, 0, 1] },
    inputs: [tensor([1, 2, 3], ...oneToSix)],
    tangents: [tensor([1, 2, 3], 6, 5, 4, 3, 2, 1)],
    cotangent: tensor([3, 1, 2], ...oneToSix),
    value: tensor([3, 1, 2], 1, 4, 2, 5, 3, 6),
    tangent: tensor([3, 1, 2], 6, 3, 5, 2, 4, 1),
    cotangents: [tensor([1, 2, 3], 1, 3, 5, 2, 4, 6)],
  },
  concat: {
    attributes: { axis: 1 },
    inputs: [tensor([2, 1], 1, 2), tensor([2, 2], 3, 4, 5, 6)],
    tangents: [tensor([2, 1], 10, 20), tensor([2, 2], 30, 40, 50, 60)],
    cotangent: tensor([2, 3], ...oneToSix),
    value: tensor([2, 3], 1, 3, 4, 2, 5, 6),
    tangent: tensor([2, 3], 10, 30, 40, 20, 50, 60),
    cotangents: [tensor([2, 1], 1, 4), tensor([2, 2], 2, 3, 5, 6)],
  },
  take: {
    attributes: { axis: 1, indices: "i" },
    inputs: [tensor([2, 3], ...oneToSix)],
    entry: { declaration: { name: "i", shape: [3], kind: "index" }, tensor: tensor([3], 2, 0, 2) },
    tangents: [tensor([2, 3], 10, 20, 30, 40, 50, 60)],
    cotangent: tensor([2, 3], ...oneToSix),
    value: tensor([2, 3], 3, 1, 3, 6, 4, 6),
    tangent: tensor([2, 3], 30, 10, 30, 60, 40, 60),
    cotangents: [tensor([2, 3], 2, 0, 4, 5, 0, 10)],
  },
  slice: {
    attributes: { starts: [0, -1], stops: [2, -4], steps: [1, -2] },
    inputs: [tensor([2, 3], ...oneToSix)],
    tangents: [tensor([2, 3], 10, 20, 30, 40, 50, 60)],
    cotangent: tensor([2, 2], 1, 2, 3, 4),
    value: tensor([2, 2], 3, 1, 6, 4),
    tangent: tensor([2, 2], 30, 10, 60, 40),
    cotangents: [tensor([2, 3], 2, 0, 1, 4, 0, 3)],
  },
  pad: {
    attributes: { low: [0, 1], high: [1, 0], interior: [0, 1] },
    inputs: [tensor([1, 2], 1, 2)],
    tangents: [tensor([1, 2], 10, 20)],
    cotangent: tensor([2, 4], ...oneToSix, 7, 8),
    value: tensor([2, 4], 0, 1, 0, 2, 0, 0, 0, 0),
    tangent: tensor([2, 4], 0, 10, 0, 20, 0, 0, 0, 0),
    cotangents: [tensor([1, 2], 2, 4)],
  },
  take_along_axis: {
    attributes: { axis: 1, indices: "i" },
    inputs: [tensor([2, 3], ...oneToSix)],
    entry: { declaration: { name: "i", shape: [2, 2], kind: "index" }, tensor: tensor([2, 2], 2, 0, 1, 1) },
    tangents: [tensor([2, 3], 10, 20, 30, 40, 50, 60)],
    cotangent: tensor([2, 2], 1, 2, 3, 4),
    value: tensor([2, 2], 3, 1, 5, 5),
    tangent: tensor([2, 2], 30, 10, 50, 50),
    cotangents: [tensor([2, 3], 2, 0, 1, 0, 7, 0)],
  },
  gather: {
    attributes: { indices: "i" },
    inputs: [tensor([2, 3], ...oneToSix)],
    entry: {
      declaration: { name: "i", shape: [3, 2], kind: "index" },
      tensor: tensor([3, 2], 1, 0, 0, 2, 1, 0),
    },
    tangents: [tensor([2, 3], 10, 20, 30, 40, 50, 60)],
    cotangent: tensor([3], 1, 2, 4),
    value: tensor([3], 4, 3, 4),
    tangent: tensor([3], 40, 30, 40),
    cotangents: [tensor([2, 3], 0, 0, 2, 5, 0, 0)],
  },
  scatter_add: {
    attributes: { indices: "i" },
    inputs: [tensor([3, 2], ...oneToSix), tensor([2, 2], 10, 20, 30, 40)],
    entry: { declaration: { name: "i", shape: [2, 1], kind: "index" }, tensor: tensor([2, 1], 2, 2) },
    tangents: [tensor([3, 2], 1, 0, 0, 0, 0, 1), tensor([2, 2], 10, 0, 100, 0)],
    cotangent: tensor([3, 2], ...oneToSix),
    value: tensor([3, 2], 1, 2, 3, 4, 45, 66),
    tangent: tensor([3, 2], 1, 0, 0, 0, 110, 1),
    cotangents: [tensor([3, 2], ...oneToSix), tensor([2, 2], 5, 6, 5, 6)],
  },
  cumulative_sum: {
    attributes: { axis: 1 },
    inputs: [tensor([2, 3], ...oneToSix)],
    tangents: [tensor([2, 3], 1, 10, 100, 2, 20, 200)],
    cotangent: tensor([2, 3], 1, 10, 100, 2, 20, 200),
    value: tensor([2, 3], 1, 3, 6, 4, 9, 15),
    tangent: tensor([2, 3], 1, 11, 111, 2, 22, 222),
    cotangents: [tensor([2, 3], 111, 110, 100, 222, 220, 200)],
  },
  matmul: {
    attributes: noAttributes,
    inputs: [tensor([2, 3], ...oneToSix), tensor([3, 2], 7, 8, 9, 10, 11, 12)],
    tangents: [tensor([2, 3], 1, 0, 0, 0, 1, 0), tensor([3, 2], 1, 0, 0, 0, 0, 0)],
    cotangent: tensor([2, 2], 1, 2, 3, 4),
    value: tensor([2, 2], 58, 64, 139, 154),
    tangent: tensor([2, 2], 8, 8, 13, 10),
    cotangents: [tensor([2, 3], 23, 29, 35, 53, 67, 81), tensor([3, 2], 13, 18, 17, 24, 21, 30)],
  },
  // The inverse of [0 2; 4 2] is [−1 1; 2 0] / 4.
  solve: {
    attributes: noAttributes,
    inputs: [tensor([2, 2], 0, 2, 4, 2), tensor([2, 1], 2, 6)],
    tangents: [tensor([2, 2], 0, 1, 0, 0), tensor([2, 1], 0, 4)],
    cotangent: tensor([2, 1], 4, 8),
    value: tensor([2, 1], 1, 1),
    tangent: tensor([2, 1], 1.25, -0.5),
    cotangents: [tensor([2, 2], -3, -3, -1, -1), tensor([2, 1], 3, 1)],
  },
  // Regular: many engines go through the inverse, and what they make of a singular matrix is for the judge.
  det: {
    attributes: noAttributes,
    inputs: [tensor([2, 2], 1, 3, 2, 5)],
    tangents: [tensor([2, 2], 1, 0, 10, 0)],
    cotangent: tensor([], 5),
    value: tensor([], -1),
    tangent: tensor([], -25),
    cotangents: [tensor([2, 2], 25, -10, -15, 5)],
  },
};

/** The questions of an example: a graph of one node, and what to ask about it. */
export interface ExampleCase {
  readonly graph: Graph;
  readonly point: Point;
  readonly tangents: readonly FlatTensor[];
  readonly seeds: readonly Seed[];
}

/** Returns the case of the operator's example. */
export function caseOf(op: PrimitiveName): ExampleCase {
  const { attributes, inputs, entry, tangents, cotangent } = examples[op];
  const graph = checkGraph({
    format: "adjudge.graph.v1",
    inputs: inputs.map(({ shape }, position) => ({ name: `x${position}`, shape })),
    environment: entry === undefined ? [] : [entry.declaration],
    nodes: [
      { op, attributes, parents: operators[op].arity === 0 ? [] : inputs.map((_, position) => position) },
    ],
  });
  if (!graph.ok) throw new InvariantError(`the example of ${op}: ${graph.error.map(formatIssue).join("; ")}`);
  const environment = new Map(entry === undefined ? [] : [[entry.declaration.name, entry.tensor]]);
  const seeds = [{ id: nodeId(inputs.length), cotangent }];
  return { graph: graph.value, point: { inputs, environment }, tangents, seeds };
}
