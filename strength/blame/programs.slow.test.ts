import { expect, test } from "vitest";
import { programMutants } from "../../engines/index.ts";
import { LEAST_SHARE_OF_PROGRAMS, namedProgramMutants } from "./programs.ts";

test("for each mutant of programs the statement that is named is right in 95 of 100 cases, and one at random in less than half", async () => {
  const names = programMutants.map(({ name }) => name);
  let [told, right, chance] = [0, 0, 0];
  const faults = new Set<string>();
  for await (const found of namedProgramMutants(names, { seed: 1, first: 0, end: 1000, each: 2 })) {
    faults.add(found.fault);
    told += 1;
    right += Number(found.isRight);
    chance += found.chance;
  }
  expect(faults.size).toBeGreaterThanOrEqual(names.length - 5);
  expect(right).toBeGreaterThanOrEqual(LEAST_SHARE_OF_PROGRAMS * told);
  expect(chance).toBeLessThan(0.5 * told);
}, 600_000);
