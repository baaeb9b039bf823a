import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type Additive, type Algebra, formatFloat64, nodeId, present, type Semiring } from "../spec/index.ts";
import { dual } from "./algebras/dual.ts";
import { float32, float64 } from "./algebras/float.ts";
import { formal } from "./algebras/formal.ts";
import { integer } from "./algebras/integer.ts";
import { modular, residue } from "./algebras/modular.ts";
import { rational } from "./algebras/rational.ts";
import { type ScalarTerm, type SymbolicAlgebra, symbolic } from "./algebras/symbolic/index.ts";
import { compile } from "./compile.ts";
import { type Context, dense, entry, zeroContext } from "./context.ts";
import * as definition from "./definition.ts";
import type { Environment } from "./environment.ts";
import { contextShapes, type GraphData, nil, pullBack, snocNode } from "./graph.ts";
import { elements, isSameContext, noEnvironment, product, scalar } from "./hand.test.kit.ts";
import { filled, type LawlessGraph, lawlessData, lawlessGraphs } from "./lawless.test.kit.ts";
import { backpropAllCtx, backpropCtx, backpropSparse, evaluate, jvpCtx } from "./sweep.ts";
import { backward, backwardDenseFrom } from "./tape.ts";
import { addTensors, type Tensor } from "./tensor.ts";

/** The function under test that a fault is planted in. */
interface Functions {
  backpropAll<S>(
    algebra: Semiring<S>,
    graph: GraphData<S>,
    x: Context<S>,
    environment: Environment<S>,
    seed: Context<S>,
  ): Context<S>;
}

