import type { DataType } from "../../spec/wire/index.ts";
import type { NodeText } from "./case_text.ts";
import type { FindingText } from "./finding_text.ts";

/** Differentiates an inner graph by its first input, at scalars. */
function derivative(
  engine: FindingText["engine"],
  dtype: DataType,
  name: string,
  note: string,
  inner: readonly NodeText[],
  point: Readonly<Record<string, number>>,
  parents: readonly number[],
  mode: "vjp" | "jvp" = "vjp",
): FindingText {
  const inputs = parents.slice(0, -1).map((_, place) => ({ name: `y${place}`, shape: [] }));
  const graph = {
    format: "adjudge.graph.v1",
    inputs,
    environment: [],
    nodes: inner.map(([op, operands, attributes = {}]) => ({ op, attributes, parents: operands })),
  };
  const attributes = { graph, mode, of: inputs.length + inner.length - 1, wrt: 0 };
  const names = Object.keys(point);
  return {
    name: `${engine}_${name}`,
    note,
    engine,
    dtype,
    clause: "7.3",
    verdict: "disagrees",
    blames: "differentiate",
    inputs: Object.fromEntries(Object.entries(point).map(([input, x]) => [input, [[], [x]]])),
    nodes: [["differentiate", parents, attributes]],
    seeds: { [names.length]: [[], [1]] },
  };
}

/** Raises the first input to an exponent that is a tensor of this number. */
function powerOf(exponent: number): readonly NodeText[] {
  return [
    ["full", [], { shape: [], value: exponent }],
    ["pow", [0, 1]],
  ];
}

const saved = "what the gradient keeps of the result is constant to the second derivative";

/** Lists wrong second derivatives of engines whose first derivatives are right there. */
export const findingsOfNesting: readonly FindingText[] = [
  derivative(
    "tfjs",
    "float32",
    "captured_is_varied",
    "d/dy (y · x) at y = x is x; where both are one tensor it answers the derivative of x²",
    [["multiply", [0, 1]]],
    { x: 3, c: 1 },
    [0, 0, 1],
  ),
  ...(["exp", "sigmoid", "tanh"] as const).map((op) =>
    derivative(
      "tfjs",
      "float32",
      `second_derivative_of_${op}`,
      saved,
      [
        [op, [0]],
        ["multiply", [0, 1]],
      ],
      { x: 1, c: 1 },
      [0, 1],
    ),
  ),
  derivative(
    "jax",
    "float64",
    "hypot_second_derivative",
    "both operands are as large, and each is taken for half of the larger and half of the smaller",
    [["hypot", [0, 1]]],
    { x: 3, y: 3, c: 1 },
    [0, 1, 2],
  ),
  derivative(
    "autograd",
    "float64",
    "pow_mixed_derivative",
    "the derivative of xʸ by x is taken for y · x where y is 0, so that its derivative by y is x, not 1/x",
    [["pow", [0, 1]]],
    { x: 5, y: 0, c: 1 },
    [0, 1, 2],
  ),
  derivative(
    "pytorch",
    "float64",
    "pow_second_derivative_of_exponent_zero",
    "x⁰ is 1 for every x; its second derivative at 0 is computed as 0 · 0⁻²",
    powerOf(0),
    { x: 0, c: 1 },
    [0, 1],
  ),
  derivative(
    "pytorch",
    "float64",
    "pow_reverse_over_forward",
    "the exponent does not move, and its tangent of 0 meets the logarithm of a negative number",
    powerOf(2),
    { x: -2, t: 1 },
    [0, 1],
    "jvp",
  ),
  {
    name: "pytorch_jvp_at_broadcast",
    note: "forward mode at a tensor that was broadcast: the tangent is to be copied into memory laid out as the tensor's",
    engine: "pytorch",
    dtype: "float64",
    clause: "2.5",
    verdict: "crashed",
    inputs: { x: [[], [2]], t: [[2], [3, 5]] },
    nodes: [
      ["broadcast_to", [0], { shape: [2] }],
      [
        "differentiate",
        [2, 1],
        {
          graph: {
            format: "adjudge.graph.v1",
            inputs: [{ name: "y0", shape: [2] }],
            environment: [],
            nodes: [{ op: "sin", attributes: {}, parents: [0] }],
          },
          mode: "jvp",
          of: 1,
          wrt: 0,
        },
      ],
    ],
  },
];
