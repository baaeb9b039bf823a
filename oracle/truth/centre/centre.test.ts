import { assert, bigInt, integer, double as numbers, oneof, property, tuple } from "fast-check";
import { describe, expect, test } from "vitest";
import { type Rational, rational, rationalFromNumber, rationalOf } from "../../../reference/index.ts";
import { graph, nodeId } from "../../../spec/index.ts";
import { type Case, expandCase } from "../../case/index.ts";
import { boundsAround } from "../nodes/bounds.ts";
import { referenceStandard } from "../standard/standard.ts";
import { type Centre, exactCentre } from "./centre.ts";

/** Floats of all sizes, and what is near to one: divided, moved, with digits too many. */
const rationals = oneof(
  numbers({ noNaN: true, noDefaultInfinity: true }).map(rationalFromNumber),
  tuple(numbers({ noNaN: true, noDefaultInfinity: true }), bigInt({ min: -9n, max: 9n })).map(([x, n]) => {
    const { numerator, denominator } = rationalFromNumber(x);
    return rationalOf(3n * numerator + n, 3n * denominator);
  }),
  tuple(bigInt({ min: -(2n ** 60n), max: 2n ** 60n }), integer({ min: 0, max: 1100 })).map(([n, exponent]) =>
    rationalOf(n, 2n ** BigInt(exponent)),
  ),
  tuple(bigInt({ min: -(2n ** 60n), max: 2n ** 60n }), bigInt({ min: 1n, max: 50n })).map(([n, d]) =>
    rationalOf(n, d),
  ),
);

/**
 * Tells whether a centre says of every number that it is at no distance from a float if and only if it is
 * one.
 */
function knowsFloats(slack: (q: Rational) => number): boolean {
  try {
    const law = property(rationals, (q) => {
      const isFloat = rational.isSame(rationalFromNumber(exactCentre.approximate(q)), q);
      return (slack(q) === 0) === isFloat;
    });
    assert(law, { seed: 1, numRuns: 2000 });
    return true;
  } catch {
    return false;
  }
}

describe("the exact centre", () => {
  test("is at no distance from a number if and only if that is a float", () => {
    expect(knowsFloats(exactCentre.slack)).toBe(true);
    expect(knowsFloats((q) => exactCentre.ball(q).slack)).toBe(true);
  });

  test.each<[string, (q: Rational) => boolean]>([
    ["every numerator of 60 bits for one of a float", ({ denominator: d }) => (d & (d - 1n)) === 0n],
    ["every denominator for one of a float", ({ numerator }) => Number.isSafeInteger(Number(numerator))],
    [
      "no integer beyond 2^53 for a float",
      ({ numerator, denominator: d }) => Number.isSafeInteger(Number(numerator)) && (d & (d - 1n)) === 0n,
    ],
  ])("would be found out if it took %s", (_, isFloat) => {
    expect(knowsFloats((q) => (isFloat(q) ? 0 : 1))).toBe(false);
  });
});

/** Counts exact multiplications that bounds of an n×n matmul take, and numbers looked at as floats. */
function counted(
  n: number,
  centre: Centre<Rational>,
): { readonly multiplications: number; readonly looks: number } {
  const count = { multiplications: 0, looks: 0 };
  const counting: Centre<Rational> = {
    ...centre,
    field: {
      ...exactCentre.field,
      multiply: (x, y) => {
        count.multiplications += 1;
        return exactCentre.field.multiply(x, y);
      },
    },
    approximate: (q) => {
      count.looks += 1;
      return exactCentre.approximate(q);
    },
    slack: (q) => {
      count.looks += 1;
      return exactCentre.slack(q);
    },
    ball: (q) => {
      count.looks += 1;
      return exactCentre.ball(q);
    },
  };
  const matrix = { shape: [n, n], data: Float64Array.from({ length: n * n }, (_, k) => 0.1 + k / 7) };
  const question: Case = {
    graph: graph(({ input }) => {
      input("a", [n, n]).matmul(input("b", [n, n]));
    }),
    point: { inputs: [matrix, matrix], environment: new Map() },
    tangents: [matrix, matrix],
    seeds: [{ id: nodeId(2), cotangent: matrix }],
  };
  const bounds = boundsAround(expandCase(question).question, referenceStandard("float64"), counting);
  for (const id of [0, 1, 2].map(nodeId)) {
    for (const part of ["value", "tangent", "cotangent"] as const) bounds[part](id);
  }
  return count;
}

test("the bounds of a matmul look at each number a fixed number of times, and multiply none exactly", () => {
  const { late: _, ...eager } = exactCentre;
  for (const n of [2, 4, 8, 16]) {
    // The value, the same with two tangents, and two cotangents.
    const { multiplications, looks } = counted(n, eager);
    expect(multiplications).toBe(6 * n ** 3);
    expect(looks).toBeLessThanOrEqual(6 * n ** 3 + 20 * n ** 2);
    const later = counted(n, exactCentre);
    expect(later.multiplications).toBe(0);
    expect(later.looks).toBeLessThanOrEqual(40 * n ** 2);
  }
});
