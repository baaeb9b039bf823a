import { type Algorithm, type Float, item, type Row, rowAt } from "./algorithm.ts";

function elementwise(
  composite: "sigmoid" | "silu",
  name: string,
  source: string,
  f: (float: Float, x: number) => { readonly value: number; readonly slope: number },
): Algorithm {
  return {
    composite,
    name,
    source,
    answer(float, { operands, tangents, cotangent }) {
      const all = rowAt(operands, 0).map((x) => f(float, x));
      const times = (v: Row): Row => all.map(({ slope }, i) => float.multiply(slope, item(v, i)));
      return {
        value: all.map(({ value }) => value),
        tangent: times(rowAt(tangents, 0)),
        cotangents: [times(cotangent)],
      };
    },
  };
}

const logistic = ({ add, divide, exp }: Float, x: number): number => divide(1, add(1, exp(-x)));

const derivatives = "https://github.com/pytorch/pytorch/blob/main/tools/autograd/derivatives.yaml";

export const sigmoids: readonly Algorithm[] = [
  elementwise("sigmoid", "slope σ(1 − σ)", `${derivatives}, sigmoid_backward`, (float, x) => {
    const value = logistic(float, x);
    return { value, slope: float.multiply(value, float.subtract(1, value)) };
  }),
  elementwise("sigmoid", "slope e⁻ˣ σ²", "https://onnx.ai/onnx/operators/onnx__Sigmoid.html", (float, x) => {
    const value = logistic(float, x);
    const tail = logistic(float, -x);
    return { value, slope: float.multiply(value, tail) };
  }),
  elementwise("silu", "slope σ(1 + x(1 − σ))", `${derivatives}, silu_backward`, (float, x) => {
    const { add, subtract, multiply } = float;
    const s = logistic(float, x);
    return { value: multiply(x, s), slope: multiply(s, add(1, multiply(x, subtract(1, s)))) };
  }),
  elementwise("silu", "slope σ + y(1 − σ)", "https://arxiv.org/abs/1702.03118, (5)", (float, x) => {
    const { add, subtract, multiply } = float;
    const s = logistic(float, x);
    const value = multiply(x, s);
    return { value, slope: add(s, multiply(value, subtract(1, s))) };
  }),
];

export const wrongSigmoids: readonly Algorithm[] = [
  elementwise("sigmoid", "half of 1 + tanh of x", "planted", (_float, x) => {
    const value = (1 + Math.tanh(x)) / 2;
    return { value, slope: value * (1 - value) };
  }),
  elementwise("silu", "slope σ(1 + x σ)", "planted", (float, x) => {
    const { add, multiply } = float;
    const s = logistic(float, x);
    return { value: multiply(x, s), slope: multiply(s, add(1, multiply(x, s))) };
  }),
];
