import {
  type Arbitrary,
  assert,
  constantFrom,
  double,
  float,
  integer,
  oneof,
  property,
  record,
  tuple,
} from "fast-check";
import { describe, expect, test } from "vitest";
import type { Rational } from "../../../reference/index.ts";
import { definitionOrder, referenceConventions } from "../../../spec/contract/index.ts";
import { type FlatTensor, graph, nodeId, type Shape, sizeOf } from "../../../spec/index.ts";
import { expandCase } from "../../case/index.ts";
import { type Centre, exactCentre } from "../centre/index.ts";
import { type Standard, standardOf } from "../standard/index.ts";
import { boundsAround, type Part } from "./bounds.ts";

const standards: readonly Standard[] = (["float64", "float32", "bfloat16"] as const).flatMap((dtype) =>
  [{}, definitionOrder, { matmul: { width: "float64" } } as const].map((accumulation) =>
    standardOf({ conventions: referenceConventions, accuracy: { multiply: 0.75 }, accumulation }, dtype),
  ),
);

/** Numbers with all their digits, with few, that cancel, that nothing is exact of, and of all sizes. */
const numbers = oneof(
  { arbitrary: double({ min: -2, max: 2, noNaN: true }), weight: 9 },
  { arbitrary: float({ min: -2, max: 2, noNaN: true }), weight: 9 },
  { arbitrary: integer({ min: -4, max: 4 }), weight: 3 },
  constantFrom(0, -0, 0.1, -0.1, 1 / 3, 2 ** 53 - 1, 2 ** -53, 1 + 2 ** -52, 2 ** 27 + 1, 1e60, -1e60),
  constantFrom(2 ** -201, 2 ** 201, Number.MIN_VALUE, Number.MAX_VALUE, 2 ** -520, 2 ** 520),
  double({ noNaN: true, noDefaultInfinity: true }),
);

/** Two matrices, or stacks of them, and whether the second is the first once more. */
const extents = integer({ min: 1, max: 5 });
const questions = record({
  stack: integer({ min: 0, max: 2 }),
  extents: tuple(extents, extents, extents),
  isSame: integer({ min: 0, max: 3 }).map((n) => n === 0),
  standard: constantFrom(...standards),
  seed: integer(),
  pool: tuple(numbers, numbers, numbers, numbers, numbers),
});

type Question = typeof questions extends Arbitrary<infer T> ? T : never;

/** Lists all that is known of each number of a product: its bound, its ball and its digits. */
function knownOf(
  centre: Centre<Rational>,
  { stack, extents, isSame, standard, pool, seed }: Question,
): string[] {
  const [rows, inner, columns] = isSame ? [extents[0], extents[0], extents[0]] : extents;
  const leading = stack === 0 ? [] : [stack];
  let state = seed;
  const drawn = (shape: Shape): FlatTensor => ({
    shape,
    data: Float64Array.from({ length: sizeOf(shape) }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      const number = pool[(state >>> 8) % pool.length] ?? 0;
      return state % 3 === 0 ? -number : number;
    }),
  });
  const shapes = isSame
    ? [[...leading, rows, inner]]
    : [
        [...leading, rows, inner],
        [...leading, inner, columns],
      ];
  const written = graph(({ input }) => {
    const x = input("x", shapes[0] ?? []);
    x.matmul(isSame ? x : input("y", shapes[1] ?? []));
  });
  const id = nodeId(shapes.length);
  const question = expandCase({
    graph: written,
    point: { inputs: shapes.map(drawn), environment: new Map() },
    tangents: shapes.map(drawn),
    seeds: [{ id, cotangent: drawn([...leading, rows, columns]) }],
  }).question;
  const bounds = boundsAround(question, standard, centre);
  const parts: readonly Part[] = ["value", "tangent", "cotangent"];
  return parts.flatMap((part) =>
    [...shapes, []].flatMap((_, place) =>
      bounds[part](nodeId(place)).map(({ centre: c, error, magnitude, terms, grain }) => {
        const { value, slack } = centre.ball(c);
        const digits = `${c.numerator}/${c.denominator}`;
        return [part, place, value, slack, error, magnitude, terms, grain, digits].join(" ");
      }),
    ),
  );
}

const { late: _, ...plainCentre } = exactCentre;

/** Tells whether a centre with late numbers knows the same of products as the algebra of bounds alone. */
function knowsTheSame(centre: Centre<Rational>): boolean {
  try {
    const law = property(questions, (question) => {
      expect(knownOf(centre, question)).toEqual(knownOf(plainCentre, question));
    });
    assert(law, { numRuns: 250 });
    return true;
  } catch (problem) {
    if (centre === exactCentre) throw problem;
    return false;
  }
}

describe("products of matrices in floats", () => {
  test("have the bounds and the digits that the algebra gives, to the bit", () => {
    expect(knowsTheSame(exactCentre)).toBe(true);
  });

  const late = exactCentre.late ?? (() => exactCentre.field.zero);
  test.each<[string, NonNullable<Centre<Rational>["late"]>]>([
    ["are the float next to the sum", ({ value }, of) => late({ value, slack: 0 }, of)],
    ["are off by a digit", ({ value, slack }, of) => late({ value: value * (1 + 2 ** -52), slack }, of)],
    [
      "have the digits of the sum's negative",
      (ball, of) => late(ball, () => exactCentre.field.negative(of())),
    ],
  ])("would be found out if they %s", (_name, wrong) => {
    expect(knowsTheSame({ ...exactCentre, late: wrong })).toBe(false);
  });
});
