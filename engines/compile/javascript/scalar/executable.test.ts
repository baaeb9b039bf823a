import { expect, test } from "vitest";
import { nodeId, type PrimitiveGraph, type PrimitiveNode, present } from "../../../../spec/index.ts";
import { sampled } from "../../../../spec/sampled.test.kit.ts";
import { scalarSchedules, testScalarBackend } from "../../plan/scalar/backend.test.kit.ts";
import { drawing } from "../../plan/scalar/graphs.test.kit.ts";
import { scalarProgramOf } from "../../plan/scalar/index.ts";
import { javascriptScalars } from "./executable.ts";

const backend = javascriptScalars;
testScalarBackend("generated JavaScript", backend, sampled("generated JavaScript", scalarSchedules, 1));

/** Makes the sum of products of neighbours in a ring, added in pairs, on levels of half the width each. */
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
] as const)("long runs, which go piece by piece, have the bits of single steps in the regime %s", (regime) => {
  const inputs = 4000;
  const draw = drawing(1);
  const [x, tangents] = [0, 1].map(() => Float64Array.from({ length: inputs }, () => draw(3) - 1.5));
  const answers = [0, Number.POSITIVE_INFINITY].map((shortestRun) => {
    const request = {
      output: 3 * inputs - 2,
      regime,
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
