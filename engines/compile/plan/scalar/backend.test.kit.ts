import { describe, expect, test } from "vitest";
import { checkGraph, expand, floatAt, present } from "../../../../spec/index.ts";
import {
  type Comparison,
  compared,
  everything,
  firstDifference,
  integers,
  sums,
} from "./agreement.test.kit.ts";
import { randomGraph } from "./graphs.test.kit.ts";
import { type ScalarBackend, scalarProgramOf } from "./index.ts";

/** The precisions, and whether runs are taken at once or step by step. */
export const scalarSchedules = [
  ["float64", "runs"],
  ["float64", "steps"],
  ["float32", "runs"],
  ["float32", "steps"],
] as const;

/**
 * Tests what every backend of scalar graphs owes by these schedules: the interpreter's bits, or its sums
 * where they are exact, in little memory.
 */
export function testScalarBackend(
  name: string,
  backend: ScalarBackend,
  schedules: readonly (typeof scalarSchedules)[number][],
  graphs = 40,
): void {
  describe.each(schedules)(`${name} in %s, by %s`, (precision, schedule) => {
    const takesRuns = schedule === "runs";

    test.each([
      ["all operators at all numbers", everything],
      ["sums whose order shows", sums],
    ])("is the interpreter to the bit in the bit-exact regime: %s", (_, recipe) => {
      const comparison: Comparison = { backend, precision, regime: "bit_exact", recipe, takesRuns };
      expect(firstDifference(comparison, graphs)).toBeUndefined();
    });

    test("is the interpreter in the fast regime where sums are exact", () => {
      const comparison: Comparison = { backend, precision, regime: "fast", recipe: integers, takesRuns };
      expect(firstDifference(comparison, graphs)).toBeUndefined();
    });
  });

  test("a repeated scalar pulls back a sum that begins with +0, as one that is only reshaped does not", () => {
    const pulled = (op: "broadcast_to" | "reshape"): number => {
      const graph = checkGraph({
        format: "adjudge.graph.v1",
        inputs: [{ name: "x", shape: [] }],
        environment: [],
        nodes: [{ op, attributes: { shape: [] }, parents: [0] }],
      });
      if (!graph.ok) throw new Error("the graph is well-formed");
      const request = { output: 1, regime: "bit_exact", precision: "float64", backend } as const;
      const { executable } = present(scalarProgramOf(expand(graph.value).graph, request), "program");
      return floatAt(executable.gradient(Float64Array.of(3), new Float64Array(0), -0), 0);
    };
    expect([pulled("broadcast_to"), pulled("reshape")]).toEqual([0, -0]);
  });

  test("signed zeros are among what is compared", () => {
    const comparison: Comparison = {
      backend,
      precision: "float64",
      regime: "bit_exact",
      recipe: everything,
      takesRuns: true,
    };
    const counts = Array.from({ length: Math.min(10, graphs) }, (_, seed) => compared(comparison, seed));
    expect(counts.reduce((sum, { negativeZeros }) => sum + negativeZeros, 0)).toBeGreaterThan(
      2 * counts.length,
    );
  });

  test("a graph of sums and products takes at most 40 bytes a node, all told", () => {
    const nodes = 20_000;
    const operators = ["add", "multiply", "sin", "exp"];
    const graph = randomGraph({ ...sums, operators, nodes, window: nodes, gathering: nodes / 2 }, 1);
    const request = {
      output: nodes,
      regime: "fast",
      precision: "float64",
      backend: { ...backend, shortestRun: 0 },
    } as const;
    const { executable } = present(scalarProgramOf(graph, request), "program");
    const nothing = new Float64Array(2);
    executable.gradient(new Float64Array(graph.inputs.length), nothing, 1);
    expect(executable.bytes / nodes).toBeLessThanOrEqual(40);
  });
}
