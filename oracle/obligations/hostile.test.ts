import { describe, expect, test } from "vitest";
import type { Answer, Obligation } from "./obligation.ts";
import { dead, largerIsAbove, stepStays } from "./obligations.test.kit.ts";
import { type Fault, isProved, prove } from "./prove.ts";
import type { Query, Solver } from "./solve/solver.ts";

/** Makes a solver that gives chosen answers. */
function saying(answer: (query: Query) => Answer): Solver {
  return {
    name: "hostile",
    ask: async (query) => ({ answer: answer(query), milliseconds: 0, spent: undefined }),
    [Symbol.asyncDispose]: async () => {},
  };
}

async function codesOf(obligation: Obligation, solver: Solver): Promise<readonly Fault["code"][]> {
  const record = await prove(obligation, solver);
  expect(isProved(record)).toBe(false);
  return record.faults.map(({ code }) => code);
}

/** Returns a model in which every term is the number 7. */
function sevens({ script }: Query): Answer {
  const terms = script.wanted.kind === "values" ? script.wanted.terms : [];
  return { kind: "refuted", model: new Map(terms.map((term) => [term, "7"])) };
}

const everything = ["induction", "positive", "definition", "negated-goal", "small"];

describe("no obligation is proved by a solver that", () => {
  test("says unsat to everything: vacuity and mutants give it away", async () => {
    const solver = saying(() => ({ kind: "proved", core: everything }));
    expect(await codesOf(stepStays, solver)).toEqual(["vacuous", "mutant/answer"]);
    // Where nothing is assumed, nothing can be assumed in vain.
    expect(await codesOf(largerIsAbove, solver)).toEqual(["mutant/answer"]);
  });

  test("says sat to everything: the goal gives it away", async () => {
    expect(await codesOf(stepStays, saying(sevens))).toEqual(["goal", "mutant/execution"]);
  });

  test.each<Answer>([
    { kind: "unknown", reason: "incomplete" },
    { kind: "timeout" },
    { kind: "resource" },
    { kind: "crashed", message: "out of memory" },
  ])("says $kind to everything, or to the goal, the mutants or the vacuity check alone", async (answer) => {
    expect(
      await codesOf(
        stepStays,
        saying(() => answer),
      ),
    ).toEqual(["vacuous", "goal", "mutant/answer"]);
    const honest = (query: Query): Answer =>
      query.script.expected === "sat" ? sevens(query) : { kind: "proved", core: everything };
    const except = (name: RegExp): Solver =>
      saying((query) => (name.test(query.script.name) ? answer : honest(query)));
    expect(await codesOf(stepStays, except(/^kit\/step$/))).toContain("goal");
    expect(await codesOf(stepStays, except(/vacuity/))).toContain("vacuous");
    expect(await codesOf(stepStays, except(/mutant/))).toContain("mutant/answer");
  });

  test("rejects", async () => {
    const solver = saying(() => {
      throw new Error("no memory");
    });
    expect(await codesOf(stepStays, solver)).toEqual(["vacuous", "goal", "mutant/answer"]);
  });

  test("knows what is expected and makes models up: running them gives it away", async () => {
    const solver = saying((query) =>
      query.script.expected === "sat" ? sevens(query) : { kind: "proved", core: everything },
    );
    expect(await codesOf(stepStays, solver)).toEqual(["mutant/execution"]);
  });

  test("answers with a model of nothing", async () => {
    const solver = saying(({ script }) =>
      script.expected === "sat"
        ? { kind: "refuted", model: new Map() }
        : { kind: "proved", core: everything },
    );
    expect(await codesOf(stepStays, solver)).toEqual(["mutant/execution"]);
  });

  test("leaves the required hypothesis out of its core, or never uses another", async () => {
    const right = (core: readonly string[]): Solver =>
      saying((query) => (query.script.expected === "sat" ? sevens(query) : { kind: "proved", core }));
    expect(await codesOf(stepStays, right(["induction", "definition"]))).toContain("core/required");
    expect(await codesOf(dead, right(["induction", "positive", "definition"]))).toContain("core/dead");
  });
});
