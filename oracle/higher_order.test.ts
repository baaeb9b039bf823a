import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Context,
  constantDual,
  dotTensors,
  dual,
  type Environment,
  evaluate,
  float64,
  formal,
  interpret,
  map,
  mapEnvironment,
  type Rational,
  rational,
  rationalOf,
  type Series,
  series,
  seriesOf,
  type Tensor,
  zip,
} from "../reference/package.ts";
import {
  type Algebra,
  type Applied,
  at,
  type Derivative,
  type DerivativesOf,
  type Derived,
  derivatives,
  derive,
  expand,
  graph,
  idCount,
  type NoAttributes,
  nodeId,
  type PrimitiveGraph,
  type PrimitiveName,
  present,
  type Value,
} from "../spec/index.ts";
import type { Case } from "./case/case.ts";
import { inputIds, mismatches, type Posed, posed, resultsOf, succeeded } from "./derivatives.test.kit.ts";
import { type CaseProfile, caseAt, exactProfile, tensorProfile } from "./generate/index.ts";

const lastOf = (program: PrimitiveGraph) => nodeId(idCount(program) - 1);

/** Derives the last value n times along one direction: each level by the graph's own inputs alone. */
function nestedTangent(program: PrimitiveGraph, order: number): Derived {
  let derived: Derived = { graph: program, results: [lastOf(program)], seeds: [] };
  for (let level = 0; level < order; level++) {
    derived = succeeded(derive(derived.graph, { mode: "jvp", of: derived.results, wrt: inputIds(program) }));
  }
  return derived;
}

/** Computes the same over duals of duals of …, from the coefficient where every ε occurs once. */
function dualTangent<S, B>(
  algebra: Algebra<S, B>,
  program: PrimitiveGraph,
  x: Context<S>,
  along: Context<S>,
  environment: Environment<S>,
  order: number,
): Tensor<S> {
  if (order === 0) {
    return present(evaluate(succeeded(interpret(program, algebra)), x, environment).at(-1), "a value");
  }
  const constant = (element: S): ReturnType<typeof constantDual<S>> =>
    constantDual(algebra.additive, element);
  const moving = x.map((point, place) => zip(point, at(along, place), (c, xDot) => ({ x: c, xDot })));
  const fixed = along.map((tangent) => map(tangent, constant));
  const inner = dualTangent(
    dual(algebra),
    program,
    moving,
    fixed,
    mapEnvironment(environment, constant),
    order - 1,
  );
  return map(inner, ({ xDot }) => xDot);
}

/** Computes the same from the coefficients of a power series, times n!. */
function seriesTangent<S, B>(
  algebra: Algebra<S, B>,
  { graph: program, x, tangents, environment }: Posed<S>,
  order: number,
): Tensor<S> {
  const { additive } = algebra;
  const field = present(algebra.levels.field, "a field");
  const power = series(algebra, order);
  const rest = Array.from({ length: order }, () => additive.zero);
  const line = x.map((point, place) =>
    zip(point, at(tangents, place), (c, xDot) => seriesOf([c, xDot, ...rest].slice(0, order + 1))),
  );
  const constants = mapEnvironment(environment, (c): Series<S> => [c, ...rest]);
  const value = present(evaluate(succeeded(interpret(program, power)), line, constants).at(-1), "a value");
  const factorial = Array.from({ length: order }, (_, k) => k + 1).reduce((product, k) => product * k, 1);
  return map(value, (c) => field.multiply(field.literal(factorial), present(c[order], "a coefficient")));
}

function disagreements(profile: CaseProfile, count: number, judge: (question: Case) => number): number {
  let total = 0;
  for (let index = 0; index < count; index++) total += judge(caseAt(profile, 30, index));
  return total;
}

/** Draws exact operators with all derivatives, and enough products that second derivatives are not 0. */
const smoothExact: CaseProfile = {
  ...exactProfile,
  name: "smooth",
  operators: [
    ...(["multiply", "multiply", "multiply", "divide", "divide", "matmul", "solve", "det"] as const),
    ...([
      "add",
      "subtract",
      "negative",
      "sum",
      "broadcast_to",
      "reshape",
      "permute_dims",
      "cumulative_sum",
    ] as const),
    ...(["concat", "slice", "gather", "scatter_add", "constant"] as const),
  ],
  maximumDegree: 6,
  nodes: [2, 8],
};
const smallTensors: CaseProfile = { ...tensorProfile, name: "small", nodes: [1, 7], maximumElements: 6 };

