import { describe, expect, test } from "vitest";
import { at, type Graph, graph } from "../../spec/index.ts";
import { type CaseProfile, caseAt, compositeProfile, pairProfile, tensorProfile } from "../generate/index.ts";
import { inferFreely } from "./scaling.test.kit.ts";
import { cohomologyOf, sheafOf } from "./sheaf.ts";

function ranksOf(subject: Graph): { readonly byRows: number; readonly bySheaf: number } | undefined {
  const inference = inferFreely(subject);
  if (inference.kind !== "assigned" || inference.system.unknowns > 150) return undefined;
  const { system, solution } = inference;
  const cohomology = cohomologyOf(sheafOf(system));
  expect(cohomology.isMet).toBe(true);
  expect(cohomology.h1).toBe(system.equations.length - solution.rank);
  return {
    byRows: system.unknowns - system.aspect.bases.length - solution.rank,
    bySheaf: cohomology.h0,
  };
}

describe("the sheaf of a graph", () => {
  test.each<readonly [CaseProfile, number]>([
    [tensorProfile, 60],
    [pairProfile, 30],
    [compositeProfile, 30],
  ])("has the ranks that elimination finds, of random graphs", (profile, count) => {
    let compared = 0;
    for (let index = 0; index < count; index++) {
      const ranks = ranksOf(caseAt(profile, 13, index).graph);
      if (ranks === undefined) continue;
      compared += 1;
      expect(ranks.bySheaf).toBe(ranks.byRows);
    }
    expect(compared).toBeGreaterThan(count / 3);
  });

  test("of a product has two free dimensions, and no obstruction", () => {
    const inference = inferFreely(
      graph(({ input }) => {
        input("x").multiply(input("y"));
      }),
    );
    if (inference.kind === "refused") throw new Error(inference.issue.message);
    const sheaf = sheafOf(inference.system);
    expect(sheaf.lower).toEqual([1, 1, 1]);
    expect(sheaf.coboundary).toEqual([[-1n, -1n, 1n]]);
    expect(cohomologyOf(sheaf)).toEqual({ h0: 2, h1: 0, isMet: true });
    const changed = { ...sheaf, coboundary: [...sheaf.coboundary, at(sheaf.coboundary, 0)] };
    expect(cohomologyOf({ ...changed, declared: [[0n], [1n]] })).toEqual({ h0: 2, h1: 1, isMet: false });
  });
});
