import type { Value } from "../construction/value.ts";
import { type AttributeSchema, axesSchema, axisSchema, onnx } from "../operators/index.ts";
import { formatShape, isSameShape, type Shape, type ShapeFault } from "../shapes/index.ts";
import type { Composite } from "./composite.ts";
import { refuseAxis } from "./refusals.ts";
import { groupsSchema } from "./windows.ts";

export const epsilonSchema: AttributeSchema = { type: "number", minimum: 0, maximum: Number.MAX_VALUE };

/** `x` less its mean over the axes, by the root of its biased variance and epsilon. */
function normalized(x: Value, axes: readonly number[], epsilon: number): Value {
  const centred = x.subtract(x.mean({ axes, keepdims: true }));
  const variance = centred.square().mean({ axes, keepdims: true });
  return centred.divide(variance.add(epsilon).sqrt());
}

/** `y` with axes of extent 1 wherever `x` has an axis that is not among the ascending `axes`. */
function along(y: Value, x: Value, axes: readonly number[]): Value {
  return y.reshape({ shape: x.shape.map((extent, axis) => (axes.includes(axis) ? extent : 1)) });
}

/** Returns a fault if one of `operands` has not the extents that `x` has along `axes`. */
function refuseStatistics(
  x: Shape,
  axes: readonly number[],
  operands: readonly Shape[],
): ShapeFault | undefined {
  const missing = axes.find((axis) => axis >= x.length);
  if (missing !== undefined) return refuseAxis(missing, x);
  const expected = axes.map((axis) => x[axis] ?? 0);
  const odd = operands.find((shape) => !isSameShape(shape, expected));
  if (odd === undefined) return undefined;
  return {
    code: "shape/mismatch",
    message: `an operand beside x has shape ${formatShape(odd)}, not ${formatShape(expected)}.`,
    hint: "it has an element for each index of x along the axes that it belongs to",
  };
}

/** Returns a fault if one of the axes of `x` over which a mean is taken is empty. */
function refuseEmpty(x: Shape, axes: readonly number[]): ShapeFault | undefined {
  if (axes.every((axis) => x[axis] !== 0)) return undefined;
  return {
    code: "shape/empty",
    message: `there is nothing to take a mean of in ${formatShape(x)}.`,
    hint: "the axes that are normalised over have extents of at least 1",
  };
}

function ascending(axes: readonly number[]): number[] {
  return axes.toSorted((a, b) => a - b);
}

/** The axes that are normalised over, and what is added to the variance. */
export interface LayerNormAttributes {
  readonly axes: readonly number[];
  readonly epsilon: number;
}

export const layerNorm: Composite<LayerNormAttributes> = {
  arity: 3,
  attributes: { axes: axesSchema, epsilon: epsilonSchema },
  smoothness: "smooth",
  summary:
    "x less its mean over the axes, by the root of its variance and ε, times scale, plus offset; these have x's extents along the axes, in ascending order",
  domain: "no value where ε and the variance are 0",
  convention: "none needed",
  source: onnx("LayerNormalization"),
  refuse({ axes }, [x = [], ...operands]) {
    if (new Set(axes).size === axes.length) {
      return refuseStatistics(x, ascending(axes), operands) ?? refuseEmpty(x, axes);
    }
    return { code: "shape/axis-twice", message: "an axis is named twice.", hint: "name each axis once" };
  },
  expand(_scope, { axes, epsilon }, x: Value, scale: Value, offset: Value) {
    const order = ascending(axes);
    const factors = along(scale, x, order);
    return normalized(x, order, epsilon)
      .multiply(factors)
      .add(along(offset, x, order));
  },
  example: { attributes: { axes: [1], epsilon: 0.125 }, operands: [[2, 3], [3], [3]] },
};

/** The channels' axis, and what is added to the variance. */
export interface BatchNormAttributes {
  readonly axis: number;
  readonly epsilon: number;
}

