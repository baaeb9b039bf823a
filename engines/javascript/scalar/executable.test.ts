import { describe, expect, test } from "vitest";
import { nodeId, type PrimitiveGraph, present, type Seed } from "../../../spec/index.ts";
import { interpret } from "../../interpreter/index.ts";
import type { Numbers, Precision } from "../../plan/executable.ts";
import {
  allOperators,
  awkwardNumbers,
  drawing,
  integerOperators,
  isSame,
  pointOf,
  randomGraph,
} from "../../plan/scalar/graphs.test.kit.ts";
import { scalarPlanOf, tableOf } from "../../plan/scalar/index.ts";
import { wasmScalars } from "../../wasm/scalar/index.ts";
import { javascriptScalars } from "./executable.ts";
const W=wasmScalars();

function f(precision: Precision, from: readonly number[]): Numbers {
  return precision === "float32" ? Float32Array.from(from) : Float64Array.from(from);
}

describe.each(["float64", "float32"] as const)("%s", (precision) => {
  test.each([0, Infinity])("bit exact, runs of at least %d", (shortestRun) => {
    for (let seed = 0; seed < 60; seed++) {
      const graph = randomGraph(
        { inputs: 5, nodes: 150, window: 30, operators: allOperators, literals: [0, 1, 2.5, -0.7] },
        seed,
      );
      check(graph, precision, seed, shortestRun);
    }
  });
});

function check(graph: PrimitiveGraph, precision: Precision, seed: number, shortestRun: number) {
  const draw = drawing(seed + 1000);
  const pick = () => present(awkwardNumbers[Math.floor(draw(awkwardNumbers.length))], "n");
  const x = graph.inputs.map(() => (draw(4) < 1 ? pick() : draw(2) - 1));
  const env = graph.environment.map(pick);
  const dx = graph.inputs.map(pick);
  const core = interpret(graph, precision);
  const point = pointOf(graph, x, env);
  const table = present(tableOf(graph), "table");
  const ids = graph.inputs.length + graph.nodes.length;
  const output = ids - 1 - Math.floor(draw(5));
  const plan = scalarPlanOf(table, { profile: "bit_exact", output, shortestRun });
for(const back of [javascriptScalars, W]){
  const exe = back.build(plan, precision, "bit_exact");
  const s = draw(2) - 1;
  const want = core.vjp(point, [{ id: nodeId(output), cotangent: { shape: [], data: Float64Array.of(s) } }]);
  if (!want.ok) throw new Error(want.error);
  const expected = want.value.map((a) => a[0] ?? 0);
  const grad = exe.gradient(f(precision, x), f(precision, env), s);
  expect([seed, isSame(grad, expected), [...grad]]).toEqual([seed, true, expected]);
}
}
