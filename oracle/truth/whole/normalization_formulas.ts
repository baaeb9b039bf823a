import type { Scope, Value } from "../../../spec/builder/index.ts";
import { present } from "../../../spec/shapes/index.ts";
import type { Known, WholeAlgorithm } from "./algorithm.ts";
import { countAlong } from "./backward_errors.ts";

/** A layout says which elements a mean and a variance are of, and where scale and offset belong. */
interface Layout {
  /** It is `x`, or a reshaped one, of which these axes are reduced. */
  readonly grouped: Value;
  readonly axes: readonly number[];
  /** Gives a scale or an offset the rank of x, with extents of 1. */
  along(y: Value): Value;
}

/** Statistics are a mean and the reciprocal of a root of a variance, at every element of x. */
interface Statistics {
  readonly mean: Value;
  readonly reciprocal: Value;
  /** Returns the mean of another tensor over the same elements. */
  meanOf(y: Value): Value;
  /** Returns its sum. */
  sumOf(y: Value): Value;
}

function statisticsOf(scope: Scope, x: Value, { grouped, axes }: Layout, epsilon: number): Statistics {
  const over = (y: Value): Value => y.broadcast_to({ shape: grouped.shape }).reshape({ shape: x.shape });
  const variance = grouped.var({ axes, keepdims: true, correction: 0 });
  return {
    mean: over(grouped.mean({ axes, keepdims: true })),
    reciprocal: over(scope.divide(1, variance.add(epsilon).sqrt())),
    meanOf: (y) => over(y.reshape({ shape: grouped.shape }).mean({ axes, keepdims: true })),
    sumOf: (y) => over(y.reshape({ shape: grouped.shape }).sum({ axes, keepdims: true })),
  };
}

/** Sums `y` to the shape of an operand that was spread out. */
function summedTo(y: Value, { shape }: Value, spread: Value): Value {
  const axes = y.shape.flatMap((extent, axis) => (extent !== (spread.shape[axis] ?? 1) ? [axis] : []));
  return y.sum({ axes, keepdims: true }).reshape({ shape });
}

/**
 * Returns `y` with the roundings of a product of it: it is a third of `y`, times 3. An engine that computes
 * x a − m a for (x − m) a multiplies twice by one `a`. So the error of `a` is that of a factor of the
 * difference, and only the roundings of the two products are not.
 */
function asProduct(y: Value): Value {
  return y.multiply(1 / 3).divide(1 / 3);
}

/**
 * Returns a normalisation as one multiplication and one addition for each element, x a + (b − m a) with a =
 * γ/σ, and derivatives from m, 1/σ and 1/σ³, where Σ γ c x is summed before the mean is taken off. Variance
 * and mean are composites, and may be running ones. Source: `LayerNormKernelImpl` and
 * `LayerNormBackwardKernelImpl` in
 * https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/cpu/layer_norm_kernel.cpp
 */
export function normalizationFormulas<A extends { readonly epsilon: number }>(
  layout: (attributes: A, x: Value) => Layout,
): Pick<WholeAlgorithm<A>, "value" | "tangent" | "cotangents"> {
  const read = (scope: Scope, attributes: A, operands: readonly Value[]): Read => {
    const [x, scale, offset] = operands.map((operand) => present(operand, "an operand"));
    if (x === undefined || scale === undefined || offset === undefined) throw new Error("three operands");
    const laid = layout(attributes, x);
    const known = statisticsOf(scope, x, laid, attributes.epsilon);
    const { mean, reciprocal } = known;
    const deviation = asProduct(x).subtract(asProduct(mean));
    const count = countAlong(laid.grouped.shape, laid.axes);
    const cubed = reciprocal.multiply(reciprocal).multiply(reciprocal).divide(count);
    return { ...known, x, scale, offset, laid, deviation, cubed };
  };
  return {
    value(scope, attributes, operands) {
      const { scale, offset, deviation, reciprocal, laid } = read(scope, attributes, operands);
      const a = reciprocal.multiply(laid.along(scale));
      return deviation.multiply(a).add(asProduct(laid.along(offset)));
    },
    tangent(scope, attributes, { operands }: Known, tangents) {
      const { scale, reciprocal, deviation, cubed, meanOf, sumOf, laid } = read(scope, attributes, operands);
      const [xDot, scaleDot, offsetDot] = tangents;
      const along = present(xDot, "a tangent");
      const projected = sumOf(deviation.multiply(along)).multiply(cubed);
      const straight = along.subtract(meanOf(along)).multiply(reciprocal);
      return straight
        .subtract(deviation.multiply(projected))
        .multiply(laid.along(scale))
        .add(deviation.multiply(reciprocal).multiply(laid.along(present(scaleDot, "a tangent"))))
        .add(laid.along(present(offsetDot, "a tangent")));
    },
    cotangents(scope, attributes, { operands }, c) {
      const { x, scale, offset, mean, reciprocal, deviation, cubed, meanOf, sumOf, laid } = read(
        scope,
        attributes,
        operands,
      );
      const g = c.multiply(laid.along(scale));
      const projected = sumOf(g.multiply(x)).subtract(sumOf(g).multiply(mean)).multiply(cubed);
      const straight = g.subtract(meanOf(g)).multiply(reciprocal);
      const xBar = straight.subtract(deviation.multiply(projected));
      return [
        xBar,
        summedTo(c.multiply(deviation).multiply(reciprocal), scale, laid.along(scale)),
        summedTo(c, offset, laid.along(offset)),
      ];
    },
  };
}

interface Read extends Statistics {
  readonly x: Value;
  readonly scale: Value;
  readonly offset: Value;
  readonly laid: Layout;
  /** It is x less its mean, each rounded as a product of it. */
  readonly deviation: Value;
  /** It is 1/(n σ³), which underflows long before 1/σ does. */
  readonly cubed: Value;
}
