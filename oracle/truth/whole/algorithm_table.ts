import type { Scope, Value } from "../../../spec/builder/index.ts";
import type { CompositeAttributes, CompositeName } from "../../../spec/composites/index.ts";
import type { NodeOf } from "../../../spec/graph/index.ts";
import { present, type Shape } from "../../../spec/shapes/index.ts";
import type { Standard } from "../standard/index.ts";
import type { Known, WholeAlgorithm } from "./algorithm.ts";
import { attentionFormulas } from "./attention_formulas.ts";
import {
  type BackwardError,
  byDiagonal,
  countAlong,
  relative,
  relativeValues,
  rescaled,
  runningMean,
  runningScale,
  runningVariance,
} from "./backward_errors.ts";
import {
  choleskyCotangent,
  choleskyTangent,
  inverseCotangent,
  inverseTangent,
  systemCotangents,
  systemTangent,
} from "./matrix_formulas.ts";
import { normalizationFormulas } from "./normalization_formulas.ts";
import type { Product } from "./partial_products.ts";

/** This is the algorithm of one application: of a composite with its attributes. */
export interface AppliedAlgorithm {
  backwardErrors?(shapes: readonly Shape[], standard: Standard): readonly (BackwardError | undefined)[];
  lost?(standard: Standard): number;
  readonly product?: Product;
  isSingular?(place: number, mayBeZero: boolean): boolean;
  value?(scope: Scope, operands: readonly Value[]): Value;
  tangent?(scope: Scope, known: Known, tangents: readonly Value[]): Value;
  cotangents?(scope: Scope, known: Known, cotangent: Value): readonly (Value | undefined)[];
}

/** Gives a scale or an offset the rank of `x`, with extents of 1 along all axes but `axes`. */
function along(x: Value, axes: readonly number[]): (y: Value) => Value {
  return (y) => y.reshape({ shape: x.shape.map((extent, axis) => (axes.includes(axis) ? extent : 1)) });
}

function ascending(axes: readonly number[]): number[] {
  return axes.toSorted((a, b) => a - b);
}

/** Spreads what was reduced along the axes to every element that it was reduced from. */
function spread(x: Value, like: Value, axes: readonly number[]): Value {
  const shape = like.shape.map((extent, axis) => (axes.includes(axis) ? 1 : extent));
  return x.reshape({ shape }).broadcast_to({ shape: like.shape });
}

function sumAlong(x: Value, axis: number): Value {
  return x.sum({ axes: [axis], keepdims: true });
}

function first<T>(values: readonly T[]): T {
  return present(values[0], "an operand");
}

function second<T>(values: readonly T[]): T {
  return present(values[1], "a second operand");
}

/** Returns derivatives by one operand that are a slope times what comes along or back. */
function bySlope<A>(slope: (scope: Scope, x: Value, value: Value) => Value): WholeAlgorithm<A> {
  return {
    tangent: (scope, _attributes, { operands, value }, [xDot]) =>
      slope(scope, first(operands), value).multiply(present(xDot, "a tangent")),
    cotangents: (scope, _attributes, { operands, value }, c) => [
      slope(scope, first(operands), value).multiply(c),
    ],
  };
}

/** Returns c y / x, where y is a product of x and others; at x = 0 it is no number, and does not count. */
function dividedOut(y: Value, c: Value, x: Value): Value {
  return y.multiply(c).divide(x);
}

