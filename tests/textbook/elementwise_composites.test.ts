import { describe, expect, test } from "vitest";
import type { Case } from "../../oracle/case/case.ts";
import { truthOf } from "../../oracle/truth/case_truth.ts";
import { referenceStandard } from "../../oracle/truth/standard/standard.ts";
import { type CompositeName, checkGraph, nodeId, present } from "../../spec/index.ts";

/**
 * It tells what a composite is at a point: operands, value, and the derivative in each operand, from the
 * textbook.
 */
interface Telling {
  readonly attributes?: object;
  readonly at: readonly number[];
  readonly value: number;
  readonly slopes: readonly number[];
}

const e = Math.E;
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/** Points of each elementwise composite: beside a kink, on it, and where careless formulas overflow. */
const tellings: Partial<Record<CompositeName, readonly Telling[]>> = {
  abs: [
    { at: [-3], value: 3, slopes: [-1] },
    { at: [2], value: 2, slopes: [1] },
    { at: [0], value: 0, slopes: [0] },
  ],
  sign: [
    { at: [-3], value: -1, slopes: [0] },
    { at: [0.5], value: 1, slopes: [0] },
    { at: [0], value: 0, slopes: [0] },
  ],
  square: [{ at: [-3], value: 9, slopes: [-6] }],
  reciprocal: [{ at: [-4], value: -0.25, slopes: [-1 / 16] }],
  ceil: [
    { at: [1.25], value: 2, slopes: [0] },
    { at: [-1.25], value: -1, slopes: [0] },
    { at: [3], value: 3, slopes: [0] },
  ],
  round: [
    { at: [0.5], value: 0, slopes: [0] },
    { at: [1.5], value: 2, slopes: [0] },
    { at: [-2.5], value: -2, slopes: [0] },
    { at: [-0.75], value: -1, slopes: [0] },
    { at: [2.625], value: 3, slopes: [0] },
  ],
  identity: [{ at: [7], value: 7, slopes: [1] }],
  minimum: [
    { at: [1, 2], value: 1, slopes: [1, 0] },
    { at: [2, 1], value: 1, slopes: [0, 1] },
    { at: [3, 3], value: 3, slopes: [1, 0] },
  ],
  clip: [
    { at: [5, -1, 2], value: 2, slopes: [0, 0, 1] },
    { at: [-5, -1, 2], value: -1, slopes: [0, 1, 0] },
    { at: [1, -1, 2], value: 1, slopes: [1, 0, 0] },
    { at: [2, -1, 2], value: 2, slopes: [1, 0, 0] },
  ],
  remainder: [
    { at: [7, 3], value: 1, slopes: [1, -2] },
    { at: [-7, 3], value: 2, slopes: [1, 3] },
    { at: [7, -3], value: -2, slopes: [1, 3] },
  ],
  copysign: [
    { at: [3, -2], value: -3, slopes: [-1, 0] },
    { at: [-3, -2], value: -3, slopes: [1, 0] },
    { at: [-3, 2], value: 3, slopes: [-1, 0] },
  ],
  not_equal: [
    { at: [1, 1], value: 0, slopes: [0, 0] },
    { at: [1, 2], value: 1, slopes: [0, 0] },
  ],
  less_equal: [
    { at: [1, 1], value: 1, slopes: [0, 0] },
    { at: [2, 1], value: 0, slopes: [0, 0] },
    { at: [1, 2], value: 1, slopes: [0, 0] },
  ],
  greater: [
    { at: [1, 1], value: 0, slopes: [0, 0] },
    { at: [2, 1], value: 1, slopes: [0, 0] },
  ],
  greater_equal: [
    { at: [1, 1], value: 1, slopes: [0, 0] },
    { at: [1, 2], value: 0, slopes: [0, 0] },
  ],
  logical_not: [
    { at: [0], value: 1, slopes: [0] },
    { at: [-2], value: 0, slopes: [0] },
  ],
  logical_and: [
    { at: [2, 3], value: 1, slopes: [0, 0] },
    { at: [2, 0], value: 0, slopes: [0, 0] },
    { at: [0, 3], value: 0, slopes: [0, 0] },
  ],
  logical_or: [
    { at: [0, 0], value: 0, slopes: [0, 0] },
    { at: [0, 3], value: 1, slopes: [0, 0] },
  ],
  logical_xor: [
    { at: [2, 3], value: 0, slopes: [0, 0] },
    { at: [0, 3], value: 1, slopes: [0, 0] },
  ],
  sigmoid: [
    { at: [0], value: 0.5, slopes: [0.25] },
    { at: [2], value: sigmoid(2), slopes: [sigmoid(2) * sigmoid(-2)] },
    { at: [-600], value: Math.exp(-600), slopes: [Math.exp(-600)] },
    { at: [1000], value: 1, slopes: [0] },
  ],
  softplus: [
    { at: [0], value: Math.LN2, slopes: [0.5] },
    { at: [-600], value: Math.exp(-600), slopes: [Math.exp(-600)] },
    { at: [1000], value: 1000, slopes: [1] },
    { at: [3], value: 3 + Math.log1p(Math.exp(-3)), slopes: [sigmoid(3)] },
  ],
  logaddexp: [
    { at: [5, 5], value: 5 + Math.LN2, slopes: [0.5, 0.5] },
    { at: [1000, 0], value: 1000, slopes: [1, 0] },
    { at: [-1000, -1001], value: -1000 + Math.log1p(1 / e), slopes: [sigmoid(1), sigmoid(-1)] },
  ],
  silu: [
    { at: [0], value: 0, slopes: [0.5] },
    { at: [2], value: 2 * sigmoid(2), slopes: [sigmoid(2) + 2 * sigmoid(2) * sigmoid(-2)] },
  ],
  leaky_relu: [
    { attributes: { slope: 0.125 }, at: [-2], value: -0.25, slopes: [0.125] },
    { attributes: { slope: 0.125 }, at: [0], value: 0, slopes: [0.125] },
    { attributes: { slope: 0.125 }, at: [3], value: 3, slopes: [1] },
  ],
  elu: [
    { attributes: { alpha: 2 }, at: [-1], value: 2 * Math.expm1(-1), slopes: [2 / e] },
    { attributes: { alpha: 2 }, at: [0], value: 0, slopes: [2] },
    { attributes: { alpha: 2 }, at: [1000], value: 1000, slopes: [1] },
  ],
  gelu: [
    { attributes: { approximate: "none" }, at: [0], value: 0, slopes: [0.5] },
    { attributes: { approximate: "tanh" }, at: [0], value: 0, slopes: [0.5] },
    {
      attributes: { approximate: "none" },
      at: [1],
      // Φ(1) and Φ(1) + φ(1), to twenty digits in Abramowitz and Stegun, table 26.1.
      value: 0.8413447460685429,
      slopes: [0.8413447460685429 + 0.24197072451914337],
    },
  ],
};

