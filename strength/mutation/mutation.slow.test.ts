import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { killerOf, showTried, survivorsOf, wronglyAlike } from "./report.ts";
import { runMutants } from "./run.ts";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** Of so few, drawn anew whenever a line changes, some may mean the same, or need more than is asked here. */
const MOST_SURVIVORS = 4;

test("of 40 small faults nearly all are noticed by types, tests and obligations, and right code by none", async () => {
  const { sources, tried, controls } = await runMutants(root, {
    seed: 1,
    count: 40,
    only: [],
    jobs: 2,
    isThorough: false,
    note: () => {},
  });
  expect(tried).toHaveLength(40);
  expect(controls.filter((one) => killerOf(one) !== undefined).map(showTried)).toEqual([]);
  expect(controls.length).toBeGreaterThan(0);
  expect(wronglyAlike(tried, sources)).toEqual([]);
  const survivors = survivorsOf(tried, sources).filter(({ why }) => why === undefined);
  expect(survivors.length, JSON.stringify(survivors, undefined, 1)).toBeLessThanOrEqual(MOST_SURVIVORS);
});
