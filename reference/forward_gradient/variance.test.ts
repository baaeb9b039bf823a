import { describe, expect, test } from "vitest";
import { type Algebra, type Field, present } from "../../spec/index.ts";
import { formal } from "../algebras/formal.ts";
import { rational } from "../algebras/rational.ts";
import { antithetic, averaged, blockwise, controlled, type Estimator, shrunk } from "./estimators.ts";
import {
  errorOfShrunk,
  totalOfFrame,
  totalOfOne,
  totalOfPulled,
  varianceOfBlocks,
  varianceOfCoordinates,
  varianceOfOne,
} from "./formulas.ts";
import {
  coordinateFrame,
  coordinates,
  type DirectionLaw,
  enumerated,
  hadamardFrame,
  independent,
  numberLaws,
} from "./laws.ts";
import { type Moments, momentsOf } from "./moments.ts";
import { formalGraphs, problemOf, rationalGraphs } from "./problems.test.kit.ts";
import { gradientOf, type Problem, slopedByInputs, slopedByReaders } from "./sloped.ts";
import { plus, scaled, squaredNorm, sumOf, unitVector, type Vector, zipVectors } from "./vector.ts";

/** A problem with its gradient, and what an estimator's moments are there. */
interface Case<S> {
  readonly problem: Problem<S>;
  readonly field: Field<S>;
  readonly gradient: Vector<S>;
  readonly dimension: number;
  moments(estimator: Estimator<S>, law: DirectionLaw<S>): Moments<S>;
}

function caseOf<S, B>(name: keyof typeof formalGraphs, algebra: Algebra<S, B>): Case<S> {
  const problem = problemOf(present(formalGraphs[name], name), algebra);
  const sloped = slopedByInputs(problem);
  return {
    problem,
    field: problem.field,
    gradient: gradientOf(problem),
    dimension: sloped.dimension,
    moments: (estimator, law) => momentsOf(problem.field, estimator, sloped, law),
  };
}

const names = Object.keys(rationalGraphs);
const exact = (
  name: string,
): ReturnType<typeof caseOf<(typeof rational.additive)["zero"], boolean | undefined>> =>
  caseOf(name, rational);

/** A whole number or a fraction of the rational numbers. */
const q = (numerator: number, denominator = 1): (typeof rational.additive)["zero"] =>
  present(rational.parse(`${numerator}/${denominator}`), "a fraction");

