import { describe, expect, test } from "vitest";
import { noCounts, type Verdict } from "../../../../oracle/index.ts";
import { reportJson } from "../../json.ts";
import { disagreement, section } from "../../sections.test.kit.ts";
import { campaignSite, type SiteCampaign, type SiteEngine } from "./site.ts";

const hostile = '../../<x>"&<script>alert(1)</script>\u001b[2J\u202e';
const plain = section({});
const run = { adjudge: "0.1.0", seed: 1, cases: 10, profile: "mix", lawsEvery: 4, shares: [] };

/** Makes an engine of this name, whose sums are wrong and whose crash says hostile things. */
function engineCalled(name: string, version = "1.0.0"): SiteEngine {
  const crash: Verdict = { kind: "crashed", message: hostile };
  const counts = { ...noCounts, agrees: 7, disagrees: 2, crashed: 1 };
  const one = section({
    label: name,
    description: { ...plain.description, name, version },
    tally: { ...plain.tally, counts, operators: new Map([["sum", counts]]) },
    verdicts: [
      { case: 1, verdict: disagreement(0) },
      { case: 2, verdict: disagreement(0) },
      { case: 3, verdict: crash },
    ],
  });
  const row = { kind: "graphs", dtype: "float64", profile: "mix", seed: 1, questions: 10, counts, dead: 0 };
  const fault = { kind: "programs", sort: "disagrees", title: hostile, cases: 5, lines: [hostile] } as const;
  return { label: name, name, version, rows: [row], reports: [reportJson(run, [one])], faults: [fault] };
}

const campaign: SiteCampaign = {
  adjudge: "0.1.0",
  engines: [engineCalled("one"), engineCalled("one"), engineCalled(hostile), engineCalled("one", "2.0.0")],
  changes: [{ name: "one", before: "1.0.0", after: "2.0.0", common: 10, broke: [hostile], mended: [] }],
  runs: [
    {
      started: "2026-01-02T03:04:05Z",
      adjudge: "0.1.0",
      command: hostile,
      isEnded: false,
      questions: 10,
      faults: 3,
    },
  ],
};
const site = await campaignSite(campaign);
const read = (path: string): string => site.get(path) ?? "";

describe("the site of a campaign", () => {
  test("has a page for all, for each engine, report and operator, and badges, under names that are no paths", () => {
    const names = ["one-1.0.0", "one-1.0.0-2", "x-script-alert-1-script-2j-1.0.0", "one-2.0.0"];
    const files = names.flatMap((name) => [
      `engine/${name}.html`,
      `engine/${name}.report-1.html`,
      `badge/${name}.svg`,
      `badge/${name}.json`,
    ]);
    expect([...site.keys()].toSorted()).toEqual(["index.html", "operator/sum.html", ...files].toSorted());
  });

  test("links only to its own files", () => {
    for (const [path, text] of site) {
      if (!path.endsWith(".html") || path.includes(".report-")) continue;
      for (const [, href = ""] of text.matchAll(/href="([^"]+)"/g))
        expect(site.has(new URL(href, `http://x/${path}`).pathname.slice(1))).toBe(true);
    }
  });

  test("has every fault on its engine's page, and on the page of the operator to blame", () => {
    expect(read("engine/one-1.0.0.html")).toContain("3 faults");
    expect(read("engine/one-1.0.0.html").match(/<article>/g)).toHaveLength(3);
    expect(read("operator/sum.html").match(/<article>/g)).toHaveLength(4);
    expect(JSON.parse(read("badge/one-1.0.0.json")).message).toBe("3 faults");
    expect(read("index.html")).toContain("12 faults");
  });

  test("makes no text of an engine markup or program", () => {
    for (const [path, text] of site) {
      if (path.includes(".report-")) continue;
      expect(text).not.toMatch(/<x>|<script|alert\(1\)<\/script>/);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
      expect(text).not.toMatch(/[\u0000-\u0008\u001b\u202e]/);
    }
  });

  test("tells what broke between versions, and the trend", () => {
    expect(read("index.html")).toContain("one 1.0.0 → 2.0.0");
    expect(read("engine/one-2.0.0.html")).toContain("one 1.0.0 → 2.0.0");
    expect(read("index.html")).toContain("2026-01-02 03:04 UTC");
    expect(read("index.html")).toContain("was cut off, or goes on");
  });
});
