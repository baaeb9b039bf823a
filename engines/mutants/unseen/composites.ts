import type { Scope, Value } from "../../../spec/builder/index.ts";
import { at } from "../../../spec/shapes/index.ts";
import { soundParts } from "../../interpretation/index.ts";
import { type Mutant, mutantTable, survivor, withExpansion } from "../mutant.ts";

const { composites } = soundParts;

/** Returns the value of one expression with the derivatives of another of its shape. */
function sloped(value: Value, slope: Value): Value {
  return value.stop_gradient().add(slope.subtract(slope.stop_gradient()));
}

/** Returns the part of `x` from `start` to before `stop` along an axis. */
function along(x: Value, axis: number, start: number, stop: number): Value {
  return x.slice({
    starts: x.shape.map((_, i) => (i === axis ? start : 0)),
    stops: x.shape.map((extent, i) => (i === axis ? stop : extent)),
    steps: x.shape.map(() => 1),
  });
}

/** Appends so many zeros to `x` along each axis. */
function lengthened(x: Value, high: readonly number[]): Value {
  const none = x.shape.map(() => 0);
  return x.pad({ low: none, high, interior: none });
}

/** Exchanges the last two axes. */
function transposed(x: Value): Value {
  const axes = x.shape.map((_, axis) => axis);
  return x.permute_dims({ axes: [...axes.slice(0, -2), axes.length - 1, axes.length - 2] });
}

/** Transposes `x` along `axis`, seen as blocks, from `[blocks, inner]` to `[inner, blocks]`. */
function interleaved(x: Value, axis: number, blocks: number): Value {
  const extent = at(x.shape, axis);
  const apart = [...x.shape.slice(0, axis), blocks, extent / blocks, ...x.shape.slice(axis + 1)];
  const axes = apart.map((_, i) => (i === axis ? axis + 1 : i === axis + 1 ? axis : i));
  return x.reshape({ shape: apart }).permute_dims({ axes }).reshape({ shape: x.shape });
}

/** Normalises `x` along the last axes: less its mean, by the root of `spread`, times scale, plus offset. */
function layer(
  scope: Scope,
  x: Value,
  [scale, offset]: readonly [Value, Value],
  mean: Value,
  spread: Value,
): Value {
  return scope.add(x.subtract(mean).divide(spread.sqrt()).multiply(scale), offset);
}