describe("the variance is, exactly,", () => {
  const kurtoses = { rademacher: q(1), gaussian: q(3), sparse: q(4), skewed: q(13, 4) } as const;

  test.each(
    names.flatMap((name) =>
      (["rademacher", "gaussian", "sparse", "skewed"] as const).map((law) => [name, law] as const),
    ),
  )("of %s along a %s direction, ‖∇f‖² + (κ − 2)(∂f)², and (d + κ − 2)‖∇f‖² in total", (name, law) => {
    const { field, gradient, dimension, moments } = exact(name);
    const numbers = numberLaws[law](field);
    const found = moments(averaged(field), independent(numbers, dimension));
    expect(numbers.moments(4)).toEqual(kurtoses[law]);
    expect(found.variance).toEqual(varianceOfOne(field, gradient, kurtoses[law]));
    expect(found.total).toEqual(totalOfOne(field, gradient, kurtoses[law]));
    // Another law's figure is not this one's.
    expect(found.total).not.toEqual(totalOfOne(field, gradient, q(2)));
  });

  test.each(
    names,
  )("of %s times a constant, its square times the variance, and of a mean that is as far off as is said", (name) => {
    const { field, gradient, dimension, moments } = exact(name);
    const total = totalOfOne(field, gradient, q(1));
    const signs = independent(numberLaws.rademacher(field), dimension);
    const errorOf = (factor: typeof total): typeof total => {
      const { bias, variance } = errorOfShrunk(field, gradient, factor, total);
      const found = moments(shrunk(field, factor), signs);
      const off = zipVectors(found.mean, gradient, (m, g) => field.add(m, field.negative(g)));
      expect([squaredNorm(field, off), found.total]).toEqual([bias, variance]);
      return field.add(bias, variance);
    };
    // Of all multiples the direction of length 1 errs least: by (d − 1)/d ‖∇f‖².
    const least = errorOf(q(1, dimension));
    expect(least).toEqual(field.multiply(q(dimension - 1, dimension), squaredNorm(field, gradient)));
    for (const factor of [q(0), q(1, 2), q(1), q(9, 10 * dimension), q(11, 10 * dimension)])
      expect(rational.levels.orderedReal?.less(errorOf(factor), least) ?? false).toBe(false);
    // A bias that is not squared, or a variance that is only halved, is another.
    const { bias, variance } = errorOfShrunk(field, gradient, q(1, 3), total);
    expect(bias).not.toEqual(field.multiply(q(2, 3), squaredNorm(field, gradient)));
    if (dimension > 1) expect(variance).not.toEqual(field.multiply(q(1, 3), total));
  });

  test.each(names)("of %s as Rademacher's and Gauss's formulas are written", (name) => {
    const { field, gradient, dimension, moments } = exact(name);
    const norm = squaredNorm(field, gradient);
    const of = (law: "rademacher" | "gaussian") =>
      moments(averaged(field), independent(numberLaws[law](field), dimension));
    expect(of("rademacher").variance).toEqual(
      gradient.map((_, i) =>
        squaredNorm(
          field,
          gradient.filter((_, j) => j !== i),
        ),
      ),
    );
    expect(of("rademacher").total).toEqual(field.multiply(q(dimension - 1), norm));
    expect(of("gaussian").variance).toEqual(gradient.map((g) => field.add(norm, field.multiply(g, g))));
    expect(of("gaussian").total).toEqual(field.multiply(q(dimension + 1), norm));
  });

  test.each(names)("of %s the same whether outcomes are counted or moments are taken", (name) => {
    const { field, dimension, moments } = exact(name);
    for (const law of [
      independent(numberLaws.rademacher(field), dimension),
      independent(numberLaws.skewed(field), dimension),
      independent(numberLaws.rademacher(field), dimension, 2),
    ])
      expect(moments(averaged(field), enumerated(field, law))).toEqual(moments(averaged(field), law));
  });

  test.each(names)("of %s along a coordinate (1/p − 1)(∂f)²", (name) => {
    const { field, gradient, dimension, moments } = exact(name);
    const alike = gradient.map(() => 1);
    const weights = gradient.map((_, n) => 2 * n + 1);
    for (const own of [alike, weights])
      expect(moments(averaged(field), coordinates(field, own)).variance).toEqual(
        varianceOfCoordinates(field, gradient, own),
      );
    const { total } = moments(averaged(field), coordinates(field, alike));
    expect(total).toEqual(field.multiply(q(dimension - 1), squaredNorm(field, gradient)));
  });

  test.each(Object.keys(formalGraphs))("of %s the formula's, over numbers that mean nothing too", (name) => {
    const { field, gradient, dimension, moments } = caseOf(name, formal);
    const found = moments(averaged(field), independent(numberLaws.gaussian(field), dimension));
    expect(found.variance).toEqual(varianceOfOne(field, gradient, 3n));
  });
});

