import { afterAll, describe, expect, test } from "vitest";
import type { Obligation } from "./obligation.ts";
import {
  dead,
  either,
  largerIsAbove,
  mutantHolds,
  mutantShowsNothing,
  mutantThrows,
  stepStays,
  vacuous,
  wrongCore,
  wrongGoal,
} from "./obligations.test.kit.ts";
import { askedOf, isProved, prove } from "./prove.ts";
import type { Solver } from "./solve/solver.ts";
import { z3 } from "./solve/z3.ts";

const solver = z3();
afterAll(() => solver[Symbol.asyncDispose]());

async function codesOf(obligation: Obligation): Promise<readonly string[]> {
  const record = await prove(obligation, solver);
  expect(isProved(record)).toBe(record.faults.length === 0);
  return record.faults.map(({ code, message }) => `${code}: ${message}`);
}

describe("prove, with Z3", () => {
  test.each([largerIsAbove, stepStays, either])("accepts $id", async (obligation) => {
    const record = await prove(obligation, solver);
    expect(record.faults).toEqual([]);
    expect(isProved(record)).toBe(true);
    expect(record.goal.reply.answer.kind).toBe("proved");
    expect(record.mutants.map(({ execution }) => execution?.showsFault)).toEqual([true]);
    for (const { reply } of askedOf(record)) expect(reply.spent).toBeGreaterThan(0);
  });

  test("asks nothing about assumptions where there are none", async () => {
    const asked: string[] = [];
    const listening: Solver = {
      ...solver,
      ask: (query) => {
        asked.push(query.script.name);
        return solver.ask(query);
      },
    };
    expect((await prove(largerIsAbove, listening)).faults).toEqual([]);
    expect((await prove(stepStays, listening)).faults).toEqual([]);
    expect(asked.filter((name) => name.endsWith(".vacuity"))).toEqual([`${stepStays.id}.vacuity`]);
  });

  test("finds a second core where either hypothesis is enough", async () => {
    const { further } = await prove(either, solver);
    expect(further.map(({ reply }) => reply.answer.kind)).toEqual(["proved"]);
  });

  test.each<[Obligation, string]>([
    [vacuous, "vacuous: the hypotheses contradict each other"],
    [dead, "core/dead: small is a dead assumption"],
    [
      mutantHolds,
      "mutant/answer: the mutant no-mutant (it takes the smaller one) should have a model: proved",
    ],
    [
      mutantShowsNothing,
      "mutant/execution: the model of the mutant smaller shows no fault when it is run: x = ",
    ],
    [
      mutantThrows,
      "mutant/execution: the model of the mutant smaller shows no fault when it is run: the run threw",
    ],
    [wrongGoal, "goal: a model with "],
    [wrongCore, "core/required: small is not in the core"],
  ])("rejects $id for what is wrong with it", async (obligation, what) => {
    expect(await codesOf(obligation)).toContainEqual(expect.stringContaining(what));
  });

  test("rejects an obligation without mutants, or with a required hypothesis that none leaves out", async () => {
    expect(await codesOf({ ...largerIsAbove, mutants: [] })).toEqual([
      "form: it has no mutant, so nothing shows that it could fail",
    ]);
    expect(await codesOf({ ...stepStays, requiredCore: ["positive", "induction"] })).toEqual([
      "form: no mutant leaves out or changes induction, which is in the required core",
    ]);
  });

  test("gives the same answers from eight seeds", async () => {
    for (let seed = 0; seed < 8; seed += 1) {
      expect((await prove(stepStays, solver, { seed })).faults).toEqual([]);
      expect((await prove(dead, solver, { seed })).faults).toHaveLength(1);
    }
  });
});