/** These faults concern activations, reductions and matrices. */
const functionMutants: readonly Mutant[] = mutantTable({
  sigmoid_slope_from_value: {
    fault: "The derivative of sigmoid is s · (1 − s), which is 0 from 37 on.",
    source: "https://github.com/jax-ml/jax/issues/40385",
    change: withExpansion("sigmoid", (scope, attributes, x) => {
      const value = composites.sigmoid.expand(scope, attributes, x);
      const fixed = value.stop_gradient();
      return sloped(value, x.multiply(fixed.multiply(scope.subtract(1, fixed))));
    }),
  },
  elu_slope_from_value: {
    fault: "The derivative of elu left of 0 is its value plus alpha, which is 0 from −37 down.",
    source: "https://github.com/jax-ml/jax/issues/39796",
    change: withExpansion("elu", (scope, attributes, x) => {
      const value = composites.elu.expand(scope, attributes, x);
      const slope = value.stop_gradient().add(attributes.alpha);
      return sloped(value, scope.less(0, x).where(x, x.multiply(slope)));
    }),
  },
  logaddexp_slope_at_tie: {
    fault: "At equal operands the derivatives of logaddexp are 1 and 0, those of the larger of the two.",
    source: "https://github.com/jax-ml/jax/issues/2107",
    change: withExpansion("logaddexp", (scope, attributes, x, y) =>
      sloped(
        composites.logaddexp.expand(scope, attributes, x, y),
        x.equal(y).where(x, composites.logaddexp.expand(scope, attributes, x, y)),
      ),
    ),
  },
  gelu_constant_of_single: {
    fault: "The root of 2/π in the approximation of gelu is the one of float32.",
    source: "candle, met with an adapter",
    change: withExpansion("gelu", (scope, attributes, x) => {
      if (attributes.approximate === "none") return composites.gelu.expand(scope, attributes, x);
      const cubic = x.add(x.multiply(x).multiply(x).multiply(0.044715));
      const inner = cubic.multiply(Math.fround(Math.sqrt(2 / Math.PI)));
      return x.divide(2).multiply(inner.tanh().add(1));
    }),
  },
  remainder_divisor_truncated: {
    fault: "The divisor of remainder receives −c times the quotient truncated, not rounded down.",
    source: "https://github.com/shader-slang/slang/pull/10080",
    change: withExpansion("remainder", (scope, attributes, x, y) => {
      const quotient = x.divide(y).stop_gradient();
      const whole = quotient.less(0).where(quotient.negative().floor().negative(), quotient.floor());
      return sloped(composites.remainder.expand(scope, attributes, x, y), x.subtract(whole.multiply(y)));
    }),
  },
  round_half_away: {
    fault: "round takes the integer away from zero at a tie, not the even one.",
    source: "https://github.com/pytorch/executorch/pull/21065",
    change: withExpansion("round", (_scope, _attributes, x) => {
      const size = x.abs().add(0.5).floor();
      return x.less(0).where(size.negative(), size);
    }),
  },
  softmax_denominator_saturates: {
    fault: "The denominator of softmax stops growing at its 256th term, as an accumulator in bfloat16 does.",
    source: "https://github.com/pytorch/executorch/pull/20089",
    change: withExpansion("softmax", (scope, { axis }, x) => {
      if (at(x.shape, axis) <= 256) return composites.softmax.expand(scope, { axis }, x);
      const powers = x.subtract(x.max({ axes: [axis], keepdims: true }).stop_gradient()).exp();
      return powers.divide(along(powers, axis, 0, 256).sum({ axes: [axis], keepdims: true }));
    }),
  },
  softmax_severed_on_last_axis: {
    fault: "The fast path of softmax along the last axis of three has no reverse rule.",
    source: "https://github.com/huggingface/candle/issues/3569",
    change: withExpansion("softmax", (scope, { axis }, x) => {
      const value = composites.softmax.expand(scope, { axis }, x);
      return x.shape.length >= 3 && axis === x.shape.length - 1 ? value.stop_gradient() : value;
    }),
  },
  logsumexp_long_axis_unshifted: {
    fault: "Along an axis of a thousand elements and more logsumexp does not take out the largest one.",
    source: "https://github.com/ml-explore/mlx/pull/2213",
    change: withExpansion("logsumexp", (scope, attributes, x) => {
      const isLong = attributes.axes.some((axis) => at(x.shape, axis) >= 1000);
      return isLong ? x.exp().sum(attributes).log() : composites.logsumexp.expand(scope, attributes, x);
    }),
  },
  trace_of_tall_wraps: {
    fault:
      "The cotangent of the trace of a tall matrix goes to every (columns + 1)th element, and so past the diagonal.",
    source: "https://github.com/pytorch/pytorch/issues/171704",
    change: withExpansion("trace", (scope, attributes, x) => {
      const value = composites.trace.expand(scope, attributes, x);
      const [rows = 0, columns = 0] = x.shape;
      if (x.shape.length !== 2 || attributes.offset !== 0 || rows <= columns || columns === 0) return value;
      const flat = x.reshape({ shape: [rows * columns] });
      const picked = flat.slice({ starts: [0], stops: [rows * columns], steps: [columns + 1] });
      return sloped(value, picked.sum({ axes: [0], keepdims: false }));
    }),
  },
  einsum_labels_after_trace: {
    fault: "einsum takes a diagonal's axis to the end and leaves its name where it was.",
    source: "https://github.com/tinygrad/tinygrad/pull/18229",
    change: withExpansion("einsum", (scope, { equation }, ...operands) => {
      const [, own, other, result] = /^(\w)\1(\w)->(\w*)$/.exec(equation) ?? [];
      const [x] = operands;
      const isSquare = x !== undefined && x.shape[0] === x.shape[2];
      if (own === undefined || other === undefined || own === other || !isSquare) {
        return composites.einsum.expand(scope, { equation }, ...operands);
      }
      const turned = { equation: `${own}${own}${other}->${other}${own}` };
      const diagonal = composites.einsum.expand(scope, turned, x);
      return composites.einsum.expand(scope, { equation: `${own}${other}->${result}` }, diagonal);
    }),
  },
  inv_cotangent_not_transposed: {
    fault: "The cotangent of inv is −A⁻¹ c A⁻¹, without the transposes.",
    source: "https://github.com/pytorch/pytorch.github.io/issues/2135",
    change: withExpansion("inv", (scope, attributes, a) => {
      const value = composites.inv.expand(scope, attributes, a);
      const turned = transposed(value.stop_gradient());
      return sloped(value, turned.matmul(a).matmul(turned).negative());
    }),
  },
  triangular_solve_matrix_still: {
    fault: "The matrix of triangular_solve receives no cotangent.",
    source: "https://github.com/tensor4all/tenferro-rs/issues/772",
    change: withExpansion("triangular_solve", (scope, attributes, a, b) =>
      composites.triangular_solve.expand(scope, attributes, a.stop_gradient(), b),
    ),
  },
});

