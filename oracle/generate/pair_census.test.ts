import { describe, expect, test } from "vitest";
import { campaign } from "./campaign.ts";
import { pairsIn, pairsOf, readablePairs } from "./pair_census.ts";
import { type CaseProfile, compositeProfile, networkProfile, pairProfile } from "./profile.ts";

/** Returns the share of readable pairs that occur in a campaign of the profile, in percent. */
function coverage(profile: CaseProfile, cases: number): number {
  return (100 * pairsOf(campaign(profile, 7, cases)).size) / readablePairs().length;
}

/** Returns the profile without what it plants. */
function plain({ plants: _, ...profile }: CaseProfile): CaseProfile {
  return profile;
}

describe("the pairs of operators", () => {
  test("that are possible leave out ranks that never meet, and readers without operands", () => {
    const pairs = readablePairs();
    expect(pairs).toContain("softmax → matmul");
    expect(pairs).toContain("mse → scaled_dot_product_attention");
    for (const odd of ["mse → sort", "max_pool → embedding", "matmul → outer", "add → iota"])
      expect(pairs).not.toContain(odd);
    expect(pairs.length).toBe(15_941);
  });

  test.each([
    pairProfile,
    networkProfile,
    { ...compositeProfile, maximumRank: 6 },
  ])("of the profile $name are all among those that can be", (profile) => {
    const possible = new Set(readablePairs());
    const odd = [...campaign(profile, 3, 400)].flatMap(pairsIn).filter((pair) => !possible.has(pair));
    expect(odd).toEqual([]);
  });

  // The shares were 40 % and 31 % when this was written.
  const floor = 36;

  test("are many in few cases if they are planted", () => {
    expect(coverage(pairProfile, 1000)).toBeGreaterThan(floor);
  });

  test("are too few if operators are drawn one by one", () => {
    expect(coverage(plain(pairProfile), 1000)).toBeLessThan(floor);
  });
});
