import { describe, expect, test } from "vitest";
import { caseAt, scalar20Profile } from "../oracle/index.ts";
import type { Graph } from "../spec/index.ts";
import { alone, ratioOf, scalarOperators, sizeOfDerived } from "./derived_size.ts";
import { chainGraph, graphOf, wideGraph } from "./scalar_graph.ts";

const modes = ["vjp", "jvp"] as const;

describe("the derivative of a scalar graph has a bounded number of nodes a node", () => {
  test.each(modes)("%s: at most 3.6 in the benchmark's graphs, of 100 to 10⁴ nodes", (mode) => {
    for (const make of [wideGraph, chainGraph]) {
      for (const nodes of [100, 1000, 10_000])
        expect(ratioOf([sizeOfDerived(graphOf(make(nodes, 1)), mode)])).toBeLessThan(3.6);
    }
  });

  test.each(modes)("%s: it does not grow with the graph", (mode) => {
    const [small, large] = [1000, 8000].map((nodes) =>
      ratioOf([sizeOfDerived(graphOf(chainGraph(nodes, 1)), mode)]),
    );
    expect(Math.abs((large ?? 0) - (small ?? 0))).toBeLessThan(0.15);
  });

  test.each(modes)("%s: at most 2 on average in random graphs of all scalar operators", (mode) => {
    const graphs = Array.from({ length: 200 }, (_, index) => caseAt(scalar20Profile, 1, index).graph);
    expect(ratioOf(graphs.map((graph) => sizeOfDerived(graph, mode)))).toBeLessThan(2);
  });

  test("inputs that nothing reads share their zero", () => {
    const graph: Graph = graphOf(chainGraph(10, 1));
    expect(graph.inputs.length).toBe(100);
    expect(sizeOfDerived(graph, "vjp").derived).toBeLessThan(50);
  });

  test("the operators whose rule writes more than 5 nodes are these", () => {
    const largeBy = (mode: "vjp" | "jvp"): string[] =>
      scalarOperators.flatMap((op) => {
        const { derived } = sizeOfDerived(alone(op), mode);
        return derived > 5 ? [`${op} ${derived}`] : [];
      });
    expect({ vjp: largeBy("vjp"), jvp: largeBy("jvp") }).toEqual({
      vjp: ["tanh 6", "asin 8", "acos 9", "acosh 8", "atanh 7", "erf 11", "maximum 16", "pow 28", "atan2 9"],
      jvp: [
        "tanh 6",
        "asin 8",
        "acos 9",
        "acosh 8",
        "atanh 7",
        "erf 11",
        "maximum 6",
        "pow 29",
        "atan2 7",
        "hypot 6",
      ],
    });
  });
});
