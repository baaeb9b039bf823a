import { describe, expect, test } from "vitest";
import { largerIsAbove } from "./obligations.test.kit.ts";
import { tiered } from "./tiers.ts";

describe("an obligation with a smaller twin", () => {
  const twin = { ...largerIsAbove, id: "lowering/negative/2" };
  const larger = { ...largerIsAbove, id: "lowering/negative/scalar" };

  function tiersOf(...obligations: Parameters<typeof tiered>[0]): readonly string[] {
    return tiered(obligations).map(({ id, tier }) => `${id} ${tier}`);
  }

  test("is long where the twin plants all of its faults every day", () => {
    expect(tiersOf(twin, larger)).toEqual(["lowering/negative/2 everyday", "lowering/negative/scalar long"]);
  });

  test("stays where the twin is missing, is long itself, or plants fewer faults", () => {
    expect(tiersOf(larger)).toEqual(["lowering/negative/scalar everyday"]);
    expect(tiersOf({ ...twin, tier: "long" }, larger)).toContain("lowering/negative/scalar everyday");
    expect(larger.mutants.length).toBeGreaterThan(0);
    expect(tiersOf({ ...twin, mutants: [] }, larger)).toContain("lowering/negative/scalar everyday");
  });
});