function axesBut(axis: number, { shape }: Value): number[] {
  return shape.flatMap((_, other) => (other === axis ? [] : [other]));
}

export const batchNormTrain: Composite<BatchNormAttributes> = {
  arity: 3,
  attributes: { axis: axisSchema, epsilon: epsilonSchema },
  smoothness: "smooth",
  summary:
    "x less its mean over all axes but one, by the root of its biased variance and ε, times scale, plus offset; these have an element for each channel",
  domain: "no value where ε and the variance are 0",
  convention: "none needed; mean and variance are differentiated",
  source: onnx("BatchNormalization"),
  refuse({ axis }, [x = [], ...operands]) {
    const others = x.flatMap((_, other) => (other === axis ? [] : [other]));
    return refuseStatistics(x, [axis], operands) ?? refuseEmpty(x, others);
  },
  expand(_scope, { axis, epsilon }, x: Value, scale: Value, offset: Value) {
    const factors = along(scale, x, [axis]);
    return normalized(x, axesBut(axis, x), epsilon)
      .multiply(factors)
      .add(along(offset, x, [axis]));
  },
  example: { attributes: { axis: 1, epsilon: 0.125 }, operands: [[3, 2], [2], [2]] },
};

export const batchNormEval: Composite<BatchNormAttributes> = {
  arity: 5,
  attributes: { axis: axisSchema, epsilon: epsilonSchema },
  smoothness: "smooth",
  summary:
    "x less mean, by the root of variance and ε, times scale, plus offset: operands x, scale, offset, mean, variance, with an element for each channel",
  domain: "variance + ε > 0",
  convention: "none needed",
  source: onnx("BatchNormalization"),
  refuse: ({ axis }, [x = [], ...operands]) => refuseStatistics(x, [axis], operands),
  expand(_scope, { axis, epsilon }, x: Value, scale: Value, offset: Value, mean: Value, variance: Value) {
    const deviation = along(variance.add(epsilon).sqrt(), x, [axis]);
    const standard = x.subtract(along(mean, x, [axis])).divide(deviation);
    return standard.multiply(along(scale, x, [axis])).add(along(offset, x, [axis]));
  },
  example: { attributes: { axis: 1, epsilon: 0.125 }, operands: [[3, 2], [2], [2], [2], [2]] },
};

/** The channels come in so many groups, and ε is added to the variance. */
export interface GroupNormAttributes {
  readonly groups: number;
  readonly epsilon: number;
}

export const groupNorm: Composite<GroupNormAttributes> = {
  arity: 3,
  attributes: { groups: groupsSchema, epsilon: epsilonSchema },
  smoothness: "smooth",
  summary:
    "x [N, C, ...] less its mean over each group of channels, by the root of its variance and ε, times scale [C], plus offset [C]",
  domain: "no value where ε and the variance are 0",
  convention: "none needed",
  source: onnx("GroupNormalization"),
  refuse({ groups }, [x = [], ...operands]) {
    const [, channels = 0] = x;
    const odd = refuseStatistics(x, [1], operands);
    if (odd !== undefined || channels % groups === 0)
      return (
        odd ??
        refuseEmpty(
          x.slice(1),
          x.slice(1).map((_, axis) => axis),
        )
      );
    return {
      code: "shape/channels",
      message: `${channels} channels do not divide into ${groups} groups.`,
      hint: "the number of groups divides that of channels",
    };
  },
  expand(_scope, { groups, epsilon }, x: Value, scale: Value, offset: Value) {
    const [batch = 0, channels = 0, ...rest] = x.shape;
    const grouped = x.reshape({ shape: [batch, groups, channels / groups, ...rest] });
    const axes = grouped.shape.map((_, axis) => axis).slice(2);
    const standard = normalized(grouped, axes, epsilon).reshape({ shape: x.shape });
    return standard.multiply(along(scale, x, [1])).add(along(offset, x, [1]));
  },
  example: { attributes: { groups: 2, epsilon: 0.125 }, operands: [[1, 4, 2], [4], [4]] },
};