describe.each([1, 2, 3, 4])("the derivative of order %i along a direction", (order) => {
  const three = <S, B>(algebra: Algebra<S, B>, question: Case): readonly Tensor<S>[] => {
    const asked = posed(algebra, question);
    const { graph: program, x, tangents, environment } = asked;
    const seeds = Array.from({ length: order }, () => tangents).flat();
    return [
      ...resultsOf(algebra, nestedTangent(program, order), [...x, ...seeds], environment),
      dualTangent(algebra, program, x, tangents, environment, order),
      seriesTangent(algebra, asked, order),
    ];
  };
  const differences = <S, B>(algebra: Algebra<S, B>, question: Case): number => {
    const [graphs, duals, powers] = three(algebra, question);
    const known = present(graphs, "of graphs");
    return mismatches(algebra, [known, known], [present(duals, "of duals"), present(powers, "of series")]);
  };

  test("is one by nested graphs, nested duals and power series: over the rationals", () => {
    expect(
      disagreements(smoothExact, order > 2 ? 15 : 40, (question) => differences(rational, question)),
    ).toBe(0);
  });

  test("and over formal functions, for every operator", () => {
    expect(
      disagreements(smallTensors, order > 2 ? 25 : 80, (question) => differences(formal, question)),
    ).toBe(0);
  });
});

/** Drops the second operand of the last sum: a product rule that forgets a term. */
function forgetful(derived: Derived): Derived {
  const index = derived.graph.nodes.findLastIndex(({ op }) => op === "add");
  const nodes = derived.graph.nodes.map((node, i) =>
    i === index ? { op: "stop_gradient" as const, attributes: {}, parents: node.parents.slice(0, 1) } : node,
  );
  return { ...derived, graph: { ...derived.graph, nodes } };
}

describe("second derivatives over the rationals, where all is smooth", () => {
  /** Multiplies the Hessian by the tangents: forward over reverse, and reverse over forward. */
  const products = (
    question: Case,
    change: (derived: Derived) => Derived = (derived) => derived,
  ): readonly (readonly Tensor<Rational>[])[] => {
    const { graph: program, x, tangents, environment, seeds } = posed(rational, question);
    const of = [...seeds.keys()];
    const wrt = inputIds(program);
    const cotangents = [...seeds.values()];
    const reverse = succeeded(derive(program, { mode: "vjp", of, wrt }));
    const forwardOverReverse = change(
      succeeded(derive(reverse.graph, { mode: "jvp", of: reverse.results, wrt })),
    );
    const forward = succeeded(derive(program, { mode: "jvp", of, wrt }));
    const reverseOverForward = succeeded(derive(forward.graph, { mode: "vjp", of: forward.results, wrt }));
    return [
      resultsOf(rational, forwardOverReverse, [...x, ...cotangents, ...tangents], environment),
      resultsOf(rational, reverseOverForward, [...x, ...tangents, ...cotangents], environment),
    ];
  };

  test("forward over reverse is reverse over forward", () => {
    const differ = (question: Case): number => {
      const [one = [], other = []] = products(question);
      return mismatches(rational, one, other);
    };
    expect(disagreements(smoothExact, 60, differ)).toBe(0);
  });

  test("but not if a term is forgotten", () => {
    const differ = (question: Case): number => {
      const [one = [], other = []] = products(question, forgetful);
      return mismatches(rational, one, other);
    };
    expect(disagreements(smoothExact, 60, differ)).toBeGreaterThan(0);
  });

  test("are symmetric: u · H v = v · H u (Schwarz)", () => {
    let asked = 0;
    const differ = (question: Case): number => {
      const turned = { ...question, tangents: question.point.inputs };
      const [hv = []] = products(question);
      const [hu = []] = products(turned);
      const { tangents: v, x: u } = posed(rational, question);
      const [left, right] = [dotAll(u, hv), dotAll(v, hu)];
      if (!rational.isSame(left, ring.zero)) asked += 1;
      return rational.isSame(left, right) ? 0 : 1;
    };
    expect(disagreements(smoothExact, 60, differ)).toBe(0);
    expect(asked).toBeGreaterThan(20);
  });
});

