import { describe, expect, test } from "vitest";
import { stageOf, summarize } from "./judge_stages.ts";

const at = (...places: string[]): string[] => places.map((place) => `file:///adjudge/${place}`);

describe("a stack of functions is spent in", () => {
  test.each([
    ["the truth, inside MPFR", "truth", ["wasm://wasm/1:f", ...at("oracle/truth/bound/algebra.ts:add")]],
    [
      "the bounds, in a rule that they run",
      "bound",
      at("reference/operators/sum.ts:f", "oracle/truth/nodes/bounds.ts:g"),
    ],
    [
      "the engine, though a law asks it",
      "engine",
      at("engines/interpreter/engine.ts:ask", "oracle/laws/alone.ts:check"),
    ],
    [
      "a law, though it asks the truth",
      "laws",
      at("oracle/truth/truth.ts:truthOf", "oracle/laws/alone.ts:check"),
    ],
    [
      "the search, though it compares",
      "shrink",
      at("oracle/hearing/ask.ts:ask", "oracle/shrink/shrink.ts:shrink"),
    ],
    ["drawing", "draw", at("spec/graph/graph.ts:f", "oracle/generate/graph.ts:grow")],
    ["comparing", "compare", at("oracle/truth/verdicts/component.ts:judge", "oracle/hearing/ask.ts:ask")],
    [
      "the truth of a program, in the reference's machine",
      "truth",
      at("reference/state/run.ts:f", "oracle/programs/ask.ts:g"),
    ],
    ["the collector", "collector", [":(garbage collector)", ...at("engines/interpreter/engine.ts:ask")]],
    ["no stage", undefined, at("bench/judge_time.ts:measured")],
  ] as const)("%s", (_, stage, stack) => {
    expect(stageOf(stack)).toBe(stage);
  });
});

test("a profile is summed up by stage and function, without the profiler's own time", () => {
  const frame = (url: string, functionName: string) => ({
    functionName,
    scriptId: "1",
    url,
    lineNumber: 0,
    columnNumber: 0,
  });
  const { stages, own, total } = summarize({
    startTime: 0,
    endTime: 60,
    nodes: [
      { id: 1, callFrame: frame("", "(root)"), children: [2, 4] },
      { id: 2, callFrame: frame("/oracle/hearing/ask.ts", "ask"), children: [3] },
      { id: 3, callFrame: frame("/engines/fit.ts", "fit") },
      { id: 4, callFrame: frame("node:inspector", "post") },
    ],
    samples: [2, 3, 3, 4],
    timeDeltas: [10, 20, 5, 25],
  });
  expect([stages.get("compare"), stages.get("engine")]).toEqual([10, 25]);
  expect(own.get("/engines/fit.ts:fit")).toBe(25);
  expect(total.get("/oracle/hearing/ask.ts:ask")).toBe(35);
  expect(total.get(":(root)")).toBe(35);
});
