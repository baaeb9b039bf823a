import { describe, expect, test } from "vitest";
import { type Engine, interpreterEngine } from "../../engines/index.ts";
import { type FlatTensor, graph, nodeId, type Shape } from "../../spec/index.ts";
import type { Case } from "../case/case.ts";
import { caseAt, tensorProfile } from "../generate/index.ts";
import { judgeGiven } from "./given.ts";
import { judge } from "./judge.ts";

const right: Case = caseAt(tensorProfile, 1, 1);

function tensor(shape: Shape, ...data: readonly number[]): FlatTensor {
  return { shape, data: Float64Array.from(data) };
}

/** Makes an engine that must not be asked. */
function untouchable(): Engine {
  const refuse = (): never => {
    throw new Error("the engine was asked");
  };
  return { ...interpreterEngine(), load: refuse };
}

const [seed] = right.seeds;
const cotangent = seed?.cotangent ?? tensor([]);
const wrong: readonly (readonly [string, string, Case])[] = [
  [
    "a seed of another shape",
    "point/shape",
    { ...right, seeds: [{ id: nodeId(2), cotangent: tensor([3], 1, 2, 3) }] },
  ],
  ["a seed at no id", "seed/id", { ...right, seeds: [{ id: nodeId(999), cotangent }] }],
  ["a seed at half an id", "seed/id", { ...right, seeds: [{ id: nodeId(0.5), cotangent }] }],
  ["two seeds at one id", "seed/twice", { ...right, seeds: [...right.seeds, ...right.seeds] }],
  ["no point", "point/count", { ...right, point: { ...right.point, inputs: [] } }],
  ["no tangents", "point/count", { ...right, tangents: [] }],
  [
    "a tensor that is too short",
    "tensor/length",
    { ...right, tangents: right.tangents.map(({ shape }) => ({ shape, data: new Float64Array() })) },
  ],
  [
    "an entry of Δ that the graph does not declare",
    "point/environment",
    { ...right, point: { ...right.point, environment: new Map([["surplus", tensor([], 1)]]) } },
  ],
  [
    "an entry of Δ too few",
    "point/environment",
    {
      ...right,
      ...emptyOf(graph(({ parameter }) => parameter("c", [2]))),
    },
  ],
];

function emptyOf(of: Case["graph"]): Case {
  return { graph: of, point: { inputs: [], environment: new Map() }, tangents: [], seeds: [] };
}

describe("a case put together in code", () => {
  test("is judged if it is one", async () => {
    expect(await judgeGiven(interpreterEngine(), right, { dtype: "float64" })).toEqual({
      ok: true,
      value: { kind: "agrees" },
    });
  });

  test.each(wrong)("is an issue and accuses nobody where it has %s", async (_, code, question) => {
    const judged = await judgeGiven(untouchable(), question, { dtype: "float64" });
    expect(judged.ok ? judged.value : judged.error.map((issue) => issue.code)).toContain(code);
    const verdict = await judge(untouchable(), question, { dtype: "float64" });
    expect(verdict).toMatchObject({ kind: "undecided", cause: expect.stringContaining(code) });
  });

  test("is an issue where its graph is none", async () => {
    const graphless = { ...right, graph: { ...right.graph, nodes: right.graph.nodes.toReversed() } };
    const judged = await judgeGiven(untouchable(), graphless, { dtype: "float64" });
    expect(judged.ok).toBe(false);
  });
});