const ring = present(rational.levels.ring, "a ring");

function dotAll(a: readonly Tensor<Rational>[], b: readonly Tensor<Rational>[]): Rational {
  return a
    .map((x, place) => dotTensors(ring, x, at(b, place)))
    .reduce((total, product) => ring.add(total, product), ring.zero);
}

/** Draws sums and products of scalars in which every term has the same number of factors. */
const homogeneous: fc.Arbitrary<{ readonly program: PrimitiveGraph; readonly degree: number }> = fc
  .array(fc.tuple(fc.nat(), fc.nat(), fc.boolean()), { minLength: 1, maxLength: 8 })
  .map((choices) => {
    let degree = 1;
    const program = graph(({ input }) => {
      const values = [
        { value: input("x"), degree: 1 },
        { value: input("y"), degree: 1 },
        { value: input("z"), degree: 1 },
      ];
      for (const [first, second, isProduct] of choices) {
        const a = at(values, first % values.length);
        const alike = values.filter((other) => other.degree === a.degree);
        const b = isProduct ? at(values, second % values.length) : at(alike, second % alike.length);
        const value = isProduct ? a.value.multiply(b.value) : a.value.add(b.value);
        degree = isProduct ? a.degree + b.degree : a.degree;
        values.push({ value, degree });
      }
    });
    return { program: expand(program).graph, degree };
  });

function scalar(element: number): Tensor<number> {
  return { shape: [], data: [element] };
}

test("along its own operands a homogeneous graph grows by its degree times its value (Euler)", () => {
  const numbers = fc
    .tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: 1, max: 9 }))
    .map(([n, d]) => rationalOf(BigInt(n), BigInt(d)));
  const law = (extra: number): fc.IProperty<unknown[]> =>
    fc.property(homogeneous, fc.tuple(numbers, numbers, numbers), ({ program, degree }, point) => {
      const x = point.map((element): Tensor<Rational> => ({ shape: [], data: [element] }));
      const [tangent] = resultsOf(rational, nestedTangent(program, 1), [...x, ...x], new Map());
      const value = present(
        evaluate(succeeded(interpret(program, rational)), x, new Map()).at(-1),
        "a value",
      );
      const wanted = ring.multiply(ring.literal(degree + extra), present(value.data[0], "a number"));
      return rational.isSame(present(tangent?.data[0], "a number"), wanted);
    });
  fc.assert(law(0), { seed: 5, numRuns: 200 });
  expect(fc.check(law(1), { seed: 5, numRuns: 200 }).failed).toBe(true);
});

test("the derivatives of the sine are the cosine, its negative …, to order 8 and to the bit", () => {
  const program = expand(graph(({ input }) => input("x").sin())).graph;
  const [x, one] = [scalar(0.7), scalar(1)];
  const wanted = [Math.sin, Math.cos, (t: number) => -Math.sin(t), (t: number) => -Math.cos(t)];
  for (let order = 0; order <= 8; order++) {
    const seeds = Array.from({ length: order }, () => one);
    const [value] = resultsOf(float64, nestedTangent(program, order), [x, ...seeds], new Map());
    expect(value?.data).toEqual([at(wanted, order % 4)(0.7)]);
  }
});

test("no perturbation is taken for another: d/dx (x · d/dy (x + y)) is 1", () => {
  const inner = graph(({ input, add }) => add(input("x"), input("y")));
  const outer = graph(({ input, full, differentiate, multiply }) => {
    const x = input("x");
    const y = input("y");
    const one = full({ shape: [], value: 1 });
    multiply(x, differentiate(x, y, one, { graph: inner, mode: "jvp", of: nodeId(2), wrt: nodeId(1) }));
  });
  const program = expand(outer).graph;
  for (const mode of ["jvp", "vjp"] as const) {
    const derived = succeeded(derive(program, { mode, of: [lastOf(program)], wrt: [nodeId(0)] }));
    const [slope] = resultsOf(float64, derived, [scalar(3), scalar(5), scalar(1)], new Map());
    expect(slope?.data).toEqual([1]);
  }
});