/** Tells whether the sweep and the definition agree on a graph, with a tangent and a seed on every id. */
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
    same(evaluate(graph, x, noEnvironment), definition.evaluate(graph, x, noEnvironment)) &&
    same(jvpCtx(graph, x, dx, noEnvironment), definition.jvpCtx(graph, x, dx, noEnvironment)) &&
    same(
      backpropAll(semiring, graph, x, noEnvironment, seed),
      definition.backpropAllCtx(semiring, graph, x, noEnvironment, seed),
    ) &&
    same(
      backpropCtx(semiring, graph, x, noEnvironment, seed),
      definition.backpropCtx(semiring, graph, x, noEnvironment, seed),
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

/** Returns the law over an algebra, as a property of graphs and numbers. */
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

/** The loop of `backpropAllCtx` in the sparse form, that is without the zeros of entries nobody lists. */
const withoutZeros: Functions["backpropAll"] = (algebra, graph, x, environment, seed) => {
  const everywhere = new Map(seed.map((c, id) => [nodeId(id), c]));
  return dense(algebra, contextShapes(graph), backpropSparse(algebra, graph, x, environment, everywhere));
};

/** Adds up what nodes contribute apart, and adds the seed to the sum. */
const seedAddedLast: Functions["backpropAll"] = (algebra, graph, x, environment, seed) => {
  const context = evaluate(graph, x, environment);
  const sums = [...zeroContext(algebra, contextShapes(graph))];
  const total = (id: number): Tensor<(typeof algebra)["zero"]> =>
    addTensors(algebra, entry(seed, id), entry(sums, id));
  for (let id = context.length - 1; id >= 0; id--) {
    for (const [parent, bar] of pullBack(graph, context, environment, id, total(id))) {
      sums[parent] = addTensors(algebra, entry(sums, parent), bar);
    }
  }
  return sums.map((_, id) => total(id));
};

/** Loops with one fault each. The first two are right over exact algebras and wrong in a float's bits. */
const planted: readonly (readonly [string, Functions["backpropAll"]])[] = [
  ["adds no zero where nothing is read", withoutZeros],
  ["adds the seed last", seedAddedLast],
  ["overwrites a slot", (algebra, ...rest) => backpropAllCtx({ ...algebra, add: (_, bar) => bar }, ...rest)],
  [
    "drops the seeds of inputs",
    (algebra, graph, x, environment, seed) =>
      backpropAllCtx(algebra, graph, x, environment, [
        ...zeroContext(algebra, graph.inputs),
        ...seed.slice(graph.inputs.length),
      ]),
  ],
  [
    "stops before the first node",
    (algebra, graph, x, environment, seed) =>
      backpropAllCtx(
        algebra,
        {
          inputs: graph.inputs,
          nodes: graph.nodes.map((node, index) => (index > 0 ? node : { ...node, vjp: () => new Map() })),
        },
        x,
        environment,
        seed,
      ),
  ],
];

describe("the sweep is the definition", () => {
  test("over float64, bit for bit, on graph data without any law", () => {
    fc.assert(property(float64, doubles), { seed: 11, numRuns: 3000 });
  });

  test.each([integer, modular, formal])("over $name, to equality", (algebra) => {
    fc.assert(property(algebra, integers), { seed: 12, numRuns: 500 });
  });

  test("over rational, to equality", () => {
    fc.assert(property(rational, integers), { seed: 12, numRuns: 500 });
  });

  test.each(planted)("a loop that %s is told from it over float64", (_fault, backpropAll) => {
    const { failed } = fc.check(property(float64, doubles, { backpropAll }), { seed: 13, numRuns: 500 });
    expect(failed).toBe(true);
  });

  test.each(planted.slice(2))("a loop that %s is told from it over modular", (_fault, backpropAll) => {
    const { failed } = fc.check(property(modular, integers, { backpropAll }), { seed: 13, numRuns: 500 });
    expect(failed).toBe(true);
  });

  test.each(planted.slice(0, 2))("over modular a loop that %s is right", (_difference, backpropAll) => {
    fc.assert(property(modular, integers, { backpropAll }), { seed: 13, numRuns: 500 });
  });
});

/** Tells whether `x + 0 + y = x + y + 0` and `x + 0 + 0 = x + 0`. */
function isZeroMoved<S, B>({ isSame, additive: { add, zero } }: Algebra<S, B>, x: S, y: S): boolean {
  const padded = add(x, zero);
  return isSame(add(padded, y), add(add(x, y), zero)) && isSame(add(padded, zero), padded);
}

describe("one zero for many, at the end", () => {
  const pairs = telling.flatMap((x) => telling.map((y) => [x, y] as const));
  const moved = <S, B>(algebra: Algebra<S, B>, read: (x: number) => S): boolean =>
    pairs.every(([x, y]) => isZeroMoved(algebra, read(x), read(y)));

  test("is allowed over floats, and over dual numbers of them", () => {
    expect(moved(float64, (x) => x)).toBe(true);
    expect(moved(float32, Math.fround)).toBe(true);
    const some = [0, -0, 1, -1e-320, Number.POSITIVE_INFINITY, Number.NaN];
    const duals = some.flatMap((x) => some.map((xDot) => ({ x, xDot })));
    expect(duals.every((p) => duals.every((q) => isZeroMoved(dual(float64), p, q)))).toBe(true);
  });

  test.each<readonly [string, Additive<number>["add"]]>([
    ["counts its uses", (x, y) => x + y + 1],
    ["loses what is small beside a zero", (x, y) => (y === 0 ? Math.trunc(x) : x + y)],
  ])("is not where a sum %s", (_what, add) => {
    expect(moved({ ...float64, additive: { ...float64.additive, add } }, (x) => x)).toBe(false);
  });

  test("is not over terms that no law simplifies: where two nodes do not read, the definition adds two", () => {
    const sameSlots = (algebra: SymbolicAlgebra): readonly boolean[] => {
      const square = product(algebra.operations, 0, 0);
      const graph: GraphData<ScalarTerm> = { inputs: [[]], nodes: [square, square, square] };
      const x = [scalar(algebra.variable("x"))];
      const seed = [0, 1, 2, 3].map((id) => scalar(algebra.variable(`c_${id}`)));
      const [got = [], want = []] = [backpropAllCtx, definition.backpropAllCtx].map((backprop) =>
        elements(backprop(algebra.additive, graph, x, noEnvironment, seed)),
      );
      return got.map((term, id) => term === want[id]);
    };
    expect(sameSlots(symbolic(["zero"]))).toEqual([true, true, true, true]);
    expect(sameSlots(symbolic())).toEqual([false, false, true, true]);
  });
});

describe("the two forms of backpropagation over float64", () => {
  const real = present(float64.levels.real, "the reals");
  /** Γ = (x, y, z), then x·y; z is read by nobody. */
  const graph = snocNode(nil<number>([[], [], []]), product(real, 0, 1));
  const seedOf = (z: number, c: number): Context<number> => [0, 0, z, c].map(scalar);

  it("differ in the sign of a zero that no later node reads", () => {
    const x = [1, 1, 1].map(scalar);
    const sparse = backpropSparse(real, graph, x, noEnvironment, new Map([[nodeId(2), scalar(-0)]]));
    expect(sparse.get(nodeId(2))?.data).toEqual([-0]);
    expect(backpropAllCtx(real, graph, x, noEnvironment, seedOf(-0, 0))[2]?.data).toEqual([0]);
  });

  it("differ where a zero cotangent meets an infinity: 0 · ∞ is visited by the dense form alone", () => {
    const x = [1, Number.POSITIVE_INFINITY, 1].map(scalar);
    const sparse = backpropSparse(real, graph, x, noEnvironment, new Map([[nodeId(2), scalar(1)]]));
    expect(sparse.get(nodeId(0))).toBeUndefined();
    expect(backpropAllCtx(real, graph, x, noEnvironment, seedOf(1, 0))[0]?.data).toEqual([Number.NaN]);
  });
});

it("gives the sparse form entries only where a cotangent arrives", () => {
  const ring = present(integer.levels.ring, "a ring");
  const graph = snocNode(snocNode(nil<bigint>([[], []]), product(ring, 0, 1)), product(ring, 2, 0));
  const seeds = new Map([[nodeId(2), scalar(1n)]]);
  const bars = backpropSparse(ring, graph, [scalar(2n), scalar(3n)], noEnvironment, seeds);
  expect([...bars].map(([id, { data }]) => [id, ...data])).toEqual([
    [2, 1n],
    [0, 3n],
    [1, 2n],
  ]);
});

describe("a chain of 100 000 nodes", () => {
  const ring = present(modular.levels.ring, "a ring");
  const length = 100_000;
  /** xₖ₊₁ = xₖ · y: the value is x yⁿ, and no call is ever nested in the one before. */
  const chain: GraphData<bigint> = {
    inputs: [[], []],
    nodes: Array.from({ length }, (_, index) => product(ring, index === 0 ? 0 : index + 1, 1)),
  };
  const x = [scalar(3n), scalar(5n)];
  const power = (exponent: number): bigint =>
    Array.from({ length: exponent }).reduce<bigint>((y) => ring.multiply(y, 5n), 1n);
  const yBar = ring.multiply(3n, ring.multiply(residue(BigInt(length)), power(length - 1)));
  const bars = [power(length), yBar];
  const last = length + 1;

  it("evaluates to x yⁿ, and its tangents are those of x yⁿ", () => {
    const values = evaluate(chain, x, noEnvironment);
    expect(values.at(-1)?.data).toEqual([ring.multiply(3n, power(length))]);
    const tangents = jvpCtx(chain, x, [scalar(1n), scalar(1n)], noEnvironment);
    expect(tangents.at(-1)?.data).toEqual([ring.add(bars[0] ?? 0n, yBar)]);
  });

  it("backpropagates to yⁿ and n x yⁿ⁻¹ in both forms", () => {
    const seeds = new Map([[nodeId(last), scalar(1n)]]);
    const seed = dense(ring, contextShapes(chain), seeds);
    expect(elements(backpropCtx(ring, chain, x, noEnvironment, seed))).toEqual(bars);
    const sparse = backpropSparse(ring, chain, x, noEnvironment, seeds);
    expect([sparse.get(nodeId(0)), sparse.get(nodeId(1))]).toEqual(bars.map(scalar));
  });

  it("compiles to a tape whose two sweeps give the same", () => {
    const compiled = compile(ring, chain, x, noEnvironment, "sparse");
    if (!compiled.ok) return expect.fail(compiled.error.message);
    const { tape } = compiled.value;
    const seed = dense(ring, contextShapes(chain), new Map([[last, scalar(1n)]]));
    const swept = backwardDenseFrom(ring, tape, seed);
    expect(swept.ok && elements(swept.value.slice(0, 2))).toEqual(bars);
    const visited = backward(ring, tape, last, scalar(1n));
    expect(visited.ok && [visited.value.get(0), visited.value.get(1)]).toEqual(bars.map(scalar));
  });
});
