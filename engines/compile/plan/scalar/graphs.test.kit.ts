import {
  at,
  checkGraph,
  expand,
  type Graph,
  type Point,
  type PrimitiveGraph,
  present,
} from "../../../../spec/index.ts";
import { pointwiseRules } from "../rules/index.ts";

/** Makes a source of numbers below `bound`, from a seed: mulberry32. */
export function drawing(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * bound;
  };
}

/** The recipe says what a random graph of scalars is made of. */
export interface Recipe {
  readonly inputs: number;
  readonly nodes: number;
  /** Operands are drawn from so many ids back, and only now and then from earlier ones. */
  readonly window: number;
  /** So many of the last nodes add the one before and a random one, so that much is needed. */
  readonly gathering: number;
  readonly operators: readonly string[];
  readonly literals: readonly number[];
}

/** All operators on scalars. */
export const allOperators: readonly string[] = [
  ...Object.keys(pointwiseRules),
  "full",
  "constant",
  "reshape",
  "broadcast_to",
  "permute_dims",
  "sum",
];

/** These operators keep values small, and their cotangents are seldom zero. */
export const flowingOperators: readonly string[] = [
  "add",
  "subtract",
  "multiply",
  "multiply",
  "sin",
  "tanh",
  "negative",
  "maximum",
  "where",
  "less",
  "full",
  "constant",
  "reshape",
];

/** These operators take integers to integers that a float64 holds exactly, in shallow graphs. */
export const integerOperators: readonly string[] = [
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

/** Makes a graph with random operands, some of them read often, some twice by one node, some never. */
export function randomGraph(recipe: Recipe, seed: number): PrimitiveGraph {
  const draw = drawing(seed);
  const { inputs, operators, literals, window } = recipe;
  const nodes: Json[] = [];
  const pick = <T>(from: readonly T[]): T => {
    const found = from[Math.floor(draw(from.length))];
    if (found === undefined) throw new Error("nothing to draw from");
    return found;
  };
  const operand = (): number => {
    const ids = inputs + nodes.length;
    if (draw(8) < 1) return Math.floor(draw(Math.min(3, ids)));
    return draw(4) < 1 ? Math.floor(draw(ids)) : ids - 1 - Math.floor(draw(Math.min(window, ids)));
  };
  while (nodes.length < recipe.nodes) {
    if (recipe.nodes - nodes.length <= recipe.gathering) {
      const ids = inputs + nodes.length;
      nodes.push({ op: "add", attributes: {}, parents: [ids - 1, Math.floor(draw(ids))] });
      continue;
    }
    const x = operand();
    const y = draw(6) < 1 ? x : operand();
    const z = draw(6) < 1 ? y : operand();
    nodes.push(nodeOf(pick(operators), [x, y, z], pick(literals), pick(["a", "b"])));
  }
  const checked = checkGraph({
    format: "adjudge.graph.v1",
    inputs: Array.from({ length: inputs }, (_, n) => ({ name: `x${n}`, shape: [] })),
    environment: [
      { name: "a", shape: [], kind: "real" },
      { name: "b", shape: [], kind: "real" },
    ],
    nodes,
  });
  if (!checked.ok) throw new Error(checked.error[0]?.message);
  return expand(checked.value).graph;
}

/** A node as JSON. */
interface Json {
  readonly op: string;
  readonly attributes: object;
  readonly parents: readonly number[];
}

function nodeOf(op: string, operands: readonly number[], value: number, name: string): Json {
  const parents = operands.slice(0, 1);
  switch (op) {
    case "full":
      return { op, attributes: { shape: [], value }, parents: [] };
    case "constant":
      return { op, attributes: { name }, parents: [] };
    case "reshape":
    case "broadcast_to":
      return { op, attributes: { shape: [] }, parents };
    case "permute_dims":
      return { op, attributes: { axes: [] }, parents };
    case "sum":
      return { op, attributes: { axes: [], keepdims: false }, parents };
    default: {
      const [, rule] = present(
        Object.entries(pointwiseRules).find(([name]) => name === op),
        op,
      );
      return { op, attributes: {}, parents: operands.slice(0, rule.arity) };
    }
  }
}

/** Makes a point of a graph of scalars. */
export function pointOf(graph: Graph, x: readonly number[], environment: readonly number[]): Point {
  return {
    inputs: x.map((value) => ({ shape: [], data: Float64Array.of(value) })),
    environment: new Map(
      graph.environment.map(({ name }, n) => [
        name,
        { shape: [], data: Float64Array.of(at(environment, n)) },
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
