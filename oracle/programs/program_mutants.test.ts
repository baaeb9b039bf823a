import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { interpreterEngine, programMutants } from "../../engines/index.ts";
import { askProgram } from "./ask.ts";
import { floatPrograms, taskAt } from "./draw.ts";
import { replies } from "./replies.test.kit.ts";

/** Counts, by mutant, the random programs until one tells it; equal replies and refusals need no judge. */
async function programsUntilTold(most: number): Promise<ReadonlyMap<string, number>> {
  const interpreter = interpreterEngine();
  const told = new Map<string, number>();
  let waiting = programMutants.map(({ name, engine }) => ({ name, engine: engine() }));
  for (let index = 0; index < most && waiting.length > 0; index++) {
    const task = taskAt(floatPrograms, 1, index);
    const right = await replies(interpreter, task);
    for (const { name, engine } of waiting) {
      const isSame = (await replies(engine, task)).every(
        (reply, i) => reply.kind === "refused" || isDeepStrictEqual(reply, right[i]),
      );
      if (isSame) continue;
      // What stops with an error where it should answer is told too.
      const { kind } = await askProgram(engine, task, "float64");
      if (kind === "differs" || kind === "crashed") told.set(name, index + 1);
    }
    const left = waiting.filter(({ name }) => !told.has(name));
    if (left.length < waiting.length) {
      const verdict = await askProgram(interpreter, task, "float64");
      expect([index, verdict.kind]).toEqual([index, expect.stringMatching(/^(agrees|undecided)$/)]);
    }
    waiting = left;
  }
  return told;
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

test("random programs on which the interpreter is right tell half of the mutants within eight, nine of ten within eighty, and all within a thousand", async () => {
  const told = await programsUntilTold(1000);
  expect(programMutants.map(({ name }) => name).filter((name) => !told.has(name))).toEqual([]);
  const counts = [...told.values()].toSorted((a, b) => a - b);
  const quantile = (share: number) => counts[Math.floor(share * programMutants.length)];
  expect(quantile(0.5)).toBeLessThanOrEqual(8);
  expect(quantile(0.9)).toBeLessThanOrEqual(80);
});
