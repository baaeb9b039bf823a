import { describe, expect, test } from "vitest";
import { bitExactConventions } from "../../../engines/index.ts";
import { type FlatTensor, nodeId, type PrimitiveName, present } from "../../../spec/index.ts";
import type { Case } from "../../case/index.ts";
import { type Component, referenceStandard, standardOf, truthOf } from "../index.ts";

const signed = standardOf({ conventions: bitExactConventions, accuracy: {} }, "float64");

function scalar(x: number): FlatTensor {
  return { shape: [], data: Float64Array.of(x) };
}

/** One node after the other on scalars: the value of the last. */
function lastOf(
  inputs: readonly number[],
  nodes: readonly (readonly [PrimitiveName, ...number[]])[],
  standard = signed,
): Component {
  const question = {
    graph: {
      format: "adjudge.graph.v1",
      inputs: inputs.map((_, i) => ({ name: `x${i}`, shape: [] })),
      environment: [],
      nodes: nodes.map(([op, ...parents]) => ({ op, attributes: {}, parents: parents.map(nodeId) })),
    } as Case["graph"],
    point: { inputs: inputs.map(scalar), environment: new Map() },
    tangents: inputs.map(scalar),
    seeds: [],
  };
  const truth = truthOf(question, standard);
  return present(truth.value(nodeId(truth.shapes.length - 1))[0], "a component");
}

describe("the sign of a zero that an engine declares to keep", () => {
  test.each<[string, readonly number[], readonly (readonly [PrimitiveName, ...number[]])[], number]>([
    ["−(+0)", [0], [["negative", 0]], -0],
    ["−(−0)", [-0], [["negative", 0]], 0],
    ["0 · −1", [0, -1], [["multiply", 0, 1]], -0],
    ["−0 · −1", [-0, -1], [["multiply", 0, 1]], 0],
    [
      "a product that underflows",
      [-1e-200],
      [
        ["multiply", 0, 0],
        ["negative", 1],
      ],
      -0,
    ],
    ["0 ÷ −2", [0, -2], [["divide", 0, 1]], -0],
    ["1 ÷ −∞", [1, Number.NEGATIVE_INFINITY], [["divide", 0, 1]], -0],
    ["√−0", [-0], [["sqrt", 0]], -0],
    ["−0 + 0", [-0, 0], [["add", 0, 1]], 0],
    ["−0 + −0", [-0], [["add", 0, 0]], -0],
    ["3 − 3", [3, 3], [["subtract", 0, 1]], 0],
    ["0 − 0", [0, 0], [["subtract", 0, 1]], 0],
    ["−0 passed on", [-0], [["stop_gradient", 0]], -0],
    ["−0 chosen", [1, -0, 0], [["where", 0, 1, 2]], -0],
  ])("is IEEE 754's: %s", (_, inputs, nodes, right) => {
    const component = lastOf(inputs, nodes);
    expect([component.judge(right), component.judge(-right)]).toEqual(["within", "outside"]);
    const undeclared = lastOf(inputs, nodes, referenceStandard("float64"));
    expect([undeclared.judge(right), undeclared.judge(-right)]).toEqual(["within", "within"]);
  });

  test("stands in what is expected, where it is −0", () => {
    expect(lastOf([0], [["negative", 0]]).allowed).toBe("-0x0p+0");
    expect(lastOf([-0], [["negative", 0]]).allowed).toBe("0");
  });

  test.each<[string, readonly number[], readonly (readonly [PrimitiveName, ...number[]])[]]>([
    ["a maximum of both zeros", [0, -0], [["maximum", 0, 1]]],
    ["a function's zero", [-0], [["sin", 0]]],
    [
      "after a function's zero",
      [-0],
      [
        ["tanh", 0],
        ["negative", 1],
      ],
    ],
    // A fused multiply-add rounds −10⁻⁴⁰⁰ + 0 to −0, IEEE 754's product and sum make +0 of it.
    [
      "a product that underflows, and 0",
      [1e-200, -1e-200, 0],
      [
        ["multiply", 0, 1],
        ["add", 3, 2],
      ],
    ],
  ])("is open where honest engines differ: %s", (_, inputs, nodes) => {
    const component = lastOf(inputs, nodes);
    expect([component.judge(0), component.judge(-0)]).not.toContain("outside");
  });
});
