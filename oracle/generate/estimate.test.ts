import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import type { Case } from "../case/case.ts";
import { valuesOf } from "../case/valuation.ts";
import type { Draft } from "./draft.ts";
import type { Estimate } from "./estimate.ts";
import { growGraph } from "./graph.ts";
import { type CaseProfile, scalar20Profile, tensorProfile } from "./profile.ts";

function asCase({ inputs, environment, nodes, points, entries }: Draft): Case {
  const graph = { format: "adjudge.graph.v1", inputs, environment, nodes } as const;
  return { graph, point: { inputs: points, environment: entries }, tangents: [], seeds: [] };
}

/** Tells whether the interval holds `x`, up to the rounding of its ends. */
function holds({ least, greatest }: Estimate, x: number): boolean {
  const slack = 1e-9 * Math.max(1, Math.abs(least), Math.abs(greatest));
  return x >= least - slack && x <= greatest + slack;
}

/** Counts the elements outside their estimates, in graphs that stay in every operator's domain. */
function missesIn(profile: CaseProfile, narrow: (estimate: Estimate) => Estimate): number {
  let misses = 0;
  for (let seed = 0; seed < 300; seed++) {
    const draft = growGraph(profile, new Random(xoroshiro128plus(seed)));
    if (draft.habits.isDaring) continue;
    valuesOf(asCase(draft)).forEach(({ data }, id) => {
      const estimate = draft.estimates[id];
      if (estimate !== undefined) misses += data.filter((x) => !holds(narrow(estimate), x)).length;
    });
  }
  return misses;
}

describe.each([tensorProfile, scalar20Profile])("an estimate of the profile $name", (profile) => {
  test("holds every element of the value the reference computes", () => {
    expect(missesIn(profile, (estimate) => estimate)).toBe(0);
  });

  test("would be found too narrow if it were", () => {
    const misses = missesIn(profile, (estimate) => ({ ...estimate, greatest: estimate.greatest - 0.01 }));
    expect(misses).toBeGreaterThan(100);
  });
});
