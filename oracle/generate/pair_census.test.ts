import { describe, expect, test } from "vitest";
import { expand } from "../../spec/expansion/index.ts";
import { campaign } from "./campaign.ts";
import { searchedCase } from "./mix.ts";
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

  // The shares were 48 % and 27 % when this was written.
  const floor = 40;

  test("are many in few cases if they are planted", () => {
    expect(coverage(pairProfile, 1000)).toBeGreaterThan(floor);
  });

  test("are too few if operators are drawn one by one", () => {
    expect(coverage(plain(pairProfile), 1000)).toBeLessThan(floor);
  });

  test("of the mix are more than a fifth of all after 1,000 cases", () => {
    const cases = Array.from({ length: 1000 }, (_, index) => searchedCase(1, index));
    expect(pairsOf(cases).size / readablePairs().length).toBeGreaterThan(0.22);
  });

  test("cost about as many primitives as the profile says, and operators drawn one by one more", () => {
    const { maximumPrimitives = 0 } = pairProfile;
    const { maximumPrimitives: _, ...unbounded } = pairProfile;
    const meanOf = (profile: CaseProfile): number =>
      [...campaign(profile, 7, 200)].reduce(
        (sum, { graph }) => sum + expand(graph).graph.nodes.length / 200,
        0,
      );
    expect(meanOf(pairProfile)).toBeLessThan(1.25 * maximumPrimitives);
    expect(meanOf(plain(unbounded))).toBeGreaterThan(1.25 * maximumPrimitives);
  });
});