/** These faults concern layers that normalise, convolve or pool. */
const layerMutants: readonly Mutant[] = mutantTable({
  layer_norm_variance_in_one_pass: {
    fault: "The variance of layer_norm is the mean of squares less the square of the mean.",
    source: "https://github.com/tracel-ai/burn/issues/5607",
    change: withExpansion("layer_norm", (scope, { axes, epsilon }, x, scale, offset) => {
      const isLast = axes.length === 1 && axes[0] === x.shape.length - 1;
      if (!isLast) return composites.layer_norm.expand(scope, { axes, epsilon }, x, scale, offset);
      const mean = x.mean({ axes, keepdims: true });
      const variance = x.square().mean({ axes, keepdims: true }).subtract(mean.square());
      return layer(scope, x, [scale, offset], mean, variance.maximum(0).add(epsilon));
    }),
  },
  layer_norm_variance_clamped: {
    fault: "layer_norm takes a variance below 10⁻⁶ for 0.",
    source: "https://github.com/pytorch/pytorch/issues/190491",
    change: withExpansion("layer_norm", (scope, { axes, epsilon }, x, scale, offset) => {
      const isLast = axes.length === 1 && axes[0] === x.shape.length - 1;
      if (!isLast) return composites.layer_norm.expand(scope, { axes, epsilon }, x, scale, offset);
      const mean = x.mean({ axes, keepdims: true });
      const variance = x.subtract(mean).square().mean({ axes, keepdims: true });
      const clamped = variance.less(1e-6).where(0, variance).add(epsilon);
      return layer(scope, x, [scale, offset], mean, clamped);
    }),
  },
  group_norm_group_by_remainder: {
    fault: "A channel of group_norm belongs to the group of its number modulo their count.",
    source: "https://github.com/tenstorrent/tt-metal/pull/56202",
    change: withExpansion("group_norm", (scope, attributes, x, scale, offset) => {
      const { groups } = attributes;
      const inner = at(x.shape, 1) / groups;
      const gathered = [
        interleaved(x, 1, inner),
        interleaved(scale, 0, inner),
        interleaved(offset, 0, inner),
      ] as const;
      return interleaved(composites.group_norm.expand(scope, attributes, ...gathered), 1, groups);
    }),
  },
  conv_groups_interleaved: {
    fault:
      "The kernels of a grouped conv receive their cotangents from the input channels of group o modulo groups.",
    source: "https://github.com/pytorch/pytorch/issues/51430",
    change: withExpansion("conv", (scope, attributes, x, w) => {
      const value = composites.conv.expand(scope, attributes, x, w);
      const { groups } = attributes;
      const inner = at(w.shape, 0) / groups;
      if (groups === 1 || inner === 1) return value;
      const fixed = composites.conv.expand(scope, attributes, x, w.stop_gradient());
      const wrong = composites.conv.expand(scope, attributes, x.stop_gradient(), interleaved(w, 0, inner));
      return sloped(value, fixed.add(interleaved(wrong, 1, groups)));
    }),
  },
  conv_kernel_strides_swapped: {
    fault: "The cotangent of the kernels of conv is made with strides and dilations exchanged.",
    source: "https://github.com/iree-org/iree-turbine/pull/1223",
    change: withExpansion("conv", (scope, attributes, x, w) => {
      const value = composites.conv.expand(scope, attributes, x, w);
      const { strides, dilations, padding } = attributes;
      const counts = value.shape.slice(2);
      const window = w.shape.slice(2);
      // The padding is enough for every count of windows, whichever step is the longer one.
      const more = counts.map((count, i) => count * at(dilations, i) + at(window, i) * at(strides, i));
      const wide = padding.map(([low, high], i) => [low, high + at(more, i)] as const);
      const swapped = { ...attributes, strides: dilations, dilations: strides, padding: wide };
      const wrong = composites.conv.expand(scope, swapped, x.stop_gradient(), w);
      const cut = counts.reduce((y, count, i) => along(y, i + 2, 0, count), wrong);
      return sloped(value, composites.conv.expand(scope, attributes, x, w.stop_gradient()).add(cut));
    }),
  },
  conv_first_dilation_twice: {
    fault:
      "In two dimensions the cotangent of conv's operand is made with the first axis's dilation for both.",
    source: "https://github.com/tracel-ai/burn/pull/4466",
    change: withExpansion("conv", (scope, attributes, x, w) => {
      const value = composites.conv.expand(scope, attributes, x, w);
      const { dilations, padding } = attributes;
      const [first = 1, second = first] = dilations;
      if (dilations.length !== 2 || first === second) return value;
      const more = at(w.shape, 3) * first;
      const wide = padding.map(([low, high], i) => [low, high + (i === 1 ? more : 0)] as const);
      const wrong = { ...attributes, dilations: [first, first], padding: wide };
      const slope = composites.conv.expand(scope, wrong, x, w.stop_gradient());
      const cut = along(slope, 3, 0, at(value.shape, 3));
      return sloped(value, cut.add(composites.conv.expand(scope, attributes, x.stop_gradient(), w)));
    }),
  },
  conv_last_padded_row_lost: {
    fault: "The last row of a padded convolution in two dimensions is left at 0.",
    source: "https://github.com/modular/modular/issues/6461",
    change: withExpansion("conv", (scope, attributes, x, w) => {
      const value = composites.conv.expand(scope, attributes, x, w);
      const [rows = 1] = value.shape.slice(2);
      const [[, high = 0] = [0, 0]] = attributes.padding;
      if (value.shape.length !== 4 || high === 0 || rows < 2) return value;
      return lengthened(along(value, 2, 0, rows - 1), [0, 0, 1, 0]);
    }),
  },
  conv_depth_flipped: {
    fault: "In three dimensions conv turns its kernel over along the depth.",
    source: survivor,
    change: withExpansion("conv", (scope, attributes, x, w) =>
      composites.conv.expand(scope, attributes, x, w.shape.length === 5 ? w.flip({ axes: [2] }) : w),
    ),
  },
  conv_transpose_cotangent_unstrided: {
    fault:
      "The operand of a transposed convolution with kernels of one element receives the first cotangents, whatever the stride.",
    source: "https://github.com/pytorch/pytorch/issues/63314",
    change: withExpansion("conv_transpose", (scope, attributes, x, w) => {
      const value = composites.conv_transpose.expand(scope, attributes, x, w);
      const { strides, padding, output_padding } = attributes;
      const isPlain = padding.flat().every((n) => n === 0) && w.shape.slice(2).every((n) => n === 1);
      if (!isPlain || strides.every((stride) => stride === 1)) return value;
      const dense = {
        ...attributes,
        strides: strides.map(() => 1),
        output_padding: output_padding.map(() => 0),
      };
      const slope = composites.conv_transpose.expand(scope, dense, x, w.stop_gradient());
      const wide = lengthened(
        slope,
        slope.shape.map((extent, axis) => at(value.shape, axis) - extent),
      );
      return sloped(
        value,
        wide.add(composites.conv_transpose.expand(scope, attributes, x.stop_gradient(), w)),
      );
    }),
  },
  avg_pool_asymmetric_padding_counted: {
    fault: "avg_pool counts padding as elements where it is not alike on both sides.",
    source: "https://github.com/tracel-ai/burn/issues/5450",
    change: withExpansion("avg_pool", (scope, attributes, x) => {
      const isOdd = attributes.padding.some(([low, high]) => low !== high);
      const count_include_pad = isOdd || attributes.count_include_pad;
      return composites.avg_pool.expand(scope, { ...attributes, count_include_pad }, x);
    }),
  },
  max_pool_padded_with_zeros: {
    fault: "In two dimensions max_pool pads with zeros, which are greater than what is negative.",
    source: "https://github.com/microsoft/onnxruntime/issues/29637",
    change: withExpansion("max_pool", (scope, attributes, x) => {
      if (x.shape.length !== 4) return composites.max_pool.expand(scope, attributes, x);
      const wide = x.pad({
        low: [0, 0, ...attributes.padding.map(([low]) => low)],
        high: [0, 0, ...attributes.padding.map(([, high]) => high)],
        interior: x.shape.map(() => 0),
      });
      const padding = attributes.padding.map(() => [0, 0] as const);
      return composites.max_pool.expand(scope, { ...attributes, padding }, wide);
    }),
  },
});

