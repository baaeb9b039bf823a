import { describe, expect, test } from "vitest";
import type { ExplanationJson } from "../../../../spec/index.ts";
import { explanationPage } from "./explanation_page.ts";

const foul = "</script><img src=x onerror=alert(1)>";

const assigned: ExplanationJson = {
  format: "adjudge.explanation.v1",
  dimensions: {
    kind: "assigned",
    bases: ["m"],
    free: [foul],
    inputs: [{ name: foul, blocks: [{ ranges: [[0, 2]], dimension: "m²", scale: "1000" }] }],
    environment: [],
    results: [{ name: "node 1 (sum)", blocks: [{ ranges: [], dimension: "m" }] }],
    gradients: [],
  },
};

const obstructed: ExplanationJson = {
  format: "adjudge.explanation.v1",
  dimensions: {
    kind: "obstructed",
    bases: ["m", "s"],
    obstruction: {
      says: "At node 3 (add) m is added to s.",
      left: "m",
      right: "s",
      bases: ["m", "s"],
      unknowns: [],
      grounds: [
        { says: foul, reason: "declared", pointer: "/inputs/x", times: "1", terms: [] },
        { says: "node 3 (add) adds", reason: "agree", times: "-2", terms: [] },
      ],
    },
  },
};

describe("the page of an explanation", () => {
  test("has tables for the parts that the explanation has, and no others", () => {
    const page = explanationPage(assigned);
    expect(page).toContain("<td>m²</td><td>×1000</td>");
    expect(page).toContain("<title>adjudge: the dimensions agree</title>");
    expect(page.match(/<section/g)?.length).toBe(1);
  });

  test("names the dimensions that contradict, and each ground with its factor", () => {
    const page = explanationPage(obstructed);
    expect(page).toContain("✗ No dimensions fit.</strong> At node 3 (add) m is added to s.");
    expect(page.match(/<li>/g)?.length).toBe(2);
    expect(page).toContain("node 3 (add) adds, times -2");
  });

  test("shows a file's words as text, and lets nothing run", () => {
    for (const explanation of [assigned, obstructed]) {
      const page = explanationPage(explanation);
      expect(page).not.toContain("<img src=x");
      expect(page).toContain("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;");
      expect(page).toContain("script-src 'none'");
      expect(page).not.toContain("<script");
    }
  });

  test("holds the drawing of formats as an image", () => {
    const representations = { digits: 2, runs: [] };
    const page = explanationPage({ ...assigned, representations }, "<svg></svg>");
    expect(page).toContain(`src="data:image/svg+xml;base64,${btoa("<svg></svg>")}"`);
    expect(explanationPage({ ...assigned, representations })).not.toContain("<img");
  });
});
