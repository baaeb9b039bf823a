import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { boolean } from "../algebras/boolean.ts";
import { float32, float64 } from "../algebras/float.ts";
import { integer } from "../algebras/integer.ts";
import { modular, type Residue, residue } from "../algebras/modular.ts";
import { type Rational, rational, rationalOf, undefinedRational } from "../algebras/rational.ts";
import { noEnvironment } from "../hand.test.kit.ts";
import { map, type Tensor, tensor } from "../tensor.ts";
import { application, jvpOf, vjpOf } from "./apply.test.kit.ts";
import type { Application, Rule } from "./rule.ts";
import { rules } from "./rules.ts";

const use = <K extends "solve" | "det" | "matmul">(op: K) =>
  ({ op, attributes: {}, environment: noEnvironment }) as const;

const product = (x: Tensor<Rational>, y: Tensor<Rational>): Tensor<Rational> =>
  rules.matmul.forward(application(use("matmul"), rational, [x, y]));
const solutionBy = (rule: typeof rules.solve, a: Tensor<Rational>, b: Tensor<Rational>): Tensor<Rational> =>
  rule.forward(application(use("solve"), rational, [a, b]));
const determinantBy = (rule: typeof rules.det, x: Tensor<Rational>): Tensor<Rational> =>
  rule.forward(application(use("det"), rational, [x]));

const fractions: fc.Arbitrary<Rational> = fc
  .tuple(fc.integer({ min: -6, max: 6 }), fc.integer({ min: 1, max: 4 }))
  .map(([p, q]) => rationalOf(BigInt(p), BigInt(q)));

const matrices = <S>(elements: fc.Arbitrary<S>, shape: readonly number[]): fc.Arbitrary<Tensor<S>> => {
  const size = shape.reduce((total, extent) => total * extent, 1);
  return fc.array(elements, { minLength: size, maxLength: size }).map((data) => ({ shape, data }));
};

/** Two square matrices of up to five rows and right-hand sides for them. */
const systems = fc
  .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 2 }))
  .chain(([n, m]) =>
    fc.tuple(matrices(fractions, [n, n]), matrices(fractions, [n, n]), matrices(fractions, [n, m])),
  );

const isSingular = (x: Tensor<Rational>): boolean => determinantBy(rules.det, x).data[0]?.numerator === 0n;

/** Tells whether a law holds of 300 systems. */
function holds(law: (a: Tensor<Rational>, b: Tensor<Rational>, c: Tensor<Rational>) => boolean): boolean {
  const details = fc.check(
    fc.property(systems, ([x, y, b]) => law(x, y, b)),
    { seed: 3, numRuns: 300 },
  );
  return !details.failed;
}

const areSame = (x: Tensor<Rational>, y: Tensor<Rational>): boolean =>
  x.data.length === y.data.length &&
  x.data.every((q, i) => rational.isSame(q, y.data[i] ?? undefinedRational));

const solves = (rule: typeof rules.solve): boolean =>
  holds((a, _other, b) => isSingular(a) || areSame(product(a, solutionBy(rule, a, b)), b));

const multiplies = (rule: typeof rules.det): boolean =>
  holds((x, y) => {
    const [left, right, both] = [x, y, product(x, y)].map((z) => determinantBy(rule, z).data[0]);
    if (left === undefined || right === undefined || both === undefined) return false;
    return rational.isSame(both, rational.levels.field?.multiply(left, right) ?? undefinedRational);
  });

/** The rule applied to the transposed matrices. */
const transposing = (rule: typeof rules.solve): typeof rules.solve => {
  const turned = <S>({ shape, data }: Tensor<S>): Tensor<S> => {
    const n = shape.at(-1) ?? 0;
    return tensor(shape, (i) => data[(i % n) * n + Math.floor(i / n)] ?? fail());
  };
  return {
    ...rule,
    forward: (given) =>
      rule.forward({ ...given, operands: given.operands.map((x, i) => (i === 0 ? turned(x) : x)) }),
  };
};

const fail = (): never => {
  throw new Error("a square matrix has an element for each position");
};

/** All signs plus: the permanent. */
const permanent: Rule<"ring", Readonly<Record<never, never>>> = {
  ...rules.det,
  forward: <S, B>(given: Application<"ring", Readonly<Record<never, never>>, S, B>) =>
    rules.det.forward({ ...given, algebra: { ...given.algebra, negative: (x: S) => x } }),
};

