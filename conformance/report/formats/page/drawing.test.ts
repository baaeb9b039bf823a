import process from "node:process";
import { describe, expect, test, vi } from "vitest";
import { checkGraph, type Graph } from "../../../../spec/index.ts";
import { drawingOf } from "./drawing.ts";
import { layOutGraphs } from "./layout.ts";

const layOut = await layOutGraphs();

test("without Graphviz nothing is drawn, and what installs it is said", async () => {
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const missing = Object.assign(new Error("Cannot find package '@viz-js/viz'"), {
    code: "ERR_MODULE_NOT_FOUND",
  });
  const none = await layOutGraphs(() => Promise.reject(missing));
  expect(none([[10, 10]], [])).toBeUndefined();
  expect(said).toHaveBeenCalledWith(expect.stringContaining("npm install @viz-js/viz@"));
  said.mockRestore();
  await expect(layOutGraphs(() => Promise.reject(new Error("other")))).rejects.toThrow("other");
});

function chain(count: number, name = "x"): Graph {
  const nodes = Array.from({ length: count }, (_, id) => ({
    op: "multiply",
    attributes: {},
    parents: [id, id],
  }));
  const json = { format: "adjudge.graph.v1", inputs: [{ name, shape: [2] }], environment: [], nodes };
  const graph = checkGraph(json);
  if (!graph.ok) throw new Error(JSON.stringify(graph.error));
  return graph.value;
}

describe("drawingOf", () => {
  test("draws every node and an arrow for each operand, and marks the id to blame", () => {
    const drawing = drawingOf(chain(3), { blamed: 2 }, layOut);
    expect(drawing?.nodes.map(({ mark }) => mark)).toEqual(["input", "node", "blamed", "node"]);
    expect(drawing?.edges).toHaveLength(6);
    expect(drawing?.title).toBe("A graph of 1 input and 3 nodes; to blame: 2 = multiply");
    expect(drawing?.left).toBe(0);
  });

  test("keeps boxes inside the picture and apart, and every arrow between two of them", () => {
    const drawing = drawingOf(chain(5), { blamed: 3 }, layOut);
    const { width = 0, height = 0, nodes = [], edges = [] } = drawing ?? {};
    for (const node of nodes) {
      expect(node.x - node.width / 2).toBeGreaterThanOrEqual(0);
      expect(node.x + node.width / 2).toBeLessThanOrEqual(width);
      expect(node.y - node.height / 2).toBeGreaterThanOrEqual(0);
      expect(node.y + node.height / 2).toBeLessThanOrEqual(height);
    }
    const heights = nodes.map(({ y }) => y);
    expect(heights).toEqual(heights.toSorted((a, b) => a - b));
    for (const points of edges) {
      expect((points.length - 2) % 6).toBe(0);
      expect(points.every(Number.isFinite)).toBe(true);
    }
  });

  test("writes notes below the name of their box, which grows by them, and blames nobody unasked", () => {
    const notes = new Map([[0, [{ text: "[1, 2]", sort: "given" } as const]]]);
    const [noted, plain] = [{ notes }, {}].map((marks) => drawingOf(chain(1), marks, layOut));
    expect(noted?.nodes[0]?.lines.map(({ text }) => text)).toEqual(["0 = x", "[2]", "[1, 2]"]);
    expect(noted?.nodes[0]?.height).toBeGreaterThan(plain?.nodes[0]?.height ?? 0);
    expect(noted?.nodes.map(({ mark }) => mark)).toEqual(["input", "node"]);
    expect(noted?.title).toBe("A graph of 1 input and 1 node");
  });

  test("draws only the part of a large graph near the id to blame, and counts the rest", () => {
    const drawing = drawingOf(chain(500), { blamed: 250 }, layOut);
    expect(drawing?.nodes).toHaveLength(60);
    expect(drawing?.left).toBe(441);
    expect(drawing?.nodes.filter(({ mark }) => mark === "blamed")).toHaveLength(1);
  });

  test("gives the layout no names, and cuts long ones", () => {
    const name = `"] label=<b> ${"x".repeat(99)}`;
    const seen: unknown[] = [];
    const drawing = drawingOf(chain(1, name), { blamed: 1 }, (...asked) => {
      seen.push(asked);
      return layOut(...asked);
    });
    expect(JSON.stringify(seen)).toMatch(/^[[\]0-9,.]*$/);
    expect(drawing?.nodes[0]?.lines[0]?.text).toHaveLength(26);
  });
});
