import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { killerOf, showTried, survivorsOf, wronglyAlike } from "./report.ts";
import { runMutants } from "./run.ts";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** Milliseconds: this only ends what hangs, on machines much slower than ours. */
const HOUR = 3_600_000;

/**
 * Without the judge, and with few tests for each, 12 of 40 survived. At that rate more than so many, drawn
 * anew whenever a line changes, come by chance once in some 500 times; where nothing but types notices, more
 * than 20 are left as a rule. How many survive all that there is, a run that is asked for says.
 */
const MOST_SURVIVORS = 20;

test(
  "of 40 small faults most are noticed by types, tests and obligations, and right code by none",
  async () => {
    const { sources, tried, controls } = await runMutants(root, {
      seed: 1,
      count: 40,
      only: [],
      jobs: 2,
      isThorough: false,
      note: () => {},
    });
    expect(tried).toHaveLength(40);
    expect(
      controls.filter((one) => killerOf(one) !== undefined).map((one) => showTried(one, sources)),
    ).toEqual([]);
    expect(controls.length).toBeGreaterThan(0);
    expect(wronglyAlike(tried, sources)).toEqual([]);
    const survivors = survivorsOf(tried, sources).filter(({ why }) => why === undefined);
    expect(survivors.length, JSON.stringify(survivors, undefined, 1)).toBeLessThanOrEqual(MOST_SURVIVORS);
  },
  HOUR,
);
