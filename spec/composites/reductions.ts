import type { Value } from "../construction/value.ts";
import { arrayApi, type SumAttributes, sums } from "../operators/index.ts";
import { type Shape, type ShapeFault, sizeOf } from "../shapes/index.ts";
import type { Composite } from "./composite.ts";
import { foldFront, inFront } from "./folds.ts";
import { faultOf } from "./refusals.ts";

/** The attributes of `var`: those of `sum`, and what is taken off the count. */
export interface VarAttributes extends SumAttributes {
  readonly correction: number;
}

/** A reduction's row says this; the rest is as in `sum`. */
type ReductionText = Pick<
  Composite<SumAttributes>,
  "smoothness" | "summary" | "domain" | "convention" | "source" | "expand"
>;

/** A row with the attributes of `sum`. */
function reduction(text: ReductionText): Composite<SumAttributes> {
  return {
    arity: 1,
    attributes: sums.sum.attributes,
    refuse: (attributes, operands) => faultOf(sums.sum.shape(attributes, operands, [])),
    example: { attributes: { axes: [1], keepdims: false }, operands: [[2, 3]] },
    ...text,
  };
}

/** A row of a reduction that has no value where there is nothing to reduce, and refuses that. */
function reductionOfSome(text: ReductionText): Composite<SumAttributes> {
  const row = reduction(text);
  return {
    ...row,
    refuse: (attributes, operands) =>
      faultOf(sums.sum.shape(attributes, operands, [])) ?? refuseNothing(attributes.axes, operands[0] ?? []),
  };
}

/** Refuses axes that hold no element. */
export function refuseNothing(axes: readonly number[], x: Shape): ShapeFault | undefined {
  if (countOf(x, axes) > 0) return undefined;
  return {
    code: "shape/empty",
    message: "there is no element along the axes, and of nothing none is the largest or the smallest.",
    hint: "reduce axes that are not empty, or concat a least value first",
  };
}

/** Counts the elements that go into one of the result. */
function countOf(x: Shape, axes: readonly number[]): number {
  return sizeOf(axes.map((axis) => x[axis] ?? 1));
}

/** A fold of the elements along the axes, which are not empty. */
function folded(x: Value, attributes: SumAttributes, join: (first: Value, second: Value) => Value): Value {
  const front = foldFront(inFront(x, attributes.axes), join);
  return front.reshape({ shape: reducedShape(x.shape, attributes) });
}

/** Returns the result's shape. */
function reducedShape(x: Shape, { axes, keepdims }: SumAttributes): Shape {
  if (keepdims) return x.map((extent, axis) => (axes.includes(axis) ? 1 : extent));
  return x.filter((_, axis) => !axes.includes(axis));
}

/** The sum over the count. Of nothing it is 0/0. */
export const mean: Composite<SumAttributes> = reduction({
  smoothness: "linear",
  summary: "the sum over the axes, divided by how many elements there are",
  domain: "where there is an element; of nothing it is 0/0",
  convention: "none needed",
  source: arrayApi("mean"),
  expand: (_scope, attributes, x) => x.sum(attributes).divide(countOf(x.shape, attributes.axes)),
});

/** Elements are multiplied in pairs, and never divided, so that zeros pull back what they should. */
export const prod: Composite<SumAttributes> = reduction({
  smoothness: "smooth",
  summary: "the product over the axes; 1 where there is nothing to multiply",
  domain: "everywhere, at zeros too: the derivative is the product of the others",
  convention: "none needed",
  source: arrayApi("prod"),
  expand: (scope, attributes, x) =>
    countOf(x.shape, attributes.axes) === 0
      ? scope.full({ shape: reducedShape(x.shape, attributes), value: 1 })
      : folded(x, attributes, (first, second) => first.multiply(second)),
});

/** A tournament of neighbours: at a tie the first goes through, and takes the cotangent. */
export const max: Composite<SumAttributes> = reductionOfSome({
  smoothness: "piecewise",
  summary: "the largest element over the axes",
  domain: "where there is an element",
  convention: "at a tie the whole cotangent goes to the first of the largest, in row-major order",
  source: arrayApi("max"),
  expand: (_scope, attributes, x) => folded(x, attributes, (first, second) => first.maximum(second)),
});

/** −max(−x): the same tournament. */
export const min: Composite<SumAttributes> = reductionOfSome({
  smoothness: "piecewise",
  summary: "the smallest element over the axes",
  domain: "where there is an element",
  convention: "at a tie the whole cotangent goes to the first of the smallest, in row-major order",
  source: arrayApi("min"),
  expand: (_scope, attributes, x) => x.negative().max(attributes).negative(),
});

/** Two passes: the deviations first, so that a large mean costs no digits. */
export const variance: Composite<VarAttributes> = {
  arity: 1,
  attributes: {
    ...sums.sum.attributes,
    correction: { type: "number", minimum: 0, maximum: Number.MAX_VALUE },
  },
  smoothness: "smooth",
  summary: "the sum over the axes of the squared deviations from the mean, divided by count − correction",
  domain: "where the correction is less than the count; else a division by 0",
  convention: "none needed",
  source: arrayApi("var"),
  refuse: (attributes, operands) => faultOf(sums.sum.shape(attributes, operands, [])),
  example: { attributes: { axes: [1], keepdims: false, correction: 1 }, operands: [[2, 3]] },
  expand: (scope, { axes, keepdims, correction }, x) => {
    const count = countOf(x.shape, axes);
    const deviation = x.subtract(x.mean({ axes, keepdims: true }));
    const total = deviation.multiply(deviation).sum({ axes, keepdims });
    // Not subtracted here: the difference need not be a float.
    const freedom = scope.full({ shape: [], value: count }).subtract(correction);
    return total.divide(count > correction ? freedom : 0);
  },
};

/** log Σ eˣ, with the largest element taken out of the exponents. */
export const logsumexp: Composite<SumAttributes> = reduction({
  smoothness: "smooth",
  summary: "the logarithm of the sum over the axes of the exponentials",
  domain: "everywhere; of nothing it is log 0",
  convention: "none needed: the largest element, which is taken out and put back, is not differentiated",
  source: "https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.logsumexp.html",
  expand: (_scope, { axes, keepdims }, x) => {
    if (countOf(x.shape, axes) === 0) return x.exp().sum({ axes, keepdims }).log();
    const largest = x.max({ axes, keepdims: true }).stop_gradient();
    const rest = x.subtract(largest).exp().sum({ axes, keepdims }).log();
    return rest.add(largest.reshape({ shape: rest.shape }));
  },
});

/** The Euclidean length. */
export const norm: Composite<SumAttributes> = reduction({
  smoothness: "smooth",
  summary: "the square root of the sum over the axes of the squares",
  domain: "everywhere; not differentiable where all elements are 0",
  convention:
    "none: where all elements are 0 the derivative is infinity times 0, which has no value; an engine may hand on a subgradient, which is no larger than the cotangent, or NaN",
  source: arrayApi("linalg.vector_norm"),
  expand: (_scope, attributes, x) => x.multiply(x).sum(attributes).sqrt(),
});
