import { expect, test } from "vitest";
import { at } from "../../spec/index.ts";
import { compiledFigures, compiledRuns } from "./compiled.ts";
import { missesOf } from "./reuse.ts";
import { lackingTools, simulated } from "./simulated.ts";

const lacking = lackingTools();
if (lacking !== undefined) console.warn(`There is no ${lacking}; caches are not simulated.`);

test.skipIf(lacking !== undefined).each([
  ["an MLP", 0, undefined],
  ["an MLP in half of its memory", 0, 0.5],
  ["running sums", 1, undefined],
])("what a cache of 1 MiB fetches of %s is counted as cachegrind sees it", (_, place, share) => {
  const problem = at(compiledRuns, place).problem();
  const { arenaBytes, reuse } = compiledFigures(problem, share, 1);
  const { fetched } = simulated(problem, share === undefined ? share : arenaBytes, 1);
  const ratio = missesOf(reuse, 20) / (fetched.get(20) ?? 0);
  expect(ratio).toBeGreaterThan(0.98);
  expect(ratio).toBeLessThan(1.03);
  // What is counted for a larger cache is not what this one fetches.
  expect(missesOf(reuse, 22) / (fetched.get(20) ?? 0)).toBeLessThan(0.9);
});
