import { describe, expect, test } from "vitest";
import { interpreterEngine, programMutants } from "../../engines/index.ts";
import type { ProgramTask } from "./ask.ts";
import { floatPrograms, taskAt } from "./draw.ts";
import { judgeProgram, type ProgramVerdict } from "./judge.ts";
import { TOLD_SEED, tellingPrograms, toldAt } from "./program_mutants.test.data.ts";

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

test("what tells is about mutants that there are", () => {
  const names = new Set(programMutants.map(({ name }) => name));
  const strangers = [...Object.keys(toldAt), ...Object.keys(tellingPrograms)].filter(
    (name) => !names.has(name),
  );
  expect(strangers).toEqual([]);
});

describe.each(programMutants)("$name", ({ name, engine }) => {
  const random = toldAt[name];
  const written = tellingPrograms[name];

  test("is told by a program on which the interpreter is right", async () => {
    expect(random ?? written).toBeDefined();
    if (random !== undefined) {
      const task = taskAt(floatPrograms, TOLD_SEED, random);
      expect(await verdictOn(engine(), task)).toMatchObject({ kind: "disagrees" });
      expect((await verdictOn(interpreterEngine(), task)).kind).not.toBe("disagrees");
    }
    if (written !== undefined) {
      // What stops with an error where it should answer is told too.
      expect((await verdictOn(engine(), written)).kind).toMatch(/^(disagrees|crashed)$/);
      expect(await verdictOn(interpreterEngine(), written)).toEqual({ kind: "agrees" });
    }
  });
});

test("random programs tell most mutants: half of these within five, nine of ten within two hundred", () => {
  const quantile = (share: number) => programsUntilTold[Math.floor(share * programsUntilTold.length)];
  expect(programsUntilTold.length).toBeGreaterThan(0.85 * programMutants.length);
  expect(quantile(0.5)).toBeLessThanOrEqual(5);
  expect(quantile(0.9)).toBeLessThanOrEqual(200);
});
