import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { exactPrograms, floatPrograms } from "../oracle/index.ts";
import { operatorsOfProgram, statementKinds, statementsOf } from "../spec/index.ts";
import { sampled } from "../spec/sampled.test.kit.ts";
import {
  type Answer,
  asked,
  askedPlanted,
  type Comparison,
  comparedAnswers,
  drawnQuestions,
  hasPython,
  plantsKnown,
  type Question,
  questionsAbout,
  referenceAnswer,
  suiteQuestions,
} from "./independent.test.kit.ts";
import { edges } from "./independent_edges.test.data.ts";

/*
 * An executor of programs in Python is written from SEMANTICS alone (tests/independent/). It and the
 * reference answer the same questions over the rational numbers, and each number has to be the same fraction.
 */

if (!hasPython) console.warn("There is no Python 3.10; the independent executor of programs is not asked.");

const SEED = 37;

/** Of each campaign so many programs are asked, and some of them by `npm test`. */
const MOST = 400;
const FEW = 25;

/** The questions of the vectors, which tell each mistake, are asked of the reference once. */
const suite = memoised(() => suiteQuestions().map(withRight));

interface Asked {
  readonly question: Question;
  /** The reference answers this. */
  readonly right: Answer;
}

function withRight(question: Question): Asked {
  return { question, right: referenceAnswer(question) };
}

function memoised<T>(make: () => T): () => T {
  let made: { readonly one: T } | undefined;
  return () => {
    made ??= { one: make() };
    return made.one;
  };
}

/** Asks the executor, and sorts the questions by how its answers compare with the reference's. */
function compared(all: readonly Asked[]): Record<Comparison, Question[]> {
  const found: ReturnType<typeof compared> = { same: [], different: [], uncounted: [] };
  const others = asked(all.map(({ question }) => question));
  for (const [i, { question, right }] of all.entries())
    found[comparedAnswers(right, others[i] ?? { error: "no answer" })].push(question);
  return found;
}

function names(questions: readonly Question[]): string[] {
  return questions.map(({ name }) => name);
}

/** Returns what statements, views and operators programs have. */
function partsOf(questions: readonly Question[]): ReadonlySet<string> {
  const programs = questions.map((question) => question.case.program);
  const statements = programs.flatMap(statementsOf);
  const views = statements.flatMap((one) => (one.do === "view" ? [`${one.how.kind} view`] : []));
  return new Set([...statements.map((one) => one.do), ...views, ...programs.flatMap(operatorsOfProgram)]);
}

/** Each of these is in a program that was compared. */
const wanted = [
  ...statementKinds,
  ...["slice", "permute", "diagonal", "unfold", "strided", "broadcast", "reshape"].map(
    (one) => `${one} view`,
  ),
  ...["add", "subtract", "multiply", "divide", "negative", "maximum", "minimum", "less", "where"],
  ...["matmul", "sum", "reshape", "permute_dims", "broadcast_to", "concat"],
];

describe.skipIf(!hasPython)("an executor in Python that is written from SEMANTICS alone", () => {
  test("answers random programs with the reference's fractions", () => {
    const indices = sampled("independent programs", [...Array(MOST).keys()], FEW);
    const exact = compared(drawnQuestions(exactPrograms, SEED, indices).map(withRight));
    // These divide too, and a division by zero has no value.
    const others = compared(drawnQuestions(floatPrograms, SEED, indices).map(withRight));
    expect(names([...exact.different, ...others.different, ...exact.uncounted])).toEqual([]);
    const counted = [...exact.same, ...others.same];
    expect(counted.length).toBeGreaterThanOrEqual(indices.length * 1.6);
    if (indices.length === MOST) {
      const parts = partsOf(counted);
      expect(wanted.filter((part) => !parts.has(part))).toEqual([]);
    }
  });

  test("answers the calls of the vectors of programs with the reference's fractions", () => {
    const { same, different, uncounted } = compared(suite());
    expect(names(different)).toEqual([]);
    expect(same.length).toBeGreaterThan(10 * uncounted.length);
  });

  test("answers programs about single sentences of SEMANTICS with the reference's fractions", () => {
    const { same, different, uncounted } = compared(questionsAbout(edges).map(withRight));
    expect(names([...different, ...uncounted])).toEqual([]);
    expect(same).toHaveLength(Object.keys(edges).length);
  });

  test("is told apart where it makes a mistake", () => {
    const plants = sampled("independent plants", plantsKnown(), 4);
    const answers = askedPlanted(
      plants,
      suite().map(({ question }) => question),
    );
    const isTold = (plant: string): boolean =>
      suite().some(({ right }, i) => {
        const wrong = answers[plant]?.[i];
        return wrong !== undefined && comparedAnswers(right, wrong) === "different";
      });
    expect(plants.filter((plant) => !isTold(plant))).toEqual([]);
  });

  test("makes as many mistakes as the page on proofs says", () => {
    const page = readFileSync(new URL("../docs/proofs.md", import.meta.url), "utf8");
    expect(page).toContain(`The executor can make each of ${plantsKnown().length} mistakes`);
  });
});
