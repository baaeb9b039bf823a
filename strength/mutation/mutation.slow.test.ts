import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { killerOf, showTried, survivorsOf, wronglyAlike } from "./report.ts";
import { runMutants } from "./run.ts";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** Milliseconds: this only ends what hangs, on machines much slower than ours. */
const HOUR = 3_600_000;

/** Of so few, drawn anew whenever a line changes, some may mean the same, or need more than is asked here. */
const MOST_SURVIVORS = 4;

test(
  "of 40 small faults nearly all are noticed by types, tests and obligations, and right code by none",
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
