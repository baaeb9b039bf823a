import { expect, test } from "vitest";
import { interpreterEngine } from "../../engines/index.ts";
import {
  type CaseProfile,
  chainProfile,
  exactProfile,
  scalar20Profile,
  tensorProfile,
} from "../generate/index.ts";
import { nothingHeard } from "../hearing/heard.ts";
import { campaignOn } from "./campaign.ts";
import { emptyTally, tallied } from "./tally.ts";

test.each([
  "float64",
  "float32",
] as const)("the judge raises no alarm about the interpreter in %s", async (dtype) => {
  const wrong: unknown[] = [];
  let tally = emptyTally;
  const profiles: readonly CaseProfile[] = [tensorProfile, scalar20Profile, exactProfile];
  for (const profile of profiles) {
    for await (const { case: question, verdict } of campaignOn(interpreterEngine(), {
      profile,
      seed: 3,
      cases: 600,
      dtype,
      lawsEvery: 5,
    })) {
      tally = tallied(tally, { case: question, verdict, heard: nothingHeard });
      if (verdict.kind === "disagrees" || verdict.kind === "crashed") wrong.push(verdict);
    }
  }
  for await (const { verdict } of campaignOn(interpreterEngine(), {
    profile: chainProfile,
    seed: 3,
    cases: 100,
    dtype,
  })) {
    if (verdict.kind === "disagrees" || verdict.kind === "crashed") wrong.push(verdict);
  }
  expect(wrong).toEqual([]);
  expect(tally.counts.agrees).toBeGreaterThan(1680);
});
