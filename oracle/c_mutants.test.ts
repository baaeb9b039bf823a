import { describe, expect, test } from "vitest";
import { findCompiler } from "../engines/compile/c_engine.ts";
import { cPlanMutants } from "../engines/compile/mutants/c.ts";
import { type FlatTensor, graph, nodeId } from "../spec/index.ts";
import { sampled } from "../spec/sampled.test.kit.ts";
import type { Case } from "./case/case.ts";
import { judge } from "./judge/judge.ts";

const compiler = findCompiler();
const mutants = compiler === undefined ? [] : cPlanMutants(compiler);

const tensor = (...data: readonly number[]): FlatTensor => ({
  shape: [data.length],
  data: Float64Array.from(data),
});

/** This has what each fault spoils: waves in all quadrants, sums, choices, and a place met twice. */
const written = graph(({ input, indices }) => {
  const x = input("x", [9]);
  const rows = indices("rows", [3]);
  const waves = x.sin().multiply(x.exp()).add(x.abs().add(0.7).log());
  const squares = waves.multiply(x).sum({ axes: [0], keepdims: false });
  waves
    .take({ axis: 0, indices: rows })
    .sum({ axes: [0], keepdims: false })
    .add(x.relu().multiply(squares));
});
const last = nodeId(written.inputs.length + written.nodes.length - 1);
const question: Case = {
  graph: written,
  point: {
    inputs: [tensor(-4.25, -2.5, -1.125, -0.3125, 0.34375, 0.75, 1.6875, 3.375, 4.875)],
    environment: new Map([["rows", tensor(4, 8, 4)]]),
  },
  tangents: [tensor(1, -0.5, 0.25, 2, -1, 0.5, 1.5, -0.75, 1)],
  seeds: [{ id: last, cotangent: tensor(1, 0.5, -1, 2, 1, -0.25, 0.75, 1, -2) }],
};

describe.skipIf(compiler === undefined)("the engine in C", () => {
  test.each(sampled("mutants in C", mutants, 2))("is told from one where: $fault", async (mutant) => {
    const asked = { dtype: "float64", laws: [], shrinkBudget: 0 } as const;
    expect((await judge(mutant.sound(), question, asked)).kind).toBe("agrees");
    expect((await judge(mutant.engine(), question, asked)).kind).toBe("disagrees");
  });
});
