import { expect, test } from "vitest";
import { interpreterEngine } from "../../engines/index.ts";
import { hostUlps } from "../../spec/contract/index.ts";
import { operatorNames } from "../../spec/index.ts";
import { roundsValue } from "./rounding.ts";

test("functions and arithmetic round their values, and so do composites of them", () => {
  const rounding = operatorNames.filter(roundsValue);
  expect(rounding).toEqual(expect.arrayContaining(Object.keys(hostUlps)));
  expect(rounding).toEqual(expect.arrayContaining(Object.keys(interpreterEngine().describe().accuracy)));
  expect(rounding).toEqual(expect.arrayContaining(["add", "matmul", "mean", "softmax", "outer", "trace"]));
});

test("what moves, chooses, compares or counts does not", () => {
  for (const op of [
    "constant",
    "reshape",
    "take",
    "maximum",
    "relu",
    "floor",
    "less",
    "sort",
    "abs",
  ] as const)
    expect([op, roundsValue(op)]).toEqual([op, false]);
});
