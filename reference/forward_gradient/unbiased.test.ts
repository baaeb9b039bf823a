import { describe, expect, test } from "vitest";
import { type Algebra, at, present } from "../../spec/index.ts";
import { formal } from "../algebras/formal.ts";
import { rational } from "../algebras/rational.ts";
import { antithetic, averaged, blockwise, controlled, type Estimator } from "./estimators.ts";
import {
  coordinateFrame,
  coordinates,
  type DirectionLaw,
  enumerated,
  hadamardFrame,
  independent,
  numberLaws,
  numbersOf,
} from "./laws.ts";
import { momentsOf } from "./moments.ts";
import { formalGraphs, problemOf, rationalGraphs } from "./problems.test.kit.ts";
import {
  gradientOf,
  type Problem,
  readersOf,
  type Sloped,
  slopedByInputs,
  slopedByReaders,
} from "./sloped.ts";
import { plus, zipVectors } from "./vector.ts";

/** An estimate: how directions are drawn, and what is made of them. */
type Way<S> = readonly [estimator: Estimator<S>, law: DirectionLaw<S>];

/** The right ways over `d` numbers, by name. */
function rightWays<S>(problem: Problem<S>, d: number): Readonly<Record<string, Way<S>>> {
  const { field } = problem;
  const mean = averaged(field);
  const rademacher = numberLaws.rademacher(field);
  const gaussian = numberLaws.gaussian(field);
  const guess = Array.from({ length: d }, (_, n) => field.literal(n - 1));
  return {
    rademacher: [mean, independent(rademacher, d)],
    "rademacher, one by one": [mean, enumerated(field, independent(rademacher, d))],
    gaussian: [mean, independent(gaussian, d)],
    sparse: [mean, independent(numberLaws.sparse(field), d)],
    "skewed, one by one": [mean, enumerated(field, independent(numberLaws.skewed(field), d))],
    "coordinates with weights": [
      mean,
      coordinates(
        field,
        guess.map((_, n) => n + 1),
      ),
    ],
    "three directions": [mean, independent(gaussian, d, 3)],
    "antithetic pairs": [antithetic(field), independent(rademacher, d, 2)],
    blocks: [blockwise(field, [1, d - 1]), independent(gaussian, d)],
    "a control variate": [controlled(field, guess), independent(rademacher, d, 2)],
    "a frame of coordinates": [mean, coordinateFrame(field, d, 2)],
    ...(d === 4 ? { "a frame of signs": [mean, hadamardFrame(field, d, 3)] } : {}),
  };
}

/** Ways that are planted: a biased law, or an estimator that loses something. */
function wrongWays<S>(problem: Problem<S>, d: number): Readonly<Record<string, Way<S>>> {
  const { field } = problem;
  const mean = averaged(field);
  const rademacher = numberLaws.rademacher(field);
  const single = independent(rademacher, d);
  const guess = Array.from({ length: d }, (_, n) => field.literal(n + 1));
  const drawn = (weighted: Parameters<typeof numbersOf>[1]): DirectionLaw<S> =>
    independent(numbersOf(field, weighted), d);
  return {
    "a mean that is not 0": [
      mean,
      drawn([
        [1, 3],
        [-1, 1],
      ]),
    ],
    "a variance below 1": [
      mean,
      drawn([
        [1, 1],
        [0, 1],
        [-1, 1],
      ]),
    ],
    "a variance above 1": [
      mean,
      drawn([
        [2, 1],
        [-2, 1],
        [1, 1],
        [-1, 1],
      ]),
    ],
    "one sign for all": [
      mean,
      {
        ...single,
        count: 1,
        directions: (ring, [sign = ring.zero]) => [{ scale: ring.one, entries: guess.map(() => sign) }],
      },
    ],
    "the first two with one sign": [
      mean,
      {
        ...single,
        directions: (ring, [, ...signs]) => [{ scale: ring.one, entries: [...signs.slice(0, 1), ...signs] }],
      },
    ],
    "coordinates that are not scaled": [
      mean,
      {
        kind: "finite",
        outcomes: () =>
          [
            ...coordinates(
              field,
              guess.map(() => 1),
            ).outcomes(),
          ].map(({ probability, directions }) => ({
            probability,
            directions: directions.map((v) => ({ ...v, scale: field.one })),
          })),
      },
    ],
    "the last coordinate left out": [
      mean,
      {
        kind: "finite",
        outcomes: () =>
          [
            ...coordinates(
              field,
              guess.map(() => 1),
            ).outcomes(),
          ].slice(0, -1),
      },
    ],
    "a guess that is not given back": [
      (sloped, directions) => {
        const lost = guess.map((x) => sloped.constant(field.negative(x)));
        return plus(sloped.ring, controlled(field, guess)(sloped, directions), lost);
      },
      single,
    ],
    "a sum in place of a mean": [
      (sloped, directions) =>
        directions.map((v) => mean(sloped, [v])).reduce((g, h) => plus(sloped.ring, g, h)),
      independent(rademacher, d, 2),
    ],
    "one number of the direction not multiplied": [
      (sloped, [v]) => {
        const slope = sloped.slope(present(v, "a direction").entries);
        return sloped.pull(
          present(v, "a direction").entries.map((x, n) => (n === 0 ? slope : sloped.ring.multiply(slope, x))),
        );
      },
      single,
    ],
  };
}