const table: { readonly [K in CompositeName]?: WholeAlgorithm<CompositeAttributes[K]> } = {
  // The value is 1/(1 + e⁻ˣ), which is 0 where e⁻ˣ overflows; the slope is σ(1 − σ).
  sigmoid: {
    ...bySlope((scope, _x, value) => value.multiply(scope.subtract(1, value))),
    isFromValue: true,
    lost: ({ largest, unitRoundoff }) => (1 + 16 * unitRoundoff) / largest,
  },
  // The slope is σ(1 + x(1 − σ)).
  silu: bySlope((scope, x) => {
    const s = x.sigmoid();
    return s.multiply(x.multiply(scope.subtract(1, s)).add(1));
  }),
  // The slopes are eˣ⁻ˡ, where l is the value.
  logaddexp: {
    tangent: (_scope, _attributes, { operands: [x, y], value }, [xDot, yDot]) =>
      present(x, "x")
        .subtract(value)
        .exp()
        .multiply(present(xDot, "a tangent"))
        .add(present(y, "y").subtract(value).exp().multiply(present(yDot, "a tangent"))),
    cotangents: (_scope, _attributes, { operands, value }, c) =>
      operands.map((operand) => operand.subtract(value).exp().multiply(c)),
  },
  logsumexp: {
    backwardErrors: ({ axes }, _shapes, standard) => [rescaled(axes, standard)],
    tangent: (_scope, { axes, keepdims }, { operands, value }, [xDot]) => {
      const x = first(operands);
      return x
        .subtract(spread(value, x, axes))
        .exp()
        .multiply(present(xDot, "a tangent"))
        .sum({ axes, keepdims });
    },
    cotangents: (_scope, { axes }, { operands, value }, c) => {
      const x = first(operands);
      return [
        x
          .subtract(spread(value, x, axes))
          .exp()
          .multiply(spread(c, x, axes)),
      ];
    },
  },
  softmax: {
    backwardErrors: ({ axis }, _shapes, standard) => [rescaled([axis], standard)],
    value: (_scope, { axis }, operands) => {
      const x = first(operands);
      return x.subtract(x.logsumexp({ axes: [axis], keepdims: true })).exp();
    },
    tangent: (_scope, { axis }, { value }, [xDot]) => {
      const along = present(xDot, "a tangent");
      return value.multiply(along.subtract(sumAlong(value.multiply(along), axis)));
    },
    cotangents: (_scope, { axis }, { value }, c) => [
      value.multiply(c.subtract(sumAlong(value.multiply(c), axis))),
    ],
  },
  log_softmax: {
    backwardErrors: ({ axis }, _shapes, standard) => [rescaled([axis], standard)],
    value: (_scope, { axis }, operands) => {
      const x = first(operands);
      return x.subtract(x.logsumexp({ axes: [axis], keepdims: true }));
    },
    tangent: (_scope, { axis }, { value }, [xDot]) => {
      const along = present(xDot, "a tangent");
      return along.subtract(sumAlong(value.exp().multiply(along), axis));
    },
    cotangents: (_scope, { axis }, { value }, c) => [c.subtract(value.exp().multiply(sumAlong(c, axis)))],
  },
  scaled_dot_product_attention: attentionFormulas,
  layer_norm: {
    ...normalizationFormulas(({ axes }, x) => {
      const order = ascending(axes);
      return { grouped: x, axes: order, along: along(x, order) };
    }),
  },
  batch_norm_train: {
    ...normalizationFormulas(({ axis }, x) => {
      const axes = x.shape.flatMap((_, other) => (other === axis ? [] : [other]));
      return { grouped: x, axes, along: along(x, [axis]) };
    }),
  },
  // The value is x a + (b − m a), where both products are by one a = γ/√(v + ε), and each step rounds.
  batch_norm_eval: {
    backwardErrors: () => [relative(2), undefined, relative(2), relative(3), undefined],
  },
  group_norm: {
    ...normalizationFormulas(({ groups }, x) => {
      const [batch = 0, channels = 0, ...rest] = x.shape;
      const grouped = x.reshape({ shape: [batch, groups, channels / groups, ...rest] });
      return { grouped, axes: [...grouped.shape.keys()].slice(2), along: along(x, [1]) };
    }),
  },
  // The value is the mean of (1 − y) x − ln σ(x) (PyTorch).
  bce_with_logits: {
    value: (scope, _attributes, operands) => {
      const [x, y] = [first(operands), second(operands)];
      const tail = x.negative().maximum(0).add(x.abs().negative().exp().log1p());
      return scope
        .subtract(1, y)
        .multiply(x)
        .add(tail)
        .mean({ axes: x.shape.map((_, axis) => axis), keepdims: false });
    },
  },
  // The value is `xlogy(y, y) − y x` (PyTorch). The slope of y ln y at 0 is −∞, 0 if masked, NaN if it meets
  // a 0.
  kl_div: {
    isSingular: (place, mayBeZero) => place === 1 && mayBeZero,
    value: (_scope, _attributes, operands) => {
      const [x, y] = [first(operands), second(operands)];
      const isAbsent = y.equal(0);
      const filled = isAbsent.where(1, y);
      const entropy = isAbsent.where(0, filled.multiply(filled.log()));
      return entropy.subtract(y.multiply(x)).mean({ axes: x.shape.map((_, axis) => axis), keepdims: false });
    },
  },
  mean: { backwardErrors: ({ axes }, [x]) => [runningMean(axes, countAlong(x, axes))] },
  prod: {
    multiplies: ({ axes }) => ({ axes, isRunning: false }),
    cotangents: (_scope, { axes }, { operands, value }, c) => {
      const x = first(operands);
      return [dividedOut(spread(value, x, axes), spread(c, x, axes), x)];
    },
  },
  var: {
    backwardErrors: ({ axes }, [x]) => [runningVariance(axes, countAlong(x, axes))],
    // The tangent is 2 Σ d ẋ / (n − c): the tangents' mean is not taken off, since Σ d is 0.
    tangent: (scope, { axes, keepdims, correction }, { operands }, [xDot]) => {
      const x = first(operands);
      const deviation = x.subtract(x.mean({ axes, keepdims: true }));
      const freedom = scope.full({ shape: [], value: countAlong(x.shape, axes) }).subtract(correction);
      const total = deviation.multiply(present(xDot, "a tangent")).sum({ axes, keepdims });
      return total.multiply(2).divide(freedom);
    },
  },
  norm: { backwardErrors: ({ axes }) => [runningScale(axes)] },
  cumulative_prod: {
    multiplies: ({ axis }) => ({ axes: [axis], isRunning: true }),
    tangent: (_scope, { axis }, { operands, value }, [xDot]) => {
      const shares = present(xDot, "a tangent").divide(first(operands));
      return value.multiply(shares.cumulative_sum({ axis }));
    },
    cotangents: (_scope, { axis }, { operands, value }, c) => {
      const x = first(operands);
      const from = value.multiply(c).flip({ axes: [axis] });
      return [
        from
          .cumulative_sum({ axis })
          .flip({ axes: [axis] })
          .divide(x),
      ];
    },
  },
  inv: {
    tangent: (_scope, _attributes, { value }, [aDot]) => inverseTangent(value, present(aDot, "a tangent")),
    cotangents: (_scope, _attributes, { value }, c) => [inverseCotangent(value, c)],
  },
  // Higham, Theorems 10.3 and 10.4, has n + 1 units; one more is for half of A + Aᵀ, one for reciprocals.
  cholesky: {
    backwardErrors: (_attributes, [a = []]) => [byDiagonal((a.at(-1) ?? 0) + 3)],
    tangent: (_scope, { upper }, { value }, [aDot]) =>
      choleskyTangent(value, upper, present(aDot, "a tangent")),
    cotangents: (_scope, { upper }, { value }, c) => [choleskyCotangent(value, upper, c)],
  },
  // Higham, Theorem 8.5, has n units; one more is for reciprocals.
  triangular_solve: {
    backwardErrors: (_attributes, [a = []]) => [relativeValues((a.at(-1) ?? 0) + 1), undefined],
    tangent: (_scope, { upper }, { operands, value }, [aDot, bDot]) =>
      systemTangent(
        first(operands),
        value,
        upper,
        present(aDot, "a tangent"),
        present(bDot, "a second tangent"),
      ),
    cotangents: (_scope, { upper }, { operands, value }, c) =>
      systemCotangents(first(operands), value, upper, c),
  },
};

