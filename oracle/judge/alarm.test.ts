import { expect, test } from "vitest";
import { interpreterEngine, javascriptEngine, mutants } from "../../engines/index.ts";
import type { Engine } from "../../spec/contract/index.ts";
import { caseOf, graph, nodeId, present } from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import type { Case } from "../case/index.ts";
import {
  type CaseProfile,
  chainProfile,
  exactProfile,
  scalar20Profile,
  tensorProfile,
} from "../generate/index.ts";
import { nothingHeard } from "../hearing/heard.ts";
import { campaignOn } from "./campaign.ts";
import { judge } from "./judge.ts";
import { emptyTally, tallied } from "./tally.ts";

const profiles: readonly (readonly [CaseProfile, number])[] = [
  [tensorProfile, 600],
  [scalar20Profile, 600],
  [exactProfile, 600],
  [chainProfile, 100],
];
const campaigns = (["float64", "float32"] as const).flatMap((dtype) =>
  profiles.map(([profile, cases]) => ({ dtype, profile, cases, name: profile.name })),
);

test.each(
  sampled("alarms", campaigns, 2),
)("the judge raises no alarm about the interpreter in $dtype, over $name", async ({
  dtype,
  profile,
  cases,
}) => {
  const wrong: unknown[] = [];
  let tally = emptyTally;
  const options = { profile, seed: 3, cases, dtype, lawsEvery: profile.isChain ? 1 : 5 };
  for await (const { case: question, verdict } of campaignOn(interpreterEngine(), options)) {
    tally = tallied(tally, { case: question, verdict, heard: nothingHeard }, 0);
    if (verdict.kind === "disagrees" || verdict.kind === "crashed") wrong.push(verdict);
  }
  expect(wrong).toEqual([]);
  // In chains roundings add up until some number tells nothing.
  expect(tally.counts.agrees).toBeGreaterThan((profile.isChain ? 0.3 : 0.97) * cases);
});

test("c and −c, added one by one to a slot that holds something, may lose digits of it where there is no bound", async () => {
  // atanh has no value at 64, but a slope, which is in the slot before the remainder hands on c and −c.
  const scalar = (x: number) => ({ shape: [], data: Float64Array.of(x) });
  const question: Case = {
    graph: {
      format: "adjudge.graph.v1",
      inputs: [{ name: "x", shape: [] }],
      environment: [],
      nodes: [
        { op: "remainder", attributes: {}, parents: [nodeId(0), nodeId(0)] },
        { op: "atanh", attributes: {}, parents: [nodeId(0)] },
      ],
    },
    point: { inputs: [scalar(64)], environment: new Map() },
    tangents: [scalar(1)],
    seeds: [
      { id: nodeId(1), cotangent: scalar(-24.875) },
      { id: nodeId(2), cotangent: scalar(-19.875) },
    ],
  };
  const verdict = await judge(interpreterEngine(), question, { dtype: "float64" });
  expect(verdict.kind).toBe("agrees");
});

test("a convolution of an infinite weight may be NaN wherever an engine multiplies zeros, and of finite ones not", async () => {
  const questionOf = (weight: number): Case => {
    const written = caseOf(
      graph(({ input }) =>
        input("x", [1, 2, 2]).conv(input("w", [2, 1, 2]), {
          strides: [1],
          padding: [[0, 0]],
          dilations: [1],
          groups: 2,
        }),
      ),
      { point: { x: [2, 3, 4, 5], w: [6, weight, 8, 9] } },
    );
    return written.ok ? written.value : expect.unreachable();
  };
  const [zeros, wrong] = [
    javascriptEngine(),
    present(
      mutants.find(({ name }) => name === "conv_kernel_constant"),
      "a mutant",
    ).engine(),
  ];
  const judged = async (engine: Engine, weight: number): Promise<string> =>
    (await judge(engine, questionOf(weight), { dtype: "float64", laws: [], shrinkBudget: 0 })).kind;
  expect(["agrees", "undecided"]).toContain(await judged(zeros, Number.POSITIVE_INFINITY));
  expect(await judged(zeros, 7)).toBe("agrees");
  expect(await judged(wrong, 7)).toBe("disagrees");
});
