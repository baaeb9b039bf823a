import { expect, test } from "vitest";
import { interpreterEngine } from "../../engines/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
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

const profiles: readonly (readonly [CaseProfile, number])[] = [
  [tensorProfile, 600],
  [scalar20Profile, 600],
  [exactProfile, 600],
  [chainProfile, 100],
];
const campaigns = (["float64", "float32"] as const).flatMap((dtype) =>
  profiles.map(([profile, cases]) => ({ dtype, profile, cases, name: profile.name })),
);

test.each(
  sampled("alarms", campaigns, 2),
)("the judge raises no alarm about the interpreter in $dtype, over $name", async ({
  dtype,
  profile,
  cases,
}) => {
  const wrong: unknown[] = [];
  let tally = emptyTally;
  const options = { profile, seed: 3, cases, dtype, lawsEvery: profile.isChain ? 1 : 5 };
  for await (const { case: question, verdict } of campaignOn(interpreterEngine(), options)) {
    tally = tallied(tally, { case: question, verdict, heard: nothingHeard }, 0);
    if (verdict.kind === "disagrees" || verdict.kind === "crashed") wrong.push(verdict);
  }
  expect(wrong).toEqual([]);
  // In chains roundings add up until some number tells nothing.
  expect(tally.counts.agrees).toBeGreaterThan((profile.isChain ? 0.3 : 0.97) * cases);
});
