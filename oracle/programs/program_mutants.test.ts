import { describe, expect, test } from "vitest";
import { interpreterEngine, programMutants } from "../../engines/index.ts";
import type { ProgramTask } from "./ask.ts";
import { floatPrograms, taskAt } from "./draw.ts";
import { judgeProgram, type ProgramVerdict } from "./judge.ts";
import { TOLD_SEED, toldAt } from "./program_mutants.test.data.ts";

/** Random programs until the first that tells, the one that does counted. */
const programsUntilTold = Object.values(toldAt)
  .map((index) => index + 1)
  .toSorted((a, b) => a - b);

function verdictOn(engine: ReturnType<typeof interpreterEngine>, task: ProgramTask): Promise<ProgramVerdict> {
  return judgeProgram(engine, task, { dtype: "float64", shrinkBudget: 0 });
}

test("there are more than a hundred mutants, each with a name, a fault in a sentence, and a description of its own", () => {
  expect(programMutants.length).toBeGreaterThan(100);
  expect(new Set(programMutants.map(({ name }) => name)).size).toBe(programMutants.length);
  expect(new Set(programMutants.map(({ fault }) => fault)).size).toBe(programMutants.length);
  for (const { name, fault, source, engine } of programMutants) {
    expect(fault).toMatch(/^[A-Z].*\.$/);
    expect(fault).not.toMatch(/[.!?] /);
    expect(source).toMatch(/^$|^[A-Z][0-9]{2}$/);
    expect(engine().describe().name).toBe(`mutant: ${name}`);
  }
});

test("each mutant is told, and what tells is about mutants that there are", () => {
  expect(Object.keys(toldAt).sort()).toEqual(programMutants.map(({ name }) => name).sort());
});

describe.each(programMutants)("$name", ({ name, engine }) => {
  test("is told by a random program on which the interpreter is right", async () => {
    const task = taskAt(floatPrograms, TOLD_SEED, toldAt[name] ?? 0);
    // What stops with an error where it should answer is told too.
    expect((await verdictOn(engine(), task)).kind).toMatch(/^(disagrees|crashed)$/);
    expect((await verdictOn(interpreterEngine(), task)).kind).toMatch(/^(agrees|undecided)$/);
  });
});

test("random programs tell half of the mutants within five, nine of ten within eighty, and all within ten thousand", () => {
  const quantile = (share: number) => programsUntilTold[Math.floor(share * programsUntilTold.length)];
  expect(quantile(0.5)).toBeLessThanOrEqual(5);
  expect(quantile(0.9)).toBeLessThanOrEqual(80);
  expect(programsUntilTold.at(-1)).toBeLessThanOrEqual(10_000);
});
