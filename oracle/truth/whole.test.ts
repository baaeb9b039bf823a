import { describe, expect, test } from "vitest";
import { graph, nodeId } from "../../spec/index.ts";
import type { Case } from "../case.ts";
import type { Judgement } from "./component.ts";
import { truthOf } from "./expanded.ts";
import { referenceStandard } from "./standard.ts";

/** The greatest of the elements along the second axis, of which there is one in each row. */
function greatestOfOne(x: readonly [number, number]): Case {
  const program = graph(({ input }) => input("x", [2, 1]).max({ axes: [1], keepdims: false }));
  return {
    graph: program,
    point: { inputs: [{ shape: [2, 1], data: Float64Array.from(x) }], environment: new Map() },
    tangents: [{ shape: [2, 1], data: Float64Array.of(2, 3) }],
    seeds: [{ id: nodeId(1), cotangent: { shape: [2], data: Float64Array.of(5, 7) } }],
  };
}

/** What is said of a tangent and a cotangent, that of the first element. */
function judged(x: readonly [number, number], tangent: number, cotangent: number): (Judgement | undefined)[] {
  const truth = truthOf(greatestOfOne(x), referenceStandard("float64"));
  return [truth.tangent(nodeId(1))[0]?.judge(tangent), truth.cotangent(nodeId(0))[0]?.judge(cotangent)];
}

describe("an engine that computes a composite whole", () => {
  test("may find the greatest of one NaN equal to none: no derivative, or half of none", () => {
    expect(judged([Number.NaN, 1], 0, 0)).toEqual(["undecided", "undecided"]);
    expect(judged([Number.NaN, 1], Number.NaN, Number.NaN)).toEqual(["undecided", "undecided"]);
  });

  test("is held to the derivative by a number, also beside a NaN", () => {
    expect(judged([4, Number.NaN], 0, 0)).toEqual(["outside", "outside"]);
    expect(judged([4, Number.NaN], 2, 5)).toEqual(["within", "within"]);
  });
});
