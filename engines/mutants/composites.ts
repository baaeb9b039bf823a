import type { Value } from "../../spec/builder/index.ts";
import { at, sizeOf } from "../../spec/shapes/index.ts";
import { soundParts } from "../interpretation/index.ts";
import { type Mutant, mutantTable, withExpansion } from "./mutant.ts";

const { composites } = soundParts;

/** Returns the value of one expression with the derivatives of another: a backward that does not belong. */
function sloped(value: Value, slope: Value): Value {
  return value.stop_gradient().add(slope.subtract(slope.stop_gradient()));
}

/** These faults concern the operators that are defined by an expansion. */
export const compositeMutants: readonly Mutant[] = mutantTable({
  // These concern arithmetic and comparisons.
  abs_slope_at_zero: {
    fault: "The derivative of abs at 0 is 1.",
    source: "C24",
    change: withExpansion("abs", (_scope, _attributes, x) => x.less(0).where(x.negative(), x)),
  },
  copysign_of_magnitude: {
    fault: "The derivative of copysign is the sign of y, without the sign of x.",
    source: "C27",
    change: withExpansion("copysign", (scope, _attributes, x, y) => {
      const isNegative = y.less(0).logical_or(scope.divide(1, y.stop_gradient()).less(0));
      const size = x.abs().stop_gradient().add(x.subtract(x.stop_gradient()));
      return isNegative.where(size.negative(), size);
    }),
  },
  square_saved_as_constant: {
    fault: "The saved operand of square is a constant, so half of the derivative is lost.",
    source: "F06",
    change: withExpansion("square", (_scope, _attributes, x) => x.multiply(x.stop_gradient())),
  },
  logaddexp_first_only: {
    fault: "Only the first operand of logaddexp receives a cotangent.",
    source: "B21",
    change: withExpansion("logaddexp", (_scope, _attributes, x, y) => {
      const distance = x.subtract(y.stop_gradient());
      const above = x.add(distance.maximum(0).negative().exp().log1p());
      const below = y.stop_gradient().add(distance.minimum(0).exp().log1p());
      return distance.less(0).where(below, above);
    }),
  },
  minimum_tie_to_second: {
    fault: "At a tie the second operand of minimum receives the cotangent.",
    source: "C19",
    change: withExpansion("minimum", (_scope, _attributes, x, y) =>
      y.negative().maximum(x.negative()).negative(),
    ),
  },
  clip_closed_at_bounds: {
    fault: "At its bounds clip hands the cotangent to the bound.",
    source: "C23",
    change: withExpansion("clip", (_scope, _attributes, x, low, high) =>
      high.negative().maximum(low.maximum(x).negative()).negative(),
    ),
  },
  round_half_up: {
    fault: "round takes the larger of two nearest integers, not the even one.",
    change: withExpansion("round", (_scope, _attributes, x) => x.add(0.5).floor()),
  },
  remainder_of_truncation: {
    fault: "remainder has the sign of its first operand.",
    change: withExpansion("remainder", (scope, _attributes, x, y) => {
      const quotient = x.divide(y);
      const whole = quotient.abs().floor();
      return x.subtract(scope.where(quotient.less(0), whole.negative(), whole).multiply(y));
    }),
  },
  remainder_divisor_dropped: {
    fault: "The divisor of remainder receives no cotangent.",
    source: "A18",
    change: withExpansion("remainder", (_scope, _attributes, x, y) =>
      x.subtract(x.divide(y).floor().multiply(y.stop_gradient())),
    ),
  },
  less_equal_strict: {
    fault: "less_equal is 0 at a tie.",
    source: "C22",
    change: withExpansion("less_equal", (_scope, _attributes, x, y) => x.less(y)),
  },
  logical_or_added: {
    fault: "logical_or adds its operands.",
    change: withExpansion("logical_or", (_scope, _attributes, x, y) => x.add(y).stop_gradient()),
  },

  // These concern reductions.
  mean_by_all_elements: {
    fault: "mean divides by the number of all elements, not of those it sums.",
    source: "B08",
    change: withExpansion("mean", (_scope, attributes, x) => x.sum(attributes).divide(sizeOf(x.shape))),
  },
  var_without_correction: {
    fault: "var divides by the number of elements, whatever the correction.",
    source: "B22",
    change: withExpansion("var", (_scope, { axes, keepdims }, x) => {
      const deviation = x.subtract(x.mean({ axes, keepdims: true }));
      return deviation.square().mean({ axes, keepdims });
    }),
  },
  norm_guarded: {
    fault: "norm adds 2⁻³⁰ below its root, so as to have a derivative at 0.",
    source: "C02",
    change: withExpansion("norm", (_scope, attributes, x) =>
      x
        .square()
        .sum(attributes)
        .add(2 ** -30)
        .sqrt(),
    ),
  },
  prod_through_logarithms: {
    fault: "prod is computed as the exponential of a sum of logarithms.",
    source: "C11",
    change: withExpansion("prod", (_scope, attributes, x) => x.log().sum(attributes).exp()),
  },
  cumulative_prod_through_logarithms: {
    fault: "cumulative_prod is computed as the exponential of a cumulative sum of logarithms.",
    source: "C13",
    change: withExpansion("cumulative_prod", (_scope, attributes, x) =>
      x.log().cumulative_sum(attributes).exp(),
    ),
  },
  max_tie_to_all: {
    fault: "Each of several largest elements receives the whole cotangent of max.",
    source: "C20",
    change: withExpansion("max", (scope, { axes, keepdims }, x) => {
      const largest = composites.max.expand(scope, { axes, keepdims: true }, x).stop_gradient();
      const slopes = x.equal(largest).where(x.subtract(x.stop_gradient()), 0);
      const value = composites.max.expand(scope, { axes, keepdims }, x).stop_gradient();
      return value.add(slopes.sum({ axes, keepdims }));
    }),
  },
  trace_offset_ignored: {
    fault: "trace sums the main diagonal, whatever the offset.",
    source: "B17",
    change: withExpansion("trace", (scope, _attributes, x) =>
      composites.trace.expand(scope, { offset: 0 }, x),
    ),
  },

  // These concern moves.
  flip_cotangent_not_flipped: {
    fault: "The cotangent of flip is handed on as it came.",
    source: "B18",
    change: withExpansion("flip", (scope, attributes, x) =>
      sloped(composites.flip.expand(scope, attributes, x), x),
    ),
  },
  roll_other_way: {
    fault: "roll shifts the elements in the other direction.",
    source: "D09",
    change: withExpansion("roll", (scope, { shift, axis }, x) =>
      composites.roll.expand(scope, { shift: -shift, axis }, x),
    ),
  },
  sort_cotangent_in_place: {
    fault: "The cotangent of sort goes to the positions of the sorted elements, not to those they came from.",
    source: "D23",
    change: withExpansion("sort", (scope, attributes, x) =>
      sloped(composites.sort.expand(scope, attributes, x), x),
    ),
  },
  tril_cotangent_leaks: {
    fault: "The elements that tril replaces by zeros receive a cotangent.",
    source: "C37",
    change: withExpansion("tril", (scope, attributes, x) =>
      sloped(composites.tril.expand(scope, attributes, x), x),
    ),
  },
  triu_one_below: {
    fault: "triu keeps one more diagonal.",
    source: "C37",
    change: withExpansion("triu", (scope, { offset }, x) =>
      composites.triu.expand(scope, { offset: offset - 1 }, x),
    ),
  },

  // These concern activations.
  elu_without_alpha: {
    fault: "elu is differentiated as if alpha were 1.",
    source: "D31",
    change: withExpansion("elu", (scope, { alpha }, x) => {
      const left = x.minimum(0).expm1();
      const scaled = left.multiply(alpha).subtract(left).stop_gradient().add(left);
      return scope.less(0, x).where(x, scaled);
    }),
  },
  gelu_by_logistic: {
    fault: "gelu is approximated as x · sigmoid(1.702 x).",
    source: "D29",
    change: withExpansion("gelu", (_scope, _attributes, x) => x.multiply(x.multiply(1.702).sigmoid())),
  },
  leaky_relu_masked_by_result: {
    fault:
      "leaky_relu takes the larger of x and slope · x, which is another function where the slope is over one.",
    source: "D31",
    change: withExpansion("leaky_relu", (_scope, { slope }, x) => x.maximum(x.multiply(slope))),
  },
  sigmoid_slope_is_value: {
    fault: "The derivative of sigmoid is s instead of s · (1 − s), where s is its value.",
    source: "C30",
    change: withExpansion("sigmoid", (scope, _attributes, x) =>
      scope
        .divide(1, x.negative().exp().stop_gradient().add(1))
        .multiply(x.subtract(x.stop_gradient()).add(1)),
    ),
  },
  silu_gate_constant: {
    fault: "The gate of silu counts as a constant.",
    source: "A18",
    change: withExpansion("silu", (_scope, _attributes, x) => x.multiply(x.sigmoid().stop_gradient())),
  },
  softplus_threshold: {
    fault: "softplus is x from 4 on.",
    source: "C31",
    change: withExpansion("softplus", (scope, _attributes, x) => scope.less(4, x).where(x, x.exp().log1p())),
  },
  softmax_sum_constant: {
    fault: "The denominator of softmax counts as a constant.",
    source: "D28",
    change: withExpansion("softmax", (_scope, { axis }, x) => {
      const powers = x.exp();
      return powers.divide(powers.sum({ axes: [axis], keepdims: true }).stop_gradient());
    }),
  },
  log_softmax_sum_constant: {
    fault: "The logarithm that log_softmax subtracts counts as a constant.",
    source: "C32",
    change: withExpansion("log_softmax", (_scope, { axis }, x) =>
      x.subtract(x.logsumexp({ axes: [axis], keepdims: true }).stop_gradient()),
    ),
  },

  // These concern layers.
  attention_not_scaled: {
    fault: "The scores of attention are not divided by the root of their inner extent.",
    source: "B09",
    change: withExpansion("scaled_dot_product_attention", (scope, attributes, q, ...others) => {
      const root = scope.full({ shape: [], value: at(q.shape, q.shape.length - 1) }).sqrt();
      return composites.scaled_dot_product_attention.expand(scope, attributes, q.multiply(root), ...others);
    }),
  },
  conv_kernel_constant: {
    fault: "The kernel of conv receives no cotangent.",
    source: "A18",
    change: withExpansion("conv", (scope, attributes, x, w) =>
      composites.conv.expand(scope, attributes, x, w.stop_gradient()),
    ),
  },
  conv_kernel_flipped: {
    fault: "conv turns its kernel over, as the convolution of mathematics does.",
    source: "D09",
    change: withExpansion("conv", (scope, attributes, x, w) =>
      composites.conv.expand(scope, attributes, x, w.flip({ axes: w.shape.map((_, axis) => axis).slice(2) })),
    ),
  },
  conv_padding_sides_swapped: {
    fault: "conv puts its padding on the other side of each axis.",
    source: "D25",
    change: withExpansion("conv", (scope, attributes, x, w) =>
      composites.conv.expand(
        scope,
        { ...attributes, padding: attributes.padding.map(([low, high]) => [high, low] as const) },
        x,
        w,
      ),
    ),
  },
  avg_pool_divisor_in_reverse: {
    fault: "avg_pool divides by the whole window in reverse, also where a window is clipped.",
    source: "D01",
    change: withExpansion("avg_pool", (scope, attributes, x) =>
      sloped(
        composites.avg_pool.expand(scope, attributes, x),
        composites.avg_pool.expand(scope, { ...attributes, count_include_pad: true }, x),
      ),
    ),
  },
  max_pool_cotangent_of_average: {
    fault: "max_pool pulls back as avg_pool does.",
    source: "D29",
    change: withExpansion("max_pool", (scope, attributes, x) =>
      sloped(
        composites.max_pool.expand(scope, attributes, x),
        x.avg_pool({ ...attributes, count_include_pad: false }),
      ),
    ),
  },
  dropout_mask_forgotten: {
    fault: "dropout applies its mask to the value and not to the cotangent.",
    source: "D15",
    change: withExpansion("dropout", (scope, attributes, x) =>
      sloped(
        composites.dropout.expand(scope, attributes, x),
        x.divide(Math.max(1 - attributes.rate, 2 ** -10)),
      ),
    ),
  },
  dropout_not_rescaled: {
    fault: "dropout does not divide what it keeps by the share it keeps.",
    source: "D15",
    change: withExpansion("dropout", (scope, { key, rate }, x) =>
      scope.bernoulli_mask({ shape: x.shape, key, rate }).where(x, 0),
    ),
  },
  batch_norm_eval_of_batch: {
    fault: "batch_norm_eval normalises with the statistics of the batch, not with those given.",
    source: "D11",
    change: withExpansion("batch_norm_eval", (_scope, attributes, x, scale, offset) =>
      x.batch_norm_train(scale, offset, attributes),
    ),
  },
  batch_norm_train_mean_constant: {
    fault: "batch_norm_train takes its variance for a constant.",
    source: "D10",
    change: withExpansion("batch_norm_train", (_scope, attributes, x, scale, offset) => {
      const axes = x.shape.flatMap((_, axis) => (axis === attributes.axis ? [] : [axis]));
      const wide = { shape: x.shape.map((extent, axis) => (axis === attributes.axis ? extent : 1)) };
      const centred = x.subtract(x.mean({ axes, keepdims: true }));
      const deviation = centred.square().mean({ axes, keepdims: true }).add(attributes.epsilon).sqrt();
      const standard = centred.divide(deviation.stop_gradient());
      return standard.multiply(scale.reshape(wide)).add(offset.reshape(wide));
    }),
  },
  group_norm_one_group: {
    fault: "group_norm normalises over all channels together.",
    source: "D04",
    change: withExpansion("group_norm", (scope, { epsilon }, x, scale, offset) =>
      composites.group_norm.expand(scope, { groups: 1, epsilon }, x, scale, offset),
    ),
  },
  layer_norm_mean_constant: {
    fault: "The mean that layer_norm subtracts counts as a constant.",
    source: "D10",
    change: withExpansion("layer_norm", (_scope, { axes, epsilon }, x, scale, offset) => {
      const wide = { shape: x.shape.map((extent, axis) => (axes.includes(axis) ? extent : 1)) };
      const centred = x.subtract(x.mean({ axes, keepdims: true }).stop_gradient());
      const deviation = centred.square().mean({ axes, keepdims: true }).add(epsilon).sqrt();
      return centred.divide(deviation).multiply(scale.reshape(wide)).add(offset.reshape(wide));
    }),
  },

  // These concern losses.
  cross_entropy_summed: {
    fault: "cross_entropy is the sum over the rows, not the mean.",
    source: "D27",
    change: withExpansion("cross_entropy", (scope, attributes, x) =>
      composites.cross_entropy.expand(scope, attributes, x).multiply(at(x.shape, 0)),
    ),
  },
  kl_div_of_zero: {
    fault: "kl_div multiplies a target of zero by its logarithm, and 0 · ∞ is NaN.",
    source: "C17",
    change: withExpansion("kl_div", (_scope, _attributes, x, y) =>
      y.multiply(y.log().subtract(x)).mean({ axes: x.shape.map((_, axis) => axis), keepdims: false }),
    ),
  },
  mse_slope_halved: {
    fault: "The derivative of mse is that of half the mean square.",
    source: "G07",
    change: withExpansion("mse", (scope, attributes, x, y) => {
      const value = composites.mse.expand(scope, attributes, x, y);
      return sloped(value, value.divide(2));
    }),
  },
});