test("a nested quotient keeps what its quotient's own derivative loses to underflow", () => {
  const real = present(dual(dual(float64)).levels.real, "the reals");
  const [a, b] = [2 ** -600, 2 ** 1000];
  const constant = (x: number) => ({ x: { x, xDot: 0 }, xDot: { x: 0, xDot: 0 } });
  // The divisor is 1 + aε₁ + bε₂.
  const divisor = { x: { x: 1, xDot: a }, xDot: { x: b, xDot: 0 } };
  expect(real.divide(constant(a), divisor).xDot.xDot).toBe(2 ** -199);
});

test("x to the power y has a mixed derivative where y is 0: 1/x, by every way", () => {
  const program = expand(graph(({ input }) => input("x").pow(input("y")))).graph;
  const [x, y] = [scalar(4), scalar(0)];
  const byX = succeeded(derive(program, { mode: "vjp", of: [lastOf(program)], wrt: [nodeId(0)] }));
  const mixed = succeeded(derive(byX.graph, { mode: "jvp", of: byX.results, wrt: [nodeId(1)] }));
  const [slope] = resultsOf(float64, mixed, [x, y, scalar(1), scalar(1)], new Map());
  expect(slope?.data).toEqual([0.25]);
  const real = present(dual(dual(float64)).levels.orderedReal, "with comparison");
  const power = real.pow(
    { x: { x: 4, xDot: 1 }, xDot: { x: 0, xDot: 0 } },
    { x: { x: 0, xDot: 0 }, xDot: { x: 1, xDot: 0 } },
  );
  expect(power.xDot.xDot).toBe(0.25);
});

/** Evaluates three derivatives of x^y at y = 0 over float64: by x, by y, and by y of the latter. */
function atExponentZero(x: number, rules?: DerivativesOf<PrimitiveName>): readonly (number | undefined)[] {
  const program = expand(graph(({ input }) => input("x").pow(input("y")))).graph;
  const slopes: (number | undefined)[] = [];
  const point = [scalar(x), scalar(0), scalar(1)];
  const byX: Derivative = { mode: "vjp", of: [lastOf(program)], wrt: [nodeId(0)] };
  let derived = succeeded(derive(program, byX, undefined, rules));
  for (let order = 0; order <= 2; order++) {
    slopes.push(resultsOf(float64, derived, point, new Map())[0]?.data[0]);
    const byY: Derivative = { mode: "jvp", of: derived.results, wrt: [nodeId(1)] };
    derived = succeeded(derive(derived.graph, byY, undefined, rules));
    point.push(scalar(1));
  }
  return slopes;
}

/** Replaces the slope of x^y by x in the rules. */
const withSlopeByX = (slope: (at: Applied<NoAttributes>) => Value): DerivativesOf<PrimitiveName> => ({
  ...derivatives,
  pow: {
    ...derivatives.pow,
    cotangents: (place, c) => [
      () => c.multiply(slope(place)),
      ...derivatives.pow.cotangents(place, c).slice(1),
    ],
  },
});

describe("where y is 0, the slope of x to the power y by x", () => {
  const lowered = ({ operands: [x, y], scope }: Applied<NoAttributes>): Value => {
    const [base, exponent] = [present(x, "a base"), present(y, "an exponent")];
    return exponent.multiply(base.pow(scope.subtract(exponent, 1)));
  };

  test.each([1, 2 ** -3, 2 ** -1022])("is 0, by y 1/x, and by y again 2 log x / x: at %f", (x) => {
    expect(atExponentZero(x)).toEqual([0, 1 / x, (2 * Math.log(x)) / x]);
  });

  test.each([Number.MIN_VALUE, 2 ** -1024])("is 0 at %d too, whose reciprocal is too large", (x) => {
    expect(atExponentZero(x)).toEqual([0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
  });

  test("is 0 with all its own slopes at 0, by convention", () => {
    expect(atExponentZero(0)).toEqual([0, 0, 0]);
  });

  test("has no value at a tiny base by a rule that multiplies y with the lowered power", () => {
    expect(atExponentZero(Number.MIN_VALUE, withSlopeByX(lowered))[0]).toBeNaN();
  });

  test("does not move with y by a rule that chooses 0 there", () => {
    const chosen = withSlopeByX((place) =>
      place.scope.where(place.scope.equal(present(place.operands[1], "an exponent"), 0), 0, lowered(place)),
    );
    expect(atExponentZero(4, chosen)).toEqual([0, 0, 0]);
  });
});
