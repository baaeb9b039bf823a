import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  type Algebra,
  formatFloat64,
  InvariantError,
  type NodeId,
  nodeId,
  present,
  type Semiring,
  type Shape,
} from "../spec/index.ts";
import { float64 } from "./algebras/float.ts";
import { formal } from "./algebras/formal.ts";
import { integer } from "./algebras/integer.ts";
import { modular, residue } from "./algebras/modular.ts";
import { rational } from "./algebras/rational.ts";
import { compile } from "./compile.ts";
import { type Context, dense, zeroContext } from "./context.ts";
import type { Environment } from "./environment.ts";
import {
  backpropAllCtx,
  backpropCtx,
  backpropSparse,
  contextShapes,
  evaluate,
  type GraphData,
  jvpCtx,
  type NodeData,
  nil,
  pullBack,
  snocNode,
} from "./graph.ts";
import { filled, type LawlessGraph, lawlessData, lawlessGraphs } from "./lawless.test.kit.ts";
import { backpropAllLiteral, backpropLiteral, evalLiteral, jvpLiteral } from "./literal.test.kit.ts";
import { backward, backwardDenseFrom } from "./tape.ts";
import type { Tensor } from "./tensor.ts";

const noEnvironment = new Map<string, never>();

const scalar = <S>(x: S): Tensor<S> => ({ shape: [], data: [x] });

/** The elements at one scalar entry after another. */
const elements = <S>(context: Context<S>): S[] => context.flatMap(({ data }) => [...data]);

/** Whether two contexts have the same shapes and the same elements. */
function isSameContext<S, B>(algebra: Algebra<S, B>, a: Context<S>, b: Context<S>): boolean {
  const shapes = (context: Context<S>): string => JSON.stringify(context.map(({ shape }) => shape));
  const right = elements(b);
  return (
    shapes(a) === shapes(b) &&
    elements(a).every((x, i) => algebra.isSame(x, present(right[i], "an element of a context of one type")))
  );
}

/** `x · y` of scalars, or `x · x` if both are one id. */
function product<S>(a: Semiring<S>, x: number, y: number): NodeData<S> {
  const value = (context: Context<S>, id: number): S => present(context[id]?.data[0], "a scalar");
  return {
    name: "product",
    shape: [],
    reads: [nodeId(x), nodeId(y)],
    forward: (context) => scalar(a.multiply(value(context, x), value(context, y))),
    jvp: (context, tangents) =>
      scalar(
        a.add(
          a.multiply(value(tangents, x), value(context, y)),
          a.multiply(value(context, x), value(tangents, y)),
        ),
      ),
    vjp: (context, _environment, { data: [c = a.zero] }) => {
      const [xBar, yBar] = [a.multiply(c, value(context, y)), a.multiply(c, value(context, x))];
      const bars: [NodeId, Tensor<S>][] =
        x === y
          ? [[nodeId(x), scalar(a.add(xBar, yBar))]]
          : [
              [nodeId(x), scalar(xBar)],
              [nodeId(y), scalar(yBar)],
            ];
      return new Map(bars);
    },
  };
}

/** What the four functions return, by name. */
interface Functions {
  backpropAll<S>(
    algebra: Semiring<S>,
    graph: GraphData<S>,
    x: Context<S>,
    environment: Environment<S>,
    seed: Context<S>,
  ): Context<S>;
}

/** Whether the loops say what the definitions say, on a graph with a point, a tangent and a seed on every id. */
function agree<S, B>(
  algebra: Algebra<S, B>,
  graph: GraphData<S>,
  numbers: readonly [S, ...S[]],
  { backpropAll }: Functions = { backpropAll: backpropAllCtx },
): boolean {
  const semiring = present(algebra.levels.semiring, "a semiring");
  const x = filled(graph.inputs, numbers, 0);
  const dx = filled(graph.inputs, numbers, 3);
  const seed = filled(contextShapes(graph), numbers, 5);
  const same = (a: Context<S>, b: Context<S>): boolean => isSameContext(algebra, a, b);
  return (
    same(evaluate(graph, x, noEnvironment), evalLiteral(graph, x, noEnvironment)) &&
    same(jvpCtx(graph, x, dx, noEnvironment), jvpLiteral(graph, x, dx, noEnvironment)) &&
    same(
      backpropAll(semiring, graph, x, noEnvironment, seed),
      backpropAllLiteral(semiring, graph, x, noEnvironment, seed),
    ) &&
    same(
      backpropCtx(semiring, graph, x, noEnvironment, seed),
      backpropLiteral(semiring, graph, x, noEnvironment, seed),
    )
  );
}

/** Doubles where a wrong order or a forgotten zero shows: signs of zero, infinities, NaN, subnormals. */
const telling: readonly number[] = [
  0, -0, 1, -1, 0.1, 1 / 3, 3, -5, 2 ** 53, 1e308, -1e308, 2 ** -1074, -(2 ** -1074), 2 ** -1022, -1e-320,
  Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN,
]; // biome-ignore format: a list

const doubles = fc.array(fc.constantFrom(...telling), { minLength: 7, maxLength: 7 });
const integers = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 7, maxLength: 7 });

/** The law over an algebra, as a property of graphs and numbers. */
function property<S, B>(
  algebra: Algebra<S, B>,
  numbers: fc.Arbitrary<number[]>,
  functions?: Functions,
): fc.IProperty<[LawlessGraph, number[]]> {
  return fc.property(lawlessGraphs, numbers, (recipe, drawn) => {
    const [first, ...rest] = drawn.map((x) =>
      present(algebra.parse(algebra.name === "float64" ? formatFloat64(x) : String(x)), "a number"),
    );
    const graph = lawlessData(present(algebra.levels.semiring, "a semiring"), recipe);
    return agree(algebra, graph, [present(first, "the first of seven"), ...rest], functions);
  });
}

/** The loops with one fault each. */
const planted: Readonly<Record<string, Functions["backpropAll"]>> = {
  "no zero is added where nothing is read": (algebra, graph, x, environment, seed) => {
    const sparse = new Map(seed.map((c, id) => [nodeId(id), c]));
    const bars = backpropSparse(algebra, graph, x, environment, sparse);
    return dense(algebra, contextShapes(graph), bars);
  },
  "a contribution is added in front of the slot": (algebra, graph, x, environment, seed) =>
    backpropAllCtx({ ...algebra, add: (a, b) => algebra.add(b, algebra.add(a, algebra.zero)) }, graph, x, environment, seed),
  "a contribution overwrites the slot": (algebra, graph, x, environment, seed) =>
    backpropAllCtx({ ...algebra, add: (_, b) => b }, graph, x, environment, seed),
};

describe("the loops are the recursive definitions", () => {
  test("over float64, bit for bit, on graph data without any law", () => {
    fc.assert(property(float64, doubles), { seed: 11, numRuns: 3000 });
  });

  test.each([integer, modular, formal])("over $name, to equality", (algebra) => {
    fc.assert(property(algebra, integers), { seed: 12, numRuns: 500 });
  });

  test("over rational, to equality", () => {
    fc.assert(property(rational, integers), { seed: 12, numRuns: 500 });
  });
});
