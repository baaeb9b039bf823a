import type { Value } from "../construction/value.ts";
import { axisSchema, onnx } from "../operators/index.ts";
import type { Shape, ShapeFault } from "../shapes/index.ts";
import type { Composite } from "./composite.ts";
import { refuseAxis } from "./refusals.ts";

/** The axis along which there are the choices. */
export interface SoftmaxAttributes {
  readonly axis: number;
}

function refuse({ axis }: SoftmaxAttributes, [x = []]: readonly Shape[]): ShapeFault | undefined {
  return refuseAxis(axis, x);
}

/**
 * `x` less its greatest element along the axis, which changes neither softmax nor its derivatives. So it is
 * held fixed, no exponent is above 0, and one is 0. An axis of extent 0 has nothing to subtract.
 */
function lowered(x: Value, axis: number): Value {
  if (x.shape[axis] === 0) return x;
  return x.subtract(x.max({ axes: [axis], keepdims: true }).stop_gradient());
}

export const softmax: Composite<SoftmaxAttributes> = {
  arity: 1,
  attributes: { axis: axisSchema },
  smoothness: "smooth",
  summary: "eˣ by the sum of eˣ along the axis",
  domain: "everywhere",
  convention: "none needed",
  source: onnx("Softmax"),
  refuse,
  expand(_scope, { axis }, x: Value) {
    const powers = lowered(x, axis).exp();
    return powers.divide(powers.sum({ axes: [axis], keepdims: true }));
  },
  example: { attributes: { axis: 1 }, operands: [[2, 3]] },
};

export const logSoftmax: Composite<SoftmaxAttributes> = {
  arity: 1,
  attributes: { axis: axisSchema },
  smoothness: "smooth",
  summary: "x less the logarithm of the sum of eˣ along the axis",
  domain: "everywhere",
  convention: "none needed",
  source: onnx("LogSoftmax"),
  refuse,
  expand(_scope, { axis }, x: Value) {
    const low = lowered(x, axis);
    return low.subtract(
      low
        .exp()
        .sum({ axes: [axis], keepdims: true })
        .log(),
    );
  },
  example: { attributes: { axis: 1 }, operands: [[2, 3]] },
};
