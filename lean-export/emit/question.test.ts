import { describe, expect, test } from "vitest";
import { rational, traceOf } from "../../reference/index.ts";
import { graph } from "../../spec/builder/index.ts";
import { againstIssues } from "./question.ts";

const taken = graph(({ input, indices, take }) =>
  take(input("x", [3]), { axis: 0, indices: indices("i", [2]) }),
);

const texts = (indices: readonly string[]) => ({
  inputs: [["1", "2", "3"]],
  environment: new Map([["i", indices]]),
  seeds: new Map([[1, ["1", "1"]]]),
});

describe("a trace against a question with indices", () => {
  const traced = traceOf(taken, rational, texts(["1", "2"]), "dense");
  const trace = traced.ok ? traced.value : expect.unreachable("it is a run");
  const codes = (indices: readonly string[]): readonly string[] =>
    againstIssues(trace, { graph: taken, texts: texts(indices) }).map(({ pointer }) => pointer);

  test.each([
    ["as the trace has them", ["1", "2"]],
    ["in hexadecimal, as a case file has them", ["0x1p+0", "0x1p+1"]],
  ])("is a run of it if they are the same: %s", (_, indices) => {
    expect(codes(indices)).toEqual([]);
  });

  test.each([
    ["others", ["1", "1"]],
    ["others in hexadecimal", ["0x1p+1", "0x1p+1"]],
    ["fewer", ["1"]],
    ["no numbers", ["one", "two"]],
    ["what is not a number", ["nan", "nan"]],
  ])("is none if they are %s", (_, indices) => {
    expect(codes(indices)).toEqual(["/point/environment/i"]);
  });

  test("is none if neither is a number, unless it is the same text", () => {
    const forged = {
      ...trace,
      point: { ...trace.point, environment: { i: { shape: [2], data: ["nan", "nan"] } } },
    };
    const issues = againstIssues(forged, { graph: taken, texts: texts(["0x1p+0", "0x1p+1"]) });
    expect(issues.map(({ pointer }) => pointer)).toEqual(["/point/environment/i"]);
  });
});
