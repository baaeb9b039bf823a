import type { Scope, Value } from "../construction/value.ts";
import { onnx } from "../operators/index.ts";
import { type Shape, type ShapeFault, sizeOf } from "../shapes/index.ts";
import type { Composite } from "./composite.ts";
import {
  type Padding,
  padded,
  paddingSchema,
  refuseSpatial,
  refuseWindows,
  spatialSchema,
  type Windows,
  windowCounts,
  windowElements,
} from "./windows.ts";

/** One entry for each spatial axis. */
export interface MaxPoolAttributes {
  readonly window: Shape;
  readonly strides: readonly number[];
  readonly padding: Padding;
}

function windowsOf({ window, strides, padding }: MaxPoolAttributes): Windows {
  return { window, strides, padding, dilations: window.map(() => 1) };
}

function refusePool({ window, strides, padding }: MaxPoolAttributes, x: Shape): ShapeFault | undefined {
  const spatial = refuseSpatial(x, { window, strides, padding });
  if (spatial !== undefined) return spatial;
  if (x.slice(2).includes(0)) {
    return {
      code: "shape/window",
      message: "an axis of extent 0 has nothing to put into a window.",
      hint: "pool tensors with elements",
    };
  }
  if (padding.some((sides, axis) => Math.max(...sides) >= (window[axis] ?? 1))) {
    return {
      code: "shape/window",
      message: "the padding is not smaller than the window, so a window would hold nothing of x.",
      hint: "pad each side of an axis by less than the window's extent",
    };
  }
  return refuseWindows(x.slice(2), windowsOf({ window, strides, padding }));
}

/** Returns 1 at each element of `x`, one batch and one channel of it, and 0 around. */
function presence(scope: Scope, x: Value, padding: Padding): Value {
  return padded(scope.full({ shape: [1, 1, ...x.shape.slice(2)], value: 1 }), padding);
}

/** Returns `x` padded with a number below all its elements, −(2 max|x| + 1), which no cotangent reaches. */
function paddedBelow(scope: Scope, x: Value, padding: Padding): Value {
  const wide = padded(x, padding);
  if (wide === x || sizeOf(x.shape) === 0) return wide;
  const sizes = x.stop_gradient().abs();
  const below = sizes
    .max({ axes: x.shape.map((_, axis) => axis), keepdims: true })
    .multiply(-2)
    .subtract(1);
  return presence(scope, x, padding).where(wide, below);
}

export const maxPool: Composite<MaxPoolAttributes> = {
  arity: 1,
  attributes: { window: spatialSchema, strides: spatialSchema, padding: paddingSchema },
  smoothness: "piecewise",
  summary: "the greatest element of each window of x [N, C, ...spatial]; padding is never it",
  domain: "everywhere; padding is smaller than the window",
  convention: "at a tie the whole cotangent goes to the first in row-major order of the window",
  source: onnx("MaxPool"),
  refuse: (attributes, [x = []]) => refusePool(attributes, x),
  expand(scope, attributes, x: Value) {
    const windows = windowsOf(attributes);
    const counts = windowCounts(x.shape.slice(2), windows);
    const elements = windowElements(paddedBelow(scope, x, attributes.padding), windows, counts);
    return elements.max({ axes: [1], keepdims: false });
  },
  example: { attributes: { window: [2], strides: [2], padding: [[1, 0]] }, operands: [[1, 2, 3]] },
};

/** The attributes are those of a maximum; padding may count as elements of the window, which are 0. */
export interface AvgPoolAttributes extends MaxPoolAttributes {
  readonly count_include_pad: boolean;
}

export const avgPool: Composite<AvgPoolAttributes> = {
  arity: 1,
  attributes: { ...maxPool.attributes, count_include_pad: { type: "boolean" } },
  smoothness: "linear",
  summary:
    "the sum of each window of x [N, C, ...spatial], by the count of its elements: of all, or of those that are not padding",
  domain: "everywhere; padding is smaller than the window",
  convention: "none needed",
  source: onnx("AveragePool"),
  refuse: (attributes, [x = []]) => refusePool(attributes, x),
  expand(scope, attributes, x: Value) {
    const { padding, window, count_include_pad } = attributes;
    const windows = windowsOf(attributes);
    const counts = windowCounts(x.shape.slice(2), windows);
    const totals = (y: Value): Value =>
      windowElements(y, windows, counts).sum({ axes: [1], keepdims: false });
    const total = totals(padded(x, padding));
    return total.divide(count_include_pad ? sizeOf(window) : totals(presence(scope, x, padding)));
  },
  example: {
    attributes: { window: [2], strides: [1], padding: [[1, 0]], count_include_pad: false },
    operands: [[1, 2, 3]],
  },
};
