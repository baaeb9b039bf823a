import { describe, expect, test } from "vitest";
import {
  checkGraph,
  type ExplanationJson,
  type Graph,
  type ObstructionJson,
  present,
} from "../../../../spec/index.ts";
import { explanationPage } from "./explanation_page.ts";
import { attribute, elementsOf, type PageElement, textOf } from "./page.test.kit.ts";

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

const obstruction: ObstructionJson = {
  says: "At node 3 (add) m is added to s.",
  left: "m",
  right: "s",
  bases: ["m", "s"],
  unknowns: [],
  grounds: [
    { says: foul, reason: "declared", pointer: "/inputs/x", times: "1", terms: [] },
    { says: "node 3 (add) adds", reason: "agree", times: "-2", terms: [] },
  ],
};

const obstructed = {
  format: "adjudge.explanation.v1",
  dimensions: { kind: "obstructed", bases: ["m", "s"], obstruction },
} as const satisfies ExplanationJson;

describe("the page of an explanation", () => {
  test("has tables for the parts that the explanation has, and no others", async () => {
    const page = await explanationPage(assigned);
    expect(page).toContain('<td data-head="dimension">m²</td><td data-head="scale">×1000</td>');
    expect(page).toContain("<title>adjudge: the dimensions agree</title>");
    expect(page.match(/<section/g)?.length).toBe(1);
  });

  test("names the dimensions that contradict, and each ground with its factor", async () => {
    const page = await explanationPage(obstructed);
    expect(page).toContain("✗ No dimensions fit.</strong> At node 3 (add) m is added to s.");
    expect(page.match(/<li>/g)?.length).toBe(2);
    expect(page).toContain("node 3 (add) adds, times -2");
  });

  test("shows a file's words as text, and lets nothing run", async () => {
    for (const explanation of [assigned, obstructed]) {
      const page = await explanationPage(explanation, { graph: graphOf(foul) });
      expect(page).not.toContain("<img src=x");
      expect(page).toContain("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;");
      expect(page).toContain("script-src 'none'");
      expect(page).not.toContain("<script");
    }
  });

  test("holds the drawing of formats as an image", async () => {
    const representations = { digits: 2, runs: [] };
    const page = await explanationPage({ ...assigned, representations }, { plot: "<svg></svg>" });
    expect(page).toContain(`src="data:image/svg+xml;base64,${btoa("<svg></svg>")}"`);
    expect(await explanationPage({ ...assigned, representations })).not.toContain("<img");
  });

  test("draws its graph: inputs with their dimensions, and the id where they do not fit", async () => {
    const svgOf = async (explanation: ExplanationJson): Promise<PageElement[]> =>
      elementsOf(await explanationPage(explanation, { graph: graphOf("x") }));
    const drawn = await svgOf(assigned);
    const texts = drawn.filter(({ tagName }) => tagName === "text").map(textOf);
    expect(texts).toEqual(["0 = x", "[2]", "m²", "1 = sin", "[2]"]);
    expect(drawn.filter((one) => attribute(one, "class") === "edge")).toHaveLength(1);
    expect(drawn.filter((one) => attribute(one, "class") === "box blamed")).toEqual([]);
    const clash = await svgOf({
      ...obstructed,
      dimensions: { ...obstructed.dimensions, obstruction: { ...obstruction, id: 1 } },
    });
    const [blamed] = clash.filter((one) => attribute(one, "class") === "box blamed");
    expect(blamed === undefined ? "" : textOf(blamed)).toContain("1 = sin ✗");
  });
});

function graphOf(name: string): Graph {
  const nodes = [{ op: "sin", attributes: {}, parents: [0] }];
  const graph = checkGraph({
    format: "adjudge.graph.v1",
    inputs: [{ name, shape: [2] }],
    environment: [],
    nodes,
  });
  return present(graph.ok ? graph.value : undefined, "a graph");
}