describe("a reduction of the variance", () => {
  test.each(names)("of %s is k, of the mean of k directions", (name) => {
    const { field, gradient, dimension, moments } = exact(name);
    for (const k of [2, 3]) {
      const { variance } = moments(averaged(field), independent(numberLaws.gaussian(field), dimension, k));
      expect(variance).toEqual(scaled(field, q(1, k), varianceOfOne(field, gradient, q(3))));
    }
  });

  test.each(names)("of %s is none, of a direction and its opposite: they tell the same", (name) => {
    const { problem, field, dimension, moments } = exact(name);
    const law = independent(numberLaws.skewed(field), dimension);
    expect(moments(antithetic(field), law)).toEqual(moments(averaged(field), law));
    const sloped = slopedByInputs(problem);
    for (const { directions } of enumerated(field, law).outcomes())
      expect(antithetic(field)(sloped, directions)).toEqual(averaged(field)(sloped, directions));
  });

  test.each(
    names,
  )("of %s is to (d/k − 1)‖∇f‖², of orthogonal frames; of a whole one nothing is left", (name) => {
    const { problem, field, gradient, dimension, moments } = exact(name);
    const counts = Array.from({ length: dimension }, (_, n) => n + 1);
    for (const k of counts) {
      const frames = [
        coordinateFrame(field, dimension, k),
        ...(dimension === 4 ? [hadamardFrame(field, 4, k)] : []),
      ];
      for (const frame of frames)
        expect(moments(averaged(field), frame).total).toEqual(totalOfFrame(field, gradient, k));
    }
    const [whole] = [...coordinateFrame(field, dimension, dimension).outcomes()];
    expect(averaged(field)(slopedByInputs(problem), present(whole, "a frame").directions)).toEqual(gradient);
    // Directions that are independent leave more: (d − 1)/k.
    const { total } = moments(averaged(field), independent(numberLaws.rademacher(field), dimension, 2));
    expect(total).not.toEqual(totalOfFrame(field, gradient, 2));
  });

  test.each(names)("of %s is to that of each block alone, where blocks have sweeps of their own", (name) => {
    const { field, gradient, dimension, moments } = exact(name);
    const blocks = [1, dimension - 1];
    const { variance } = moments(
      blockwise(field, blocks),
      independent(numberLaws.gaussian(field), dimension),
    );
    expect(variance).toEqual(varianceOfBlocks(field, gradient, blocks, q(3)));
    expect(variance).not.toEqual(varianceOfBlocks(field, gradient, [2, dimension - 2], q(3)));
  });

  test.each(names)("of %s is to that of what a guess leaves, with a control variate", (name) => {
    const { field, gradient, dimension, moments } = exact(name);
    const law = independent(numberLaws.rademacher(field), dimension);
    const guesses = [gradient.map((_, n) => q(n, 3)), gradient, gradient.map(field.negative)];
    const totals = guesses.map((guess) => {
      const { variance, total } = moments(controlled(field, guess), law);
      const left = zipVectors(gradient, guess, (g, c) => field.add(g, field.negative(c)));
      expect(variance).toEqual(varianceOfOne(field, left, q(1)));
      return total;
    });
    expect(totals[1]).toEqual(q(0));
    // The opposite of the gradient is a guess that quadruples the variance.
    expect(totals[2]).toEqual(field.multiply(q(4), totalOfOne(field, gradient, q(1))));
  });

  test.each(
    Object.keys(formalGraphs),
  )("of %s is as the formula says where the values are perturbed that read the inputs", (name) => {
    const { problem, field } = caseOf(name, formal);
    const sloped = slopedByReaders(problem);
    if (!sloped.ok) throw new Error(sloped.error[0]?.message);
    const { dimension, slope, pull } = sloped.value;
    const units = Array.from({ length: dimension }, (_, n) => unitVector(field, dimension, n));
    for (const [numbers, kurtosis] of [
      [numberLaws.rademacher, 1n],
      [numberLaws.gaussian, 3n],
    ] as const) {
      const found = momentsOf(field, averaged(field), sloped.value, independent(numbers(field), dimension));
      expect(found.total).toBe(totalOfPulled(field, units.map(slope), units.map(pull), kurtosis));
    }
  });

  test("of a layer of m outputs from n inputs is mn − 1 to m − 1, where outputs are perturbed and not weights", () => {
    const [m, n] = [2, 3];
    const { field, problem } = caseOf("a product of four", rational);
    const [x, delta] = [
      [q(2), q(-1), q(3)],
      [q(5), q(-7)],
    ];
    const columns = Array.from({ length: m }, (_, row) =>
      Array.from({ length: m * n }, (_, place) =>
        Math.floor(place / n) === row ? present(x[place % n], "x") : q(0),
      ),
    );
    const gradient = zipVectors(columns, delta, (column, c) => scaled(field, c, column)).reduce((g, h) =>
      plus(problem.field, g, h),
    );
    const norm = squaredNorm(field, gradient);
    expect(totalOfPulled(field, delta, columns, q(1))).toEqual(field.multiply(q(m - 1), norm));
    expect(totalOfOne(field, gradient, q(1))).toEqual(field.multiply(q(m * n - 1), norm));
    expect(sumOf(field, varianceOfOne(field, gradient, q(1)))).toEqual(totalOfOne(field, gradient, q(1)));
  });
});

test("a frame of signs is refused where there is no such matrix", () => {
  const { field } = exact("two layers");
  expect(() => hadamardFrame(field, 6, 2)).toThrow(/Hadamard/);
  expect(() => hadamardFrame(field, 4, 5)).toThrow(/Hadamard/);
});