/** These faults concern attention, cells and losses. */
const networkMutants: readonly Mutant[] = mutantTable({
  attention_gradient_not_causal: {
    fault: "The reverse rule of causal attention knows no mask.",
    source: "https://github.com/triton-lang/triton/issues/4541",
    change: withExpansion("scaled_dot_product_attention", (scope, attributes, ...operands) =>
      sloped(
        composites.scaled_dot_product_attention.expand(scope, attributes, ...operands),
        composites.scaled_dot_product_attention.expand(scope, { causal: false }, ...operands),
      ),
    ),
  },
  attention_gradient_aligned_to_end: {
    fault:
      "The reverse rule of causal attention lets the last query see the last key, however many keys there are.",
    source: "https://github.com/xlite-dev/ffpa-attn/pull/300",
    change: withExpansion("scaled_dot_product_attention", (scope, attributes, ...operands) => {
      const value = composites.scaled_dot_product_attention.expand(scope, attributes, ...operands);
      const [q, k, v] = [at(operands, 0), at(operands, 1), at(operands, 2)];
      if (!attributes.causal || operands.length > 3) return value;
      const [queries, keys] = [at(q.shape, q.shape.length - 2), at(k.shape, k.shape.length - 2)];
      if (keys <= queries) return value;
      const shape = [queries, keys];
      const last = scope.iota({ shape, axis: 0 }).add(keys - queries);
      const hidden = last.less(scope.iota({ shape, axis: 1 })).where(-1e300, 0);
      return sloped(
        value,
        composites.scaled_dot_product_attention.expand(scope, { causal: false }, q, k, v, hidden),
      );
    }),
  },
  heads_causal_dropped_without_batch: {
    fault: "multi_head_attention drops its causal mask where there is no batch axis.",
    source: "https://github.com/keras-team/keras/issues/23038",
    change: withExpansion("multi_head_attention", (scope, attributes, ...operands) => {
      const causal = attributes.causal && operands[0]?.shape.length !== 2;
      return composites.multi_head_attention.expand(scope, { ...attributes, causal }, ...operands);
    }),
  },
  gru_reset_before_product: {
    fault: "The reset gate of gru_cell is applied to the state and not to the state's product.",
    source: "https://github.com/tracel-ai/burn/issues/2701",
    change: withExpansion("gru_cell", (scope, _attributes, ...operands) => {
      const [x, h] = [at(operands, 0), at(operands, 1)];
      const [wIn, wHidden] = [at(operands, 2), at(operands, 3)];
      const [bIn, bHidden] = [at(operands, 4), at(operands, 5)];
      const hidden = at(h.shape, 1);
      const gate = (y: Value, n: number, axis: number): Value => along(y, axis, n * hidden, (n + 1) * hidden);
      const fromInput = x.matmul(transposed(wIn)).add(bIn);
      const fromHidden = h.matmul(transposed(wHidden)).add(bHidden);
      const both = (n: number): Value =>
        gate(fromInput, n, 1)
          .add(gate(fromHidden, n, 1))
          .sigmoid();
      const own = h
        .multiply(both(0))
        .matmul(transposed(gate(wHidden, 2, 0)))
        .add(gate(bHidden, 2, 0));
      const proposed = gate(fromInput, 2, 1).add(own).tanh();
      return scope.subtract(1, both(1)).multiply(proposed).add(both(1).multiply(h));
    }),
  },
  lstm_bias_of_output_gate: {
    fault: "The first two gates of lstm_cell are given the bias of the last one.",
    source: "https://github.com/ddbourgin/numpy-ml/issues/42",
    change: withExpansion("lstm_cell", (scope, attributes, ...operands) => {
      const bias = operands[5];
      if (bias === undefined) return composites.lstm_cell.expand(scope, attributes, ...operands);
      const hidden = at(bias.shape, 0) / 4;
      const last = along(bias, 0, 3 * hidden, 4 * hidden);
      const wrong = last.concat(last, along(bias, 0, 2 * hidden, 4 * hidden), { axis: 0 });
      return composites.lstm_cell.expand(scope, attributes, ...operands.slice(0, 5), wrong);
    }),
  },
  huber_signed_threshold: {
    fault: "huber compares the difference with delta and not its magnitude.",
    source: "https://github.com/BobMcDear/attorch/issues/13",
    change: withExpansion("huber", (_scope, { delta }, x, y) => {
      const distance = x.subtract(y);
      const isNear = distance.less_equal(delta);
      const far = distance
        .abs()
        .subtract(delta / 2)
        .multiply(delta);
      const axes = x.shape.map((_, axis) => axis);
      return isNear.where(distance.square().divide(2), far).mean({ axes, keepdims: false });
    }),
  },
  bce_logarithms_clipped: {
    fault: "bce_with_logits clips the logarithms of its probabilities at −100.",
    source: "https://github.com/ml-explore/mlx/pull/1280",
    change: withExpansion("bce_with_logits", (scope, _attributes, x, y) => {
      const isNegative = x.less(0);
      const tail = isNegative.where(x, x.negative()).exp().log1p();
      const own = isNegative.where(0, x).subtract(x.multiply(y)).add(tail);
      const clipped = isNegative.where(y, scope.subtract(1, y)).multiply(100);
      const axes = x.shape.map((_, axis) => axis);
      return x.abs().less_equal(100).where(own, clipped).mean({ axes, keepdims: false });
    }),
  },
  cross_entropy_through_probabilities: {
    fault: "cross_entropy takes the logarithm of a softmax, which is 0 for a logit far below the largest.",
    source: "https://github.com/tenstorrent/tt-forge-onnx/issues/3405",
    change: withExpansion("cross_entropy", (_scope, { labels }, x) =>
      x.softmax({ axis: 1 }).log().nll({ labels }),
    ),
  },
});

/** These faults concern the operators that are defined by an expansion. */
export const compositeMutants: readonly Mutant[] = [...functionMutants, ...layerMutants, ...networkMutants];
