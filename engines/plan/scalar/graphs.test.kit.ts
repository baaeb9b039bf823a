import {
  type Graph,
  type Node,
  type NodeId,
  nodeId,
  type Point,
  type PrimitiveGraph,
  type PrimitiveNode,
} from "../../../spec/index.ts";
import { type PointwiseName, pointwiseRules } from "../rules/index.ts";

/** A source of numbers below `bound`, from a seed: mulberry32. */
export function drawing(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * bound;
  };
}

/** What a random graph of scalars is made of. */
export interface Recipe {
  readonly inputs: number;
  readonly nodes: number;
  /** How many ids back operands are looked for; the ids before that only now and then. */
  readonly window: number;
  readonly operators: readonly Node["op"][];
  readonly literals: readonly number[];
}

/** All operators on scalars. */
export const allOperators: readonly Node["op"][] = [
  ...Object.keys(pointwiseRules).filter(isOperator),
  "full",
  "constant",
  "reshape",
  "broadcast_to",
  "permute_dims",
  "sum",
];

function isOperator(name: string): name is Node["op"] {
  return Object.hasOwn(pointwiseRules, name);
}

/** The operators that take integers to integers and do not let them grow beyond what a float64 holds, in shallow graphs. */
export const integerOperators: readonly Node["op"][] = [
  "add",
  "subtract",
  "negative",
  "maximum",
  "relu",
  "where",
  "less",
  "equal",
  "floor",
  "stop_gradient",
  "full",
  "constant",
  "reshape",
  "sum",
];

/** A graph with operands at random: some ids are read many times, some twice by one node, some never. Two entries of Δ, `a` and `b`. */
export function randomGraph(recipe: Recipe, seed: number): PrimitiveGraph {
  const draw = drawing(seed);
  const { inputs, operators, literals, window } = recipe;
  const nodes: PrimitiveNode[] = [];
  const pick = <T>(from: readonly T[]): T => {
    const found = from[Math.floor(draw(from.length))];
    if (found === undefined) throw new Error("nothing to draw from");
    return found;
  };
  const operand = (): NodeId => {
    const ids = inputs + nodes.length;
    if (draw(8) < 1) return nodeId(Math.floor(draw(Math.min(3, ids))));
    return draw(4) < 1
      ? nodeId(Math.floor(draw(ids)))
      : nodeId(ids - 1 - Math.floor(draw(Math.min(window, ids))));
  };
  while (nodes.length < recipe.nodes) {
    const x = operand();
    const y = draw(6) < 1 ? x : operand();
    const z = draw(6) < 1 ? y : operand();
    nodes.push(nodeOf(pick(operators), [x, y, z], pick(literals), pick(["a", "b"])));
  }
  return {
    format: "adjudge.graph.v1",
    inputs: Array.from({ length: inputs }, (_, n) => ({ name: `x${n}`, shape: [] })),
    environment: [
      { name: "a", shape: [], kind: "real" },
      { name: "b", shape: [], kind: "real" },
    ],
    nodes,
  };
}

function nodeOf(
  op: Node["op"],
  [x, y, z]: readonly [NodeId, NodeId, NodeId],
  value: number,
  name: string,
): PrimitiveNode {
  switch (op) {
    case "full":
      return { op, attributes: { shape: [], value }, parents: [] };
    case "constant":
      return { op, attributes: { name }, parents: [] };
    case "reshape":
    case "broadcast_to":
      return { op, attributes: { shape: [] }, parents: [x] };
    case "permute_dims":
      return { op, attributes: { axes: [] }, parents: [x] };
    case "sum":
      return { op, attributes: { axes: [], keepdims: false }, parents: [x] };
    default:
      if (!isScalarOperator(op)) throw new Error(`${op} has no scalar`);
      return { op, attributes: {}, parents: [x, y, z].slice(0, pointwiseRules[op].arity) };
  }
}

function isScalarOperator(op: Node["op"]): op is PointwiseName {
  return Object.hasOwn(pointwiseRules, op);
}

/** A point of a graph of scalars. */
export function pointOf(graph: Graph, x: readonly number[], environment: readonly number[]): Point {
  return {
    inputs: x.map((value) => ({ shape: [], data: Float64Array.of(value) })),
    environment: new Map(
      graph.environment.map(({ name }, n) => [
        name,
        { shape: [], data: Float64Array.of(environment[n] ?? 0) },
      ]),
    ),
  };
}

/** Numbers at which operators are tested: zeros of both signs, kinks, infinities, NaN, and ordinary ones. */
export const awkwardNumbers: readonly number[] = [
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  2,
  3,
  0.1,
  -2.5,
  1e-300,
  1e300,
  Infinity,
  -Infinity,
  NaN,
];

/** Whether two arrays have the same bits, with one NaN. */
export function isSame(actual: ArrayLike<number>, expected: ArrayLike<number>): boolean {
  if (actual.length !== expected.length) return false;
  for (let n = 0; n < expected.length; n++) if (!Object.is(actual[n], expected[n])) return false;
  return true;
}
