import { describe, expect, test } from "vitest";
import { nodeId, type PrimitiveGraph, type PrimitiveNode, present } from "../../../spec/index.ts";
import {
  type Comparison,
  compared,
  everything,
  firstDifference,
  integers,
  sums,
} from "../../plan/scalar/agreement.test.kit.ts";
import { drawing, randomGraph } from "../../plan/scalar/graphs.test.kit.ts";
import { scalarProgramOf } from "../../plan/scalar/index.ts";
import { javascriptScalars } from "./executable.ts";

const backend = javascriptScalars;
const shapes = [
  ["float64", "runs"],
  ["float64", "steps"],
  ["float32", "runs"],
  ["float32", "steps"],
] as const;

describe.each(shapes)("generated JavaScript in %s, by %s", (precision, schedule) => {
  const takesRuns = schedule === "runs";

  test.each([
    ["all operators at all numbers", everything],
    ["sums whose order shows", sums],
  ])("is the interpreter to the bit in the bit-exact profile: %s", (_, recipe) => {
    const comparison: Comparison = { backend, precision, profile: "bit_exact", recipe, takesRuns };
    expect(firstDifference(comparison, 40)).toBeUndefined();
  });

  test("is the interpreter in the fast profile where sums are exact", () => {
    const comparison: Comparison = { backend, precision, profile: "fast", recipe: integers, takesRuns };
    expect(firstDifference(comparison, 40)).toBeUndefined();
  });
});

test("signed zeros are among what is compared", () => {
  const comparison: Comparison = {
    backend,
    precision: "float64",
    profile: "bit_exact",
    recipe: everything,
    takesRuns: true,
  };
  const counts = Array.from({ length: 10 }, (_, seed) => compared(comparison, seed).negativeZeros);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(20);
});

test("a graph of sums and products takes at most 40 bytes a node, all told", () => {
  const nodes = 20_000;
  const operators = ["add", "multiply", "sin", "exp"];
  const graph = randomGraph({ ...sums, operators, nodes, window: nodes, gathering: nodes / 2 }, 1);
  const request = {
    output: nodes,
    profile: "fast",
    precision: "float64",
    backend: { ...backend, shortestRun: 0 },
  } as const;
  const { executable } = present(scalarProgramOf(graph, request), "program");
  const nothing = new Float64Array(2);
  executable.gradient(new Float64Array(graph.inputs.length), nothing, 1);
  expect(executable.bytes / nodes).toBeLessThanOrEqual(40);
});

/** The sum of the products of neighbours in a ring, added up in pairs: levels of half the width each. */
function ringGraph(inputs: number): PrimitiveGraph {
  const node = (op: "multiply" | "add", x: number, y: number): PrimitiveNode => ({
    op,
    attributes: {},
    parents: [nodeId(x), nodeId(y)],
  });
  return {
    format: "adjudge.graph.v1",
    inputs: Array.from({ length: inputs }, (_, n) => ({ name: `x${n}`, shape: [] })),
    environment: [],
    nodes: [
      ...Array.from({ length: inputs }, (_, n) => node("multiply", n, (n + 1) % inputs)),
      ...Array.from({ length: inputs - 1 }, (_, n) => node("add", inputs + 2 * n, inputs + 2 * n + 1)),
    ],
  };
}

test.each([
  "fast",
  "bit_exact",
] as const)("long runs, which go piece by piece, have the bits of single steps in the profile %s", (profile) => {
  const inputs = 4000;
  const draw = drawing(1);
  const [x, tangents] = [0, 1].map(() => Float64Array.from({ length: inputs }, () => draw(3) - 1.5));
  const answers = [0, Number.POSITIVE_INFINITY].map((shortestRun) => {
    const request = {
      output: 3 * inputs - 2,
      profile,
      precision: "float64",
      backend: { ...backend, shortestRun },
    } as const;
    const { executable } = present(scalarProgramOf(ringGraph(inputs), request), "program");
    const point = present(x, "point");
    const gradient = [...executable.gradient(point, new Float64Array(0), 1)];
    return {
      gradient,
      value: executable.value,
      tangent: executable.jvp(point, new Float64Array(0), present(tangents, "tangents")),
    };
  });
  expect(answers[0]).toEqual(answers[1]);
  expect(new Set(answers[0]?.gradient).size).toBe(inputs);
});