function caseFor(op: string, { attributes = {}, at }: Telling): Case {
  const graph = checkGraph({
    format: "adjudge.graph.v1",
    inputs: at.map((_, place) => ({ name: `x${place}`, shape: [] })),
    environment: [],
    nodes: [{ op, attributes, parents: at.map((_, place) => place) }],
  });
  if (!graph.ok) throw new Error(JSON.stringify(graph.error));
  const scalar = (x: number): Case["tangents"][number] => ({ shape: [], data: Float64Array.of(x) });
  return {
    graph: graph.value,
    point: { inputs: at.map(scalar), environment: new Map() },
    tangents: at.map(() => scalar(1)),
    seeds: [{ id: nodeId(at.length), cotangent: scalar(3) }],
  };
}

/** Asks the truth to judge a value and its derivatives, which are asked with a cotangent of 3. */
function judgements(op: string, telling: Telling, value: number, slopes: readonly number[]): string[] {
  const truth = truthOf(caseFor(op, telling), referenceStandard("float64"));
  const [ofValue] = truth.value(nodeId(telling.at.length));
  const ofSlopes = slopes.map((slope, id) =>
    present(truth.cotangent(nodeId(id))[0], "component").judge(3 * slope),
  );
  return [present(ofValue, "component").judge(value), ...ofSlopes].map(String);
}

describe.each(Object.entries(tellings))("%s", (op, points = []) => {
  test.each(points)("is $value at $at, with slopes $slopes", (telling) => {
    const { value, slopes } = telling;
    expect(new Set(judgements(op, telling, value, slopes))).toEqual(new Set(["within"]));
    const wrong = judgements(
      op,
      telling,
      value + 1e-3,
      slopes.map((slope) => slope - 1e-3),
    );
    expect(new Set(wrong)).toEqual(new Set(["outside"]));
  });
});