/** Tells whether the mean of a way to estimate is the gradient that reverse mode gives. */
function isUnbiased<S, B>(
  algebra: Algebra<S, B>,
  problem: Problem<S>,
  sloped: Sloped<S>,
  [estimator, law]: Way<S>,
): boolean {
  const { mean } = momentsOf(problem.field, estimator, sloped, law);
  const gradient = gradientOf(problem);
  return zipVectors(mean, gradient, algebra.isSame).every((isSame) => isSame);
}

function verdicts<S, B>(
  algebra: Algebra<S, B>,
  problem: Problem<S>,
  sloped: Sloped<S>,
  ways: (problem: Problem<S>, d: number) => Readonly<Record<string, Way<S>>>,
): readonly (readonly [string, boolean])[] {
  return Object.entries(ways(problem, sloped.dimension)).map(([name, way]) => [
    name,
    isUnbiased(algebra, problem, sloped, way),
  ]);
}

function readers<S>(problem: Problem<S>): Sloped<S> {
  const sloped = slopedByReaders(problem);
  if (!sloped.ok) throw new Error(sloped.error[0]?.message);
  return sloped.value;
}

describe("the expectation of a forward gradient is the gradient, to equality", () => {
  test.each(Object.keys(formalGraphs))("of %s, over numbers whose functions mean nothing", (name) => {
    const problem = problemOf(present(formalGraphs[name], name), formal);
    const found = verdicts(formal, problem, slopedByInputs(problem), rightWays);
    expect(gradientOf(problem)).not.toContain(-1n);
    expect(found.filter(([, holds]) => !holds)).toEqual([]);
    expect(found.length).toBeGreaterThan(10);
  });

  test.each(Object.keys(rationalGraphs))("of %s, over the rational numbers", (name) => {
    const problem = problemOf(present(rationalGraphs[name], name), rational);
    expect(
      verdicts(rational, problem, slopedByInputs(problem), rightWays).filter(([, holds]) => !holds),
    ).toEqual([]);
  });

  test.each(
    Object.keys(formalGraphs),
  )("of %s, where the values are perturbed that read the inputs", (name) => {
    const problem = problemOf(present(formalGraphs[name], name), formal);
    const sloped = readers(problem);
    const mean = averaged(problem.field);
    for (const numbers of [numberLaws.gaussian, numberLaws.sparse])
      expect(
        isUnbiased(formal, problem, sloped, [mean, independent(numbers(problem.field), sloped.dimension)]),
      ).toBe(true);
  });
});

describe("a bias is noticed", () => {
  test.each(Object.keys(rationalGraphs))("of %s: of each planted law and estimator", (name) => {
    const problem = problemOf(present(rationalGraphs[name], name), rational);
    const found = verdicts(rational, problem, slopedByInputs(problem), wrongWays);
    expect(found.filter(([, holds]) => holds)).toEqual([]);
    expect(found).toHaveLength(10);
  });

  test("where one of the values is forgotten that read an input", () => {
    const problem = problemOf(present(rationalGraphs["a quotient"], "a graph"), rational);
    const all = readersOf(problem.graph, problem.wrt);
    const sloped = readers(problem);
    const kept = sloped.dimension - 2;
    const forgetful: Sloped<(typeof problem.x)[number]["data"][number]> = {
      ...sloped,
      dimension: kept,
      slope: (v) => sloped.slope([...v, problem.field.zero, problem.field.zero]),
      pull: (c) => sloped.pull([...c, problem.field.zero, problem.field.zero]),
    };
    expect(all.length).toBe(3);
    const way: Way<(typeof problem.x)[number]["data"][number]> = [
      averaged(problem.field),
      independent(numberLaws.rademacher(problem.field), kept),
    ];
    expect(isUnbiased(rational, problem, forgetful, way)).toBe(false);
  });

  test("but a mean that is not 0 is none, where E v vᵀ = 1 all the same", () => {
    const problem = problemOf(present(rationalGraphs["two layers"], "a graph"), rational);
    // Coordinates have a mean of their own, and one is always positive.
    expect(
      isUnbiased(rational, problem, slopedByInputs(problem), [
        averaged(problem.field),
        coordinates(problem.field, [1, 2, 3, 4, 5, 6]),
      ]),
    ).toBe(true);
  });
});

test("an input with a seed of its own is refused where readers are perturbed", () => {
  const problem = problemOf(present(rationalGraphs["a quotient"], "a graph"), rational);
  const seeds = new Map([...problem.seeds, [at(problem.wrt, 1), at(problem.x, 1)] as const]);
  expect(slopedByReaders({ ...problem, seeds })).toMatchObject({
    ok: false,
    error: [{ code: "forward-gradient/seed", pointer: "/seeds/1" }],
  });
});

test("a slope is linear in the direction, and what polynomials take it for", () => {
  for (const written of Object.values(formalGraphs)) {
    const problem = problemOf(written, formal);
    const { field } = problem;
    for (const sloped of [slopedByInputs(problem), readers(problem)]) {
      const v = Array.from({ length: sloped.dimension }, (_, n) => field.literal(3 * n - 4));
      const along = v.map((x, n) =>
        field.multiply(x, sloped.slope(v.map((_, m) => (n === m ? field.one : field.zero)))),
      );
      expect(sloped.slope(v)).toBe(along.reduce(field.add, field.zero));
    }
  }
});