describe("over the rational numbers", () => {
  test("A times the solution of A X = B is B, and so it is not if A is transposed", () => {
    expect(solves(rules.solve)).toBe(true);
    expect(solves(transposing(rules.solve))).toBe(false);
  });

  test("the determinant of a product is the product of the determinants; that of permanents is not", () => {
    expect(multiplies(rules.det)).toBe(true);
    expect(multiplies(permanent)).toBe(false);
  });

  test("the derivative of a determinant along Ȧ is that of the line det(A + t Ȧ), at singular matrices too", () => {
    const ring = rational.levels.ring;
    const at = (x: Tensor<Rational>, xDot: Tensor<Rational>, t: bigint): Rational => {
      const scaled = map(xDot, (q) => rationalOf(q.numerator * t, q.denominator));
      const moved = tensor(
        x.shape,
        (i) =>
          ring?.add(x.data[i] ?? undefinedRational, scaled.data[i] ?? undefinedRational) ?? undefinedRational,
      );
      return determinantBy(rules.det, moved).data[0] ?? undefinedRational;
    };
    // Of a cubic p, 6 p′(0) is p(−2) − 6 p(−1) + 3 p(0) + 2 p(1), all exactly.
    const weights = [
      [-2n, 1n],
      [-1n, -6n],
      [0n, 3n],
      [1n, 2n],
    ] as const;
    const law = fc.property(
      matrices(fractions, [3, 3]),
      matrices(fractions, [3, 3]),
      fc.boolean(),
      (drawn, xDot, repeats) => {
        const x = repeats
          ? { ...drawn, data: drawn.data.map((q, i) => (i < 6 ? q : (drawn.data[i - 6] ?? q))) }
          : drawn;
        const slope = weights.reduce(
          (total, [t, weight]) => {
            const p = at(x, xDot, t);
            return (
              ring?.add(total, rationalOf(p.numerator * weight, p.denominator * 6n)) ?? undefinedRational
            );
          },
          rationalOf(0n, 1n),
        );
        const [tangent = undefinedRational] = jvpOf(rules.det, use("det"), rational, [x], [xDot]).data;
        return rational.isSame(tangent, slope);
      },
    );
    fc.assert(law, { seed: 5, numRuns: 200 });
  });

  test("a singular matrix has a determinant with a gradient, but no solution", () => {
    const two = (...data: readonly number[]): Tensor<Rational> => ({
      shape: [2, 2],
      data: data.map((x) => rationalOf(BigInt(x), 1n)),
    });
    const singular = two(1, 3, 2, 6);
    const one = { shape: [], data: [rationalOf(1n, 1n)] };
    expect(determinantBy(rules.det, singular).data).toEqual([rationalOf(0n, 1n)]);
    expect(vjpOf(rules.det, use("det"), rational, [singular], one)).toEqual([two(6, -2, -3, 1)]);
    const { data } = solutionBy(rules.solve, singular, two(1, 0, 0, 1));
    expect(data).toEqual([undefinedRational, undefinedRational, undefinedRational, undefinedRational]);
  });
});

test("the reverse sweep of solve is the tangent's adjoint modulo a prime, for matrices of eight rows", () => {
  const residues = fc.bigInt({ min: 0n, max: 2n ** 61n - 2n });
  const eight = fc.tuple(
    fc.tuple(matrices(residues, [8, 8]), matrices(residues, [8, 1])),
    fc.tuple(matrices(residues, [8, 8]), matrices(residues, [8, 1])),
    matrices(residues, [8, 1]),
  );
  const dot = (x: Tensor<Residue>, y: Tensor<Residue>): Residue =>
    residue(x.data.reduce((total, q, i) => total + q * (y.data[i] ?? 0n), 0n));
  const law = fc.property(eight, ([operands, tangents, c]) => {
    const left = dot(jvpOf(rules.solve, use("solve"), modular, operands, tangents), c);
    const bars = vjpOf(rules.solve, use("solve"), modular, operands, c);
    return left === residue(tangents.reduce((total, x, i) => total + dot(x, bars[i] ?? c), 0n));
  });
  fc.assert(law, { seed: 11, numRuns: 5 });
});

describe("over other algebras", () => {
  test("the determinant of integers is an integer, without a division", () => {
    const x = { shape: [3, 3], data: [2n, 0n, 1n, 1n, 3n, 2n, 1n, 1n, 4n] };
    expect(rules.det.forward(application(use("det"), integer, [x])).data).toEqual([18n]);
  });

  test("a solution is zero where triangular matrices make it so, whatever the numbers", () => {
    const lower = { shape: [3, 3], data: [true, false, false, true, true, false, true, true, true] };
    const b = { shape: [3, 1], data: [false, true, false] };
    expect(rules.solve.forward(application(use("solve"), boolean, [lower, b])).data).toEqual([
      false,
      true,
      true,
    ]);
  });

  test("a sum of products of floats is rounded term by term, in the order of the columns", () => {
    const x = { shape: [2, 2], data: [1 + 2 ** -12, 1, 1, 1 + 2 ** -12] };
    expect(rules.det.forward(application(use("det"), float64, [x])).data).toEqual([2 ** -11 + 2 ** -24]);
    expect(rules.det.forward(application(use("det"), float32, [x])).data).toEqual([2 ** -11]);
  });
});
