import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import { referenceConventions } from "../../../spec/contract/index.ts";
import { at, type FlatTensor, type Graph, graph, nodeId, type Shape } from "../../../spec/index.ts";
import { truthOf } from "../case_truth.ts";
import {
  det,
  type Elimination,
  get,
  type Matrix,
  matrix,
  product,
  solve,
  transpose,
} from "../nodes/elimination.test.kit.ts";
import { standardOf } from "../standard/standard.ts";
import type { Component } from "../verdicts/component.ts";

type Precision = "float64" | "float32";

const engines: { readonly [P in Precision]: Elimination } = {
  float64: { round: (x) => x, pivots: true },
  float32: { round: Math.fround, pivots: true },
};

const flat = (shape: Shape, data: readonly number[]): FlatTensor => ({
  shape,
  data: Float64Array.from(data),
});

/** Returns the last id of a graph, differentiated forward by its first input. */
function along(inner: Graph, direction: Shape): Graph {
  const of = nodeId(inner.inputs.length + inner.nodes.length - 1);
  return graph(({ input, differentiate }) => {
    const operands = [
      ...inner.inputs.map(({ name, shape }) => input(name, shape)),
      input(`t${of}`, direction),
    ];
    return differentiate(...operands, { graph: inner, mode: "jvp", of, wrt: nodeId(0) });
  });
}

/**
 * Returns the truth of a determinant's derivative along these directions, and of its cotangent by the matrix.
 */
function truthAt(a: Matrix, directions: readonly Matrix[], dtype: Precision) {
  const shape = [a.length, a.length];
  const determinant = graph(({ input }) => input("a", shape).det());
  const derivative = directions.reduce((inner) => along(inner, shape), determinant);
  const inputs = [a, ...directions].map((x) => flat(shape, x.flat()));
  const last = nodeId(inputs.length);
  const seeds = [{ id: last, cotangent: flat([], [1]) }];
  const question = { graph: derivative, point: { inputs, environment: new Map() }, tangents: inputs, seeds };
  const truth = truthOf(question, standardOf({ conventions: referenceConventions, accuracy: {} }, dtype));
  return { value: at(truth.value(last), 0), cotangent: truth.cotangent(nodeId(0)) };
}

function trace(x: Matrix): number {
  return x.reduce((total, _, i) => total + get(x, i, i), 0);
}

/** Returns det A (tr X tr Y − tr X Y), where X = A⁻¹ T and Y = A⁻¹ U, with what is rounded rounded. */
function second(engine: Elimination, a: Matrix, t: Matrix, u: Matrix): number {
  const { round } = engine;
  const [x, y] = [solve(engine, a, t, a.length), solve(engine, a, u, a.length)];
  const mixed = round(trace(product(engine, x, y, a.length)));
  return round(det(engine, a) * round(round(round(trace(x)) * round(trace(y))) - mixed));
}

/**
 * Returns det A (tr X A⁻ᵀ − (X A⁻¹)ᵀ), the gradient of det A tr X; or a wrong one, without the transposition.
 */
function gradient(engine: Elimination, a: Matrix, t: Matrix, isTransposed: boolean): Matrix {
  const { round } = engine;
  const n = a.length;
  const identity = matrix(n, n, (i, j) => (i === j ? 1 : 0));
  const [x, inverse] = [solve(engine, a, t, n), solve(engine, a, identity, n)];
  const [d, moved] = [det(engine, a), product(engine, x, inverse, n)];
  const bar = matrix(n, n, (i, j) =>
    round(d * round(round(round(trace(x)) * get(inverse, i, j)) - get(moved, i, j))),
  );
  return isTransposed ? transpose(bar, n) : bar;
}

const judged = (components: readonly Component[], answers: readonly number[]): readonly string[] =>
  components.map((component, place) => component.judge(at(answers, place)));

/** Random matrices of an order, all of which are numbers of float32. */
function drawn(random: Random, order: number): Matrix {
  return matrix(order, order, () => (random.nextInt(-(2 ** 20), 2 ** 20) + 0.5) / 2 ** 19);
}

describe.each(["float64", "float32"] as const)("the second derivative of a determinant in %s", (dtype) => {
  const engine = engines[dtype];

  test.each([1, 2, 3, 4])("may be what a factorisation of %i rows makes of it", (order) => {
    const random = new Random(xoroshiro128plus(160 + order));
    const said: string[] = [];
    for (let round = 0; round < 80 / order ** 2; round++) {
      const [a, t, u] = [drawn(random, order), drawn(random, order), drawn(random, order)];
      said.push(truthAt(a, [t, u], dtype).value.judge(second(engine, a, t, u)));
      said.push(...judged(truthAt(a, [t], dtype).cotangent, gradient(engine, a, t, true).flat()));
    }
    expect(said).not.toContain("outside");
    // Of float32 nothing is known where too little is left of a cancelling sum.
    if (dtype === "float64") expect(said).toContain("within");
  });
});

describe("a wrong second derivative of a determinant", () => {
  const engine = engines.float64;

  test.each([
    2, 3,
  ])("is told, of %i rows: off by a millionth, without the mixed term, not transposed", (order) => {
    const random = new Random(xoroshiro128plus(170 + order));
    for (let round = 0; round < 20; round++) {
      const [a, t, u] = [drawn(random, order), drawn(random, order), drawn(random, order)];
      const { value } = truthAt(a, [t, u], "float64");
      const right = second(engine, a, t, u);
      const [x, y] = [solve(engine, a, t, order), solve(engine, a, u, order)];
      const unmixed = det(engine, a) * trace(x) * trace(y);
      for (const wrong of [right * (1 + 1e-6), right * (1 - 1e-6), unmixed])
        expect(value.judge(wrong)).toBe("outside");
      const { cotangent } = truthAt(a, [t], "float64");
      expect(judged(cotangent, gradient(engine, a, t, false).flat())).toContain("outside");
    }
  });

  test("of one number is told beyond rounding, though it is 0 whatever the number", () => {
    const { value, cotangent } = truthAt([[3]], [[[1.7]], [[-2.3]]], "float64");
    for (const honest of [0, -(2 ** -50)]) {
      expect(value.judge(honest)).not.toBe("outside");
      expect(judged(cotangent, [honest])).not.toContain("outside");
    }
    for (const wrong of [1e-3, 1e-9, Number.NaN]) {
      expect(value.judge(wrong)).toBe("outside");
      expect(judged(cotangent, [wrong])).toContain("outside");
    }
  });

  test("is told at a singular matrix, where a factorisation has no answer and the minors have", () => {
    const a: Matrix = [
      [1, 2],
      [2, 4],
    ];
    const t: Matrix = [
      [1, 0],
      [0, 1],
    ];
    const u: Matrix = [
      [3, 5],
      [7, 11],
    ];
    const { value } = truthAt(a, [t, u], "float64");
    expect([14, 0, 13, Number.NaN].map((answer) => value.judge(answer))).toEqual([
      "within",
      "outside",
      "outside",
      "outside",
    ]);
  });
});

test("the third derivative along one number, and how it moves, are 0 but for rounding", () => {
  const numbers: readonly Matrix[] = [[[1.25]], [[0.7]], [[-2.3]]];
  const { value, cotangent } = truthAt([[3]], numbers, "float64");
  for (const component of [value, ...cotangent]) {
    expect(component.judge(2 ** -51)).not.toBe("outside");
    expect(component.judge(1e-3)).toBe("outside");
  }
});
