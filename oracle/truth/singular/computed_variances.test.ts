import { describe, expect, test } from "vitest";
import { referenceConventions } from "../../../spec/contract/index.ts";
import { nodeId, present } from "../../../spec/index.ts";
import type { Case } from "../../case/index.ts";
import { type Component, referenceStandard, standardOf, truthOf } from "../index.ts";

/** Two equal elements less their mean, by the root of their variance, times 2, plus 1; ε is 0. */
const equal: Case = {
  graph: {
    format: "adjudge.graph.v1",
    inputs: [
      { name: "x", shape: [1, 2] },
      { name: "scale", shape: [2] },
      { name: "offset", shape: [2] },
    ],
    environment: [],
    nodes: [
      { op: "layer_norm", attributes: { axes: [1], epsilon: 0 }, parents: [nodeId(0), nodeId(1), nodeId(2)] },
    ],
  },
  point: {
    inputs: [
      { shape: [1, 2], data: Float64Array.of(0.1, 0.1) },
      { shape: [2], data: Float64Array.of(2, 2) },
      { shape: [2], data: Float64Array.of(1, 1) },
    ],
    environment: new Map(),
  },
  tangents: [
    { shape: [1, 2], data: Float64Array.of(3, 5) },
    { shape: [2], data: Float64Array.of(3, 5) },
    { shape: [2], data: Float64Array.of(3, 5) },
  ],
  seeds: [],
};

function first(question: Case): Component {
  return present(truthOf(question, referenceStandard("float64")).value(nodeId(3))[0], "a component");
}

describe("equal elements, normalised without ε", () => {
  test.each([
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    1,
    3,
    -1,
  ])("may become %d", (answer) => {
    expect(first(equal).judge(answer)).not.toBe("outside");
  });

  test.each([1e9, -1e9, 100])("never become %d", (answer) => {
    expect(first(equal).judge(answer)).toBe("outside");
  });
});

test("1 by 0 is infinite, of the zero's sign if it is declared", () => {
  const signed = standardOf(
    { conventions: { ...referenceConventions, zeros: "signed" }, accuracy: {} },
    "float64",
  );
  const reciprocal = (x: number, standard = signed): Component => {
    const question: Case = {
      graph: {
        format: "adjudge.graph.v1",
        inputs: [{ name: "x", shape: [] }],
        environment: [],
        nodes: [{ op: "reciprocal", attributes: {}, parents: [nodeId(0)] }],
      },
      point: { inputs: [{ shape: [], data: Float64Array.of(x) }], environment: new Map() },
      tangents: [{ shape: [], data: Float64Array.of(3) }],
      seeds: [],
    };
    return present(truthOf(question, standard).value(nodeId(1))[0], "a component");
  };
  const infinities = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e9];
  expect(infinities.map((answer) => reciprocal(0).judge(answer))).toEqual(["within", "outside", "outside"]);
  expect(infinities.map((answer) => reciprocal(-0).judge(answer))).toEqual(["outside", "within", "outside"]);
  const undeclared = infinities.map((answer) => reciprocal(-0, referenceStandard("float64")).judge(answer));
  expect(undeclared).toEqual(["undecided", "undecided", "outside"]);
});
