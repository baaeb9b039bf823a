import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Case, type CaseProfile, caseArbitrary, exactProfile, tensorProfile } from "../oracle/index.ts";
import {
  backpropAllCtx,
  boolean,
  evaluate,
  float64,
  jvpCtx,
  rational,
  rationalFromNumber,
} from "../reference/package.ts";
import type { Algebra, Levels } from "../spec/index.ts";
import { type Outcome, outcomeOf, questionOf } from "./arenas.test.kit.ts";
import type { Question } from "./theorems.test.kit.ts";

/** Returns every scalar of a run in order: values, tangents, cotangents. */
function scalarsOf<S, B>({ algebra, graph, x, dx, environment, seed }: Question<S, B>): S[] {
  return [
    ...evaluate(graph, x, environment),
    ...jvpCtx(graph, x, dx, environment),
    ...backpropAllCtx(algebra.additive, graph, x, environment, seed),
  ].flatMap(({ data }) => [...data]);
}

type Pattern = Algebra<boolean, "maybe">;

/** Tangents and cotangents: half of them zero, so that there is a pattern to see. */
const numbers: readonly number[] = [3, 0, 0, -5, 0, 7, -11, 0, 13];

const thinned = (question: Case): Case => ({
  ...question,
  tangents: question.tangents.map(({ shape, data }, id) => ({
    shape,
    data: data.map((x, i) => ((id + i) % 2 === 0 ? 0 : x)),
  })),
});

/** Says whether the pattern is true wherever a number is certainly not zero. */
function contains<S, B>(
  algebra: Algebra<S, B>,
  read: (x: number) => S,
  isNonZero: (x: S) => boolean,
  pattern: Pattern,
  profile: CaseProfile,
): Outcome {
  const law = fc.property(caseArbitrary(profile), (drawn) => {
    const question = thinned(drawn);
    const scalars = scalarsOf(questionOf(algebra, read, numbers, question));
    const marks = scalarsOf(questionOf(pattern, (x) => x !== 0, numbers, question));
    return scalars.length === marks.length && scalars.every((x, i) => !isNonZero(x) || marks[i] === true);
  });
  return outcomeOf(law, 400, pattern !== boolean);
}

const overRational = (pattern: Pattern): Outcome =>
  contains(rational, rationalFromNumber, ({ numerator }) => numerator !== 0n, pattern, exactProfile);

const overFloat64 = (pattern: Pattern): Outcome =>
  contains(
    float64,
    (x) => x,
    (x) => Number.isFinite(x) && x !== 0,
    pattern,
    tensorProfile,
  );

/** Returns the algebra with some operations at some level wrong. */
function planted(faulty: Partial<Levels<boolean, "maybe">["orderedReal"]>): Pattern {
  const { additive, semiring, ring, field, real, ordered, orderedField, orderedReal } = boolean.levels;
  return {
    ...boolean,
    additive: { ...boolean.additive, ...faulty },
    levels: {
      additive: additive && { ...additive, ...faulty },
      semiring: semiring && { ...semiring, ...faulty },
      ring: ring && { ...ring, ...faulty },
      field: field && { ...field, ...faulty },
      real: real && { ...real, ...faulty },
      ordered: ordered && { ...ordered, ...faulty },
      orderedField: orderedField && { ...orderedField, ...faulty },
      orderedReal: orderedReal && { ...orderedReal, ...faulty },
    },
  };
}

const faults: readonly (readonly [string, Pattern])[] = [
  ["+ is exclusive", planted({ add: (x, y) => x !== y })],
  ["× needs no factor", planted({ multiply: () => false })],
  ["a choice is its first side", planted({ select: (_condition, x) => x })],
  ["a choice is its second side", planted({ select: (_condition, _x, y) => y })],
  ["a quotient is zero where the divisor is not", planted({ divide: (x, y) => x && !y })],
  ["e⁰ is zero", planted({ exp: (x) => x })],
  ["cos 0 is zero", planted({ cos: (x) => x })],
  ["a negative is zero", planted({ negative: () => false })],
  ["detached is zero", planted({ detach: () => false })],
];

describe("the sparsity pattern of values, tangents and cotangents", () => {
  test("contains the true pattern over the rationals", () => {
    const { failed, report } = overRational(boolean);
    if (failed) expect.fail(report);
  });

  test("contains the true pattern over floats, of every operator", () => {
    const { failed, report } = overFloat64(boolean);
    if (failed) expect.fail(report);
  });

  test.each(faults)("misses some of it where %s", (_fault, pattern) => {
    expect(overFloat64(pattern).isRefuted).toBe(true);
  });

  test("does not say yes everywhere", () => {
    const questions = fc.sample(caseArbitrary(tensorProfile), { seed: 3, numRuns: 100 }).map(thinned);
    const marks = questions.flatMap((question) =>
      scalarsOf(questionOf(boolean, (x) => x !== 0, numbers, question)),
    );
    expect(marks.filter((mark) => !mark).length / marks.length).toBeGreaterThan(0.2);
  });
});
