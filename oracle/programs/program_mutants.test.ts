import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { interpreterEngine, programMutants } from "../../engines/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { askProgram } from "./ask.ts";
import { floatPrograms, taskAt } from "./draw.ts";
import { replies } from "./replies.test.kit.ts";

/** One random program in a thousand or fewer tells these: `npm test` searches for one of them. */
const rare = [
  "alias_made_by_reshape",
  "overlapping_write",
  "masked_update_computes_all",
  "retains_first_execution",
];

/** Counts, by mutant, the random programs until one tells it; equal replies and refusals need no judge. */
async function programsUntilTold(
  names: readonly string[],
  most: number,
): Promise<ReadonlyMap<string, number>> {
  const interpreter = interpreterEngine();
  const told = new Map<string, number>();
  let waiting = programMutants
    .filter(({ name }) => names.includes(name))
    .map(({ name, engine }) => ({ name, engine: engine() }));
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

test("random programs on which the interpreter is right tell half of the mutants within eight, nine of ten within a hundred, and all but four within a thousand", async () => {
  const names = programMutants.map(({ name }) => name).filter((name) => !rare.includes(name));
  const told = await programsUntilTold(names, 1000);
  expect(names.filter((name) => !told.has(name))).toEqual([]);
  const counts = [...told.values()].toSorted((a, b) => a - b);
  const quantile = (share: number) => counts[Math.floor(share * programMutants.length)];
  expect(quantile(0.5)).toBeLessThanOrEqual(8);
  expect(quantile(0.9)).toBeLessThanOrEqual(100);
});

test.each(sampled("rare mutants", rare, 1))("random programs tell %s within ten thousand", async (name) => {
  expect([...(await programsUntilTold([name], 10_000)).keys()]).toEqual([name]);
});
