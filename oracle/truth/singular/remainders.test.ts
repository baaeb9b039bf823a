import { describe, expect, test } from "vitest";
import { nodeId, present } from "../../../spec/index.ts";
import type { Case } from "../../case/index.ts";
import { type Component, referenceStandard, truthOf } from "../index.ts";

const { NaN: NAN, POSITIVE_INFINITY: INF } = Number;

/**
 * Returns the remainders of `x` by `y`, and of 7 by 2 beside it, with the cotangents `c` and 5 and the
 * tangents 1 and −2.
 */
function caseOf(x: number, y: number, c = 5): Case {
  return {
    graph: {
      format: "adjudge.graph.v1",
      inputs: [
        { name: "x", shape: [2] },
        { name: "y", shape: [2] },
      ],
      environment: [],
      nodes: [{ op: "remainder", attributes: {}, parents: [nodeId(0), nodeId(1)] }],
    },
    point: {
      inputs: [
        { shape: [2], data: Float64Array.of(x, 7) },
        { shape: [2], data: Float64Array.of(y, 2) },
      ],
      environment: new Map(),
    },
    tangents: [
      { shape: [2], data: Float64Array.of(1, 1) },
      { shape: [2], data: Float64Array.of(-2, -2) },
    ],
    seeds: [{ id: nodeId(2), cotangent: { shape: [2], data: Float64Array.of(c, 5) } }],
  };
}

function at(
  part: "value" | "tangent" | "cotangent",
  id: number,
  ...given: Parameters<typeof caseOf>
): Component {
  const truth = truthOf(caseOf(...given), referenceStandard("float64"));
  return present(truth[part](nodeId(id))[0], "a component");
}

function accused(component: Component, answers: readonly number[]): readonly number[] {
  return answers.filter((answer) => component.judge(answer) === "outside");
}

const candidates = [NAN, INF, -INF, 0, 1, 5, -5, 1e9];

describe("a remainder", () => {
  test.each([
    [3, 0],
    [-3, -0],
    [0, 0],
    [INF, 2],
    [NAN, 2],
    [INF, 0],
    [3, NAN],
  ])("of %d by %d is NaN and nothing else", (x, y) => {
    const component = at("value", 2, x, y);
    expect(component.judge(NAN)).toBe("within");
    expect(accused(component, candidates)).toEqual(candidates.slice(1));
  });

  test("of 0 by itself is NaN and nothing else", () => {
    const question = caseOf(0, 0);
    const nodes = [{ op: "remainder", attributes: {}, parents: [nodeId(0), nodeId(0)] }] as const;
    const truth = truthOf({ ...question, graph: { ...question.graph, nodes } }, referenceStandard("float64"));
    const component = present(truth.value(nodeId(2))[0], "a component");
    expect(component.judge(NAN)).toBe("within");
    expect(accused(component, candidates)).toEqual(candidates.slice(1));
  });

  test("of a finite number by an infinite one is that, the divisor of the other sign, or NaN", () => {
    expect(accused(at("value", 2, -3, INF), [-3, INF, NAN])).toEqual([]);
    expect(accused(at("value", 2, -3, INF), [3, -INF, 0, 1e9])).toEqual([3, -INF, 0, 1e9]);
  });

  test("has by x at y = 0 the slope 1, as everywhere", () => {
    expect(accused(at("cotangent", 0, 3, 0), candidates)).toEqual([NAN, INF, -INF, 0, 1, -5, 1e9]);
  });

  test("has by y at y = 0 the infinity of −c ⌊x/y⌋, or NaN, or none", () => {
    expect(accused(at("cotangent", 1, 3, 0), candidates)).toEqual([INF, 1, 5, -5, 1e9]);
    // The zero may have lost its sign.
    expect(accused(at("cotangent", 1, 3, -0), candidates)).toEqual([1, 5, -5, 1e9]);
    expect(accused(at("cotangent", 1, 0, 0), candidates)).toEqual([INF, -INF, 1, 5, -5, 1e9]);
  });

  test.each([
    [INF, 5],
    [-INF, 5],
    [NAN, 5],
    [3, INF],
    [3, -INF],
    [3, NAN],
  ])("may have any slope by y at y = 0 where x or its cotangent is not finite: x = %d, c = %d", (x, c) => {
    expect(accused(at("cotangent", 1, x, 0, c), candidates)).toEqual([]);
  });

  test("has at y = 0 tangents that are the sum of both", () => {
    expect(accused(at("tangent", 2, 3, 0), candidates)).toEqual([-INF, 5, -5, 1e9]);
  });

  test("leaves its other elements as they are", () => {
    const truth = truthOf(caseOf(3, 0), referenceStandard("float64"));
    const found = [truth.value(nodeId(2))[1], truth.cotangent(nodeId(0))[1], truth.cotangent(nodeId(1))[1]];
    expect(found.map((component) => component?.expected)).toEqual(["1", "5", "-15"]);
  });
});