/** Tells whether a composite's slope may be taken from its value. */
export function takesSlopeFromValue(name: CompositeName): boolean {
  return table[name]?.isFromValue === true;
}

/**
 * Returns the algorithm that an engine of a standard may compute a composite by; `undefined` if none is known
 * to err more.
 */
export function algorithmOf<K extends CompositeName>(
  { op, attributes }: NodeOf<K>,
  { slopes }: Pick<Standard, "slopes">,
): AppliedAlgorithm | undefined {
  const algorithm: WholeAlgorithm<CompositeAttributes[K]> | undefined = table[op];
  if (algorithm === undefined) return undefined;
  const { isFromValue = false, ...all } = algorithm;
  const { backwardErrors, lost, isSingular, multiplies, value } = all;
  const { tangent, cotangents } = isFromValue && slopes === "accurate" ? {} : all;
  return {
    ...(backwardErrors && { backwardErrors: (...rest) => backwardErrors(attributes, ...rest) }),
    ...(lost && { lost }),
    ...(multiplies && { product: multiplies(attributes) }),
    ...(isSingular && { isSingular }),
    ...(value && { value: (scope, ...rest) => value(scope, attributes, ...rest) }),
    ...(tangent && { tangent: (scope, ...rest) => tangent(scope, attributes, ...rest) }),
    ...(cotangents && { cotangents: (scope, ...rest) => cotangents(scope, attributes, ...rest) }),
  };
}
