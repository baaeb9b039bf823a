import type { Engine } from "../../../spec/contract/index.ts";
import {
  at,
  type Builder,
  type FlatTensor,
  graph,
  nodeId,
  type Seed,
  type Shape,
  sizeOf,
  type Value,
} from "../../../spec/index.ts";
import { loaded, type Question, resultOf, scalar, tensor } from "../../asking.test.kit.ts";

/** Asks an engine something. */
type Asking = (engine: Engine) => Promise<readonly FlatTensor[]>;

/** Two questions to a mutant: one that tells it from the interpreter, and one that does not. */
export interface Pair {
  readonly tells: Asking;
  readonly passes: Asking;
}

/** A scalar, a vector, or any tensor. */
type Operand = number | readonly number[] | FlatTensor;

type Write = (scope: Builder, ...inputs: readonly Value[]) => unknown;

type Indices = Readonly<Record<string, readonly number[] | FlatTensor>>;

function tensorOf(x: Operand): FlatTensor {
  if (typeof x === "number") return scalar(x);
  return "shape" in x ? x : tensor(x);
}

/** Makes a tensor of numbers of both signs, without equal neighbours. */
function some(...shape: Shape): FlatTensor {
  const data = Array.from({ length: sizeOf(shape) }, (_, i) => (((7 * i + 3) % 11) - 4) / 4);
  return tensor(data, shape);
}

/** Makes a vector of equal numbers. */
function many(count: number, value: number): FlatTensor {
  return tensor(Array.from({ length: count }, () => value));
}

/** Makes so many operands that are 1. */
function scalars(count: number): number[] {
  return Array.from({ length: count }, () => 1);
}

/** Makes a matrix of rows. */
function rows(...given: readonly (readonly number[])[]): FlatTensor {
  return tensor(given.flat(), [given.length, at(given, 0).length]);
}

function posed(operands: readonly Operand[], write: Write, indices: Indices = {}): Question {
  const inputs = operands.map(tensorOf);
  const entries = Object.entries(indices).map(([name, index]) => [name, tensorOf(index)] as const);
  const written = graph((scope) => {
    const values = inputs.map(({ shape }, n) => scope.input(`x${n}`, shape));
    for (const [name, { shape }] of entries) scope.indices(name, shape);
    write(scope, ...values);
  });
  return { graph: written, point: { inputs, environment: new Map(entries) } };
}

/** Fills a shape with 1, 2, 3 … */
function counted(shape: Shape): FlatTensor {
  return tensor(
    Array.from({ length: sizeOf(shape) }, (_, i) => i + 1),
    shape,
  );
}

/** Asks for the values. */
function evaluated(operands: readonly Operand[], write: Write, indices?: Indices): Asking {
  const { graph: asked, point } = posed(operands, write, indices);
  return async (engine) => resultOf(await (await loaded(engine, asked)).evaluate(point));
}

/** Asks for the tangents along 1, 2, 3 … of every input. */
function pushed(operands: readonly Operand[], write: Write, indices?: Indices): Asking {
  const { graph: asked, point } = posed(operands, write, indices);
  const tangents = point.inputs.map(({ shape }) => counted(shape));
  return async (engine) => resultOf(await (await loaded(engine, asked)).jvp(point, tangents));
}

/** Asks, `times` times, for the cotangents of the inputs from 1, 2, 3 … at the last node. */
function pulled(operands: readonly Operand[], write: Write, indices?: Indices, times: number = 1): Asking {
  const { graph: asked, point } = posed(operands, write, indices);
  return async (engine) => {
    const program = await loaded(engine, asked);
    const values = resultOf(await program.evaluate(point));
    const last = at(values, values.length - 1);
    const id = nodeId(asked.inputs.length + values.length - 1);
    const seeds: readonly Seed[] = [{ id, cotangent: counted(last.shape) }];
    for (let time = 1; time < times; time++) resultOf(await program.vjp(point, seeds));
    return resultOf(await program.vjp(point, seeds));
  };
}

/** Makes a chain of sign changes. */
function chain(length: number): Write {
  return (_, x) => Array.from({ length }).reduce<Value>((y) => y.negative(), x);
}

/** Makes x₀ + 2 x₁ + 3 x₂ …, so that no two inputs have one gradient. */
const weighted: Write = (_, ...inputs) =>
  inputs.map((x, n) => x.multiply(n + 1)).reduce((sum, term) => sum.add(term));

/** Sums so many readers of one value. */
function read(times: number): Write {
  return (_, x) => Array.from({ length: times }, () => x.negative()).reduce((sum, y) => sum.add(y));
}

const joined: Write = (_, x, ...others) => x.concat(...others, { axis: 0 });

const plain = { strides: [1], padding: [[0, 0]], dilations: [1], groups: 1 } as const;
const flat = {
  strides: [1, 1],
  padding: [
    [0, 0],
    [0, 0],
  ],
  dilations: [1, 1],
  groups: 1,
} as const;
const deep = {
  strides: [1, 1, 1],
  padding: [
    [0, 0],
    [0, 0],
    [0, 0],
  ],
  dilations: [1, 1, 1],
  groups: 1,
} as const;

/** Makes the layer over the last axis of a row of four. */
function layer(epsilon: number): Write {
  return (_, x, scale, offset) => x.layer_norm(scale, offset, { axes: [1], epsilon });
}

const scales = [tensor([1, 2, 3, 4]), tensor([1, 0, 1, 0])] as const;

const cell = [some(1, 2), some(1, 2)] as const;

/** Evaluates a second program after a first one of the same outline was loaded, or alone. */
function afterAnother(first: number | undefined): Asking {
  const adding = (n: number): Question => posed([1], (_, x) => x.add(n));
  return async (engine) => {
    if (first !== undefined) await loaded(engine, adding(first).graph);
    const { graph: asked, point } = adding(2);
    return resultOf(await (await loaded(engine, asked)).evaluate(point));
  };
}

/** Evaluates a program before another one of its shapes is loaded, or after it. */
function aroundAnother(when: "before" | "after"): Asking {
  const own = posed([1], (_, x) => x.exp());
  const other = posed([1], (_, x) => x.negative());
  return async (engine) => {
    const program = await loaded(engine, own.graph);
    const before = resultOf(await program.evaluate(own.point));
    await loaded(engine, other.graph);
    return when === "before" ? before : resultOf(await program.evaluate(own.point));
  };
}

/** Evaluates at two points, and returns the first answer as it is at once, or as it is after the second. */
function keptOver(second: boolean): Asking {
  const { graph: asked, point } = posed([1], (_, x) => x.exp());
  return async (engine) => {
    const program = await loaded(engine, asked);
    const first = resultOf(await program.evaluate(point));
    if (second) resultOf(await program.evaluate({ ...point, inputs: [scalar(2)] }));
    return first;
  };
}

/** Returns the answer to the second of two equal questions, or to the first. */
function asked(times: number): Asking {
  const { graph: written, point } = posed([3], (_, x) => x.exp());
  return async (engine) => {
    const program = await loaded(engine, written);
    for (let time = 1; time < times; time++) resultOf(await program.evaluate(point));
    return resultOf(await program.evaluate(point));
  };
}

/** Makes a pair about values, of one graph at two points. */
function values(write: Write, tells: readonly Operand[], passes: readonly Operand[]): Pair {
  return { tells: evaluated(tells, write), passes: evaluated(passes, write) };
}

/** Makes a pair about cotangents, of one graph at two points. */
function slopes(write: Write, tells: readonly Operand[], passes: readonly Operand[]): Pair {
  return { tells: pulled(tells, write), passes: pulled(passes, write) };
}

/** The pair of each mutant, by name. */
export const pairs: Readonly<Record<string, Pair>> = {
  exp_subnormal_flushed: values((_, x) => x.exp(), [-720], [-700]),
  exp_underflows_early: values((_, x) => x.exp(), [-695], [-600]),
  multiply_subnormal_flushed: values((_, x, y) => x.multiply(y), [1e-160, 1e-150], [2, 3]),
  hypot_squares_overflow: values((_, x, y) => x.hypot(y), [1e200, 1e200], [3, 4]),
  sin_reduced_in_two_words: values((_, x) => x.sin(), [1e6], [3]),
  cos_octant_overflows: values((_, x) => x.cos(), [1e10], [1e5]),
  pow_of_magnitude: values((_, x, y) => x.pow(y), [-2, 3], [2, 3]),
  log1p_cancels: values((_, x) => x.log1p(), [1e-10], [1]),
  asin_to_eight_digits: values((_, x) => x.asin(), [0.3], [1]),
  maximum_swallows_nan: values((_, x, y) => x.maximum(y), [1, Number.NaN], [Number.NaN, 1]),
  relu_swallows_nan: values((_, x) => x.relu(), [Number.NaN], [2]),
  matmul_zero_annihilates: values(
    (_, x, y) => x.matmul(y),
    [rows([0, 1]), rows([Number.POSITIVE_INFINITY], [1])],
    [rows([0, 1]), rows([5], [1])],
  ),
  sum_vector_tail_lost: values((_, x) => x.sum({ axes: [0], keepdims: false }), [some(1001)], [some(1000)]),
  cumulative_sum_carry_lost: values((_, x) => x.cumulative_sum({ axis: 0 }), [some(1025)], [some(1024)]),
  matmul_half_tile_lost: values(
    (_, x, y) => x.matmul(y),
    [some(1, 24), some(24, 1)],
    [some(1, 16), some(16, 1)],
  ),
  take_index_in_bfloat16: {
    tells: evaluated([some(300)], (_, x) => x.take({ axis: 0, indices: "i" }), { i: [257] }),
    passes: evaluated([some(300)], (_, x) => x.take({ axis: 0, indices: "i" }), { i: [256] }),
  },
  scatter_update_stride: {
    tells: evaluated([some(3, 2), some(2, 2)], (_, x, y) => x.scatter_add(y, { indices: "i" }), {
      i: rows([0], [2]),
    }),
    passes: evaluated([some(3, 2), some(1, 2)], (_, x, y) => x.scatter_add(y, { indices: "i" }), {
      i: rows([2]),
    }),
  },
  relu_in_place: {
    tells: evaluated([-1], (_, x) => [x.relu(), x.add(1)]),
    passes: evaluated([-1], (_, x) => x.relu()),
  },

  matmul_slope_skipped_at_zero: slopes(
    (_, x, y) => x.matmul(y),
    [rows([0, 1]), rows([3], [4])],
    [rows([2, 1]), rows([3], [4])],
  ),
  det_slope_zero_at_singular: slopes((_, x) => x.det(), [rows([1, 2], [2, 4])], [rows([1, 2], [3, 4])]),
  det_batch_of_first_cotangent: slopes((_, x) => x.det(), [some(2, 2, 2)], [some(2, 2)]),
  take_gradient_index_in_bfloat16: {
    tells: pulled([some(300)], (_, x) => x.take({ axis: 0, indices: "i" }), { i: [257] }),
    passes: pulled([some(300)], (_, x) => x.take({ axis: 0, indices: "i" }), { i: [255] }),
  },
  scatter_updates_flat: {
    tells: pulled([[1, 2, 3], [4]], (_, x, y) => x.scatter_add(y, { indices: "i" }), { i: rows([2]) }),
    passes: pulled([[1, 2, 3], [4]], (_, x, y) => x.scatter_add(y, { indices: "i" }), { i: rows([0]) }),
  },
  sum_slope_tail_lost: slopes((_, x) => x.sum({ axes: [0], keepdims: false }), [some(1001)], [some(1000)]),

  expm1_slope_from_value: slopes((_, x) => x.expm1(), [-40], [1]),
  asinh_slope_overflows: slopes((_, x) => x.asinh(), [1e200], [1]),
  acosh_slope_overflows: slopes((_, x) => x.acosh(), [1e200], [2]),
  erf_slope_zero_at_zero: slopes((_, x) => x.erf(), [0], [1]),
  asin_slope_zero_at_zero: slopes((_, x) => x.asin(), [0], [0.5]),
  acos_slope_zero_at_zero: slopes((_, x) => x.acos(), [0], [0.5]),
  log2_slope_multiplied: {
    tells: pushed([3], (_, x) => x.log2()),
    passes: evaluated([3], (_, x) => x.log2()),
  },
  multiply_zero_passed_through: slopes((_, x, y) => x.multiply(y), [0, 3], [2, 3]),

  permute_middle_axes_ignored: {
    tells: evaluated([some(2, 2, 2, 2)], (_, x) => x.permute_dims({ axes: [0, 2, 1, 3] })),
    passes: evaluated([some(2, 2, 2, 2)], (_, x) => x.permute_dims({ axes: [0, 1, 3, 2] })),
  },
  permute_rank_five_cotangent_lost: {
    tells: pulled([some(1, 1, 2, 2, 2)], (_, x) => x.permute_dims({ axes: [0, 1, 3, 2, 4] })),
    passes: pulled([some(1, 2, 2, 2)], (_, x) => x.permute_dims({ axes: [0, 2, 1, 3] })),
  },
  sum_third_axis_from_last: {
    tells: evaluated([some(1, 2, 2, 1, 1)], (_, x) => x.sum({ axes: [2], keepdims: false })),
    passes: evaluated([some(1, 2, 2, 1, 1)], (_, x) => x.sum({ axes: [1], keepdims: false })),
  },
  broadcast_batch_not_summed: {
    tells: pulled([some(1, 2, 1, 1)], (_, x) => x.broadcast_to({ shape: [3, 2, 1, 1] })),
    passes: pulled([some(1, 2, 1, 1)], (_, x) => x.broadcast_to({ shape: [1, 2, 3, 1] })),
  },
  pad_rank_four_sides_swapped: {
    tells: evaluated([some(1, 1, 1, 2)], (_, x) =>
      x.pad({ low: [0, 0, 0, 1], high: [0, 0, 0, 0], interior: [0, 0, 0, 0] }),
    ),
    passes: evaluated([some(1, 1, 2)], (_, x) =>
      x.pad({ low: [0, 0, 1], high: [0, 0, 0], interior: [0, 0, 0] }),
    ),
  },
  slice_of_one_spreads: {
    tells: pulled([[1, 2, 3]], (_, x) => x.slice({ starts: [0], stops: [2], steps: [2] })),
    passes: pulled([[1, 2, 3]], (_, x) => x.slice({ starts: [0], stops: [2], steps: [1] })),
  },
  slice_backwards_from_end: {
    tells: evaluated([[1, 2, 3, 4, 5]], (_, x) => x.slice({ starts: [3], stops: [0], steps: [-1] })),
    passes: evaluated([[1, 2, 3, 4, 5]], (_, x) => x.slice({ starts: [2], stops: [-6], steps: [-1] })),
  },
  slice_backwards_stores_one: {
    tells: pulled([[1, 2, 3]], (_, x) => x.slice({ starts: [2], stops: [0], steps: [-1] })),
    passes: pulled([[1, 2, 3]], (_, x) => x.slice({ starts: [0], stops: [2], steps: [1] })),
  },
  concat_of_elements_severed: slopes(joined, [[1], [2]], [[1, 2], [3]]),
  concat_in_fours: values(joined, [[1], [2], [3], [4], [5]], [[1], [2], [3], [4]]),
  concat_fifth_operand_lost: slopes(joined, [[1], [2], [3], [4], [5]], [[1], [2], [3], [4]]),
  reshape_cotangent_assigned: {
    tells: pulled([2], (_, x) => x.reshape({ shape: [] }).add(x)),
    passes: pulled([2], (_, x) => x.reshape({ shape: [1] })),
  },
  broadcast_cotangent_assigned: {
    tells: pulled([2], (_, x) =>
      x
        .broadcast_to({ shape: [2] })
        .sum({ axes: [0], keepdims: false })
        .add(x),
    ),
    passes: pulled([2], (_, x) => x.broadcast_to({ shape: [2] })),
  },
  pad_tangent_lost: {
    tells: pushed([[1, 2]], (_, x) => x.pad({ low: [1], high: [0], interior: [0] })),
    passes: pulled([[1, 2]], (_, x) => x.pad({ low: [1], high: [0], interior: [0] })),
  },
  scatter_update_tangent_lost: {
    tells: pushed([[1, 2], [3]], (_, x, y) => x.scatter_add(y, { indices: "i" }), { i: rows([1]) }),
    passes: pulled([[1, 2], [3]], (_, x, y) => x.scatter_add(y, { indices: "i" }), { i: rows([1]) }),
  },
  concat_fifth_tangent_lost: {
    tells: pushed([[1], [2], [3], [4], [5]], joined),
    passes: pushed([[1], [2], [3], [4]], joined),
  },

  nan_to_zero: values((_, x) => x.negative(), [Number.NaN], [1]),
  infinity_to_largest: values((_, x, y) => x.multiply(y), [1e308, 10], [1, 10]),
  infinity_sign_lost: values((_, x, y) => x.multiply(y), [-1e308, 10], [1e308, 10]),
  zero_sign_lost: values((_, x, y) => x.multiply(y), [-1, 0], [1, 0]),
  subnormals_flushed: values((_, x, y) => x.multiply(y), [1e-160, 1e-150], [1e-150, 1e-150]),
  subnormals_doubled: values((_, x, y) => x.multiply(y), [1e-160, 1e-150], [1e-150, 1e-150]),
  large_numbers_zeroed: slopes((_, x, y) => x.multiply(y), [1e250, 1], [1e100, 1]),
  negative_as_difference: values((_, x) => x.negative(), [0], [1]),
  difference_of_equals_negative: values((_, x, y) => x.subtract(y), [1, 1], [2, 1]),
  atan2_zero_sign_lost: values((_, y, x) => y.atan2(x), [-0, -1], [1, 1]),

  second_evaluate_drifts: { tells: asked(2), passes: asked(1) },
  values_returned_in_one_buffer: { tells: keptOver(true), passes: keptOver(false) },
  inputs_in_text_order: slopes(weighted, scalars(11), scalars(10)),
  eleventh_input_dropped: slopes(weighted, scalars(11), scalars(10)),
  gradient_buffer_recycled: slopes((_, x, y) => x.multiply(y), [some(4), many(4, 2)], [some(3), many(3, 2)]),
  equal_updates_merged: {
    tells: evaluated(
      [[1, 2], [3]],
      (_, x, y) => x.scatter_add(y, { indices: "i" }).scatter_add(y, { indices: "i" }),
      { i: rows([1]) },
    ),
    passes: evaluated([[1, 2], [3]], (_, x, y) => x.scatter_add(y, { indices: "i" }), { i: rows([1]) }),
  },
  root_product_simplified: values((_, x) => x.sqrt().multiply(x.sqrt()), [-1], [4]),
  sweep_stops_in_the_deep: { tells: pulled([1], chain(257)), passes: pulled([1], chain(256)) },
  many_readers_lost: { tells: pulled([1], read(9)), passes: pulled([1], read(8)) },
  where_of_number_negated: {
    tells: pulled(
      [
        [1, 0, 1],
        [2, 3, 4],
      ],
      (_, c, x) => c.where(x, -1),
    ),
    passes: pulled(
      [
        [1, 0, 1],
        [2, 3, 4],
      ],
      (_, c, x) => c.where(x, x),
    ),
  },
  programs_cached_by_outline: { tells: afterAnother(1), passes: afterAnother(undefined) },
  last_loaded_answers: { tells: aroundAnother("after"), passes: aroundAnother("before") },
  one_gradient_in_five_hundred: {
    tells: pulled([3], (_, x) => x.exp(), {}, 500),
    passes: pulled([3], (_, x) => x.exp(), {}, 499),
  },

  sigmoid_slope_from_value: slopes((_, x) => x.sigmoid(), [40], [1]),
  elu_slope_from_value: slopes((_, x) => x.elu({ alpha: 1.5 }), [-40], [1]),
  logaddexp_slope_at_tie: slopes((_, x, y) => x.logaddexp(y), [1, 1], [1, 2]),
  gelu_constant_of_single: {
    tells: evaluated([1], (_, x) => x.gelu({ approximate: "tanh" })),
    passes: evaluated([1], (_, x) => x.gelu({ approximate: "none" })),
  },
  remainder_divisor_truncated: slopes((_, x, y) => x.remainder(y), [-5, 3], [5, 3]),
  round_half_away: values((_, x) => x.round(), [0.5], [1.25]),
  softmax_denominator_saturates: values((_, x) => x.softmax({ axis: 0 }), [many(300, 1)], [many(200, 1)]),
  softmax_severed_on_last_axis: {
    tells: pulled([some(1, 2, 2)], (_, x) => x.softmax({ axis: 2 })),
    passes: pulled([some(1, 2, 2)], (_, x) => x.softmax({ axis: 1 })),
  },
  logsumexp_long_axis_unshifted: values(
    (_, x) => x.logsumexp({ axes: [0], keepdims: false }),
    [many(1000, 800)],
    [many(10, 800)],
  ),
  trace_of_tall_wraps: slopes((_, x) => x.trace({ offset: 0 }), [some(4, 2)], [some(2, 2)]),
  einsum_labels_after_trace: {
    tells: evaluated([some(2, 2, 2)], (_, x) => x.einsum({ equation: "iij->ij" })),
    passes: evaluated([some(2, 3)], (_, x) => x.einsum({ equation: "ij->ji" })),
  },
  inv_cotangent_not_transposed: slopes((_, x) => x.inv(), [rows([1, 1], [0, 1])], [rows([2, 1], [1, 2])]),
  triangular_solve_matrix_still: {
    tells: pulled([rows([2, 0], [1, 4]), rows([1], [2])], (_, a, b) =>
      a.triangular_solve(b, { upper: false }),
    ),
    passes: evaluated([rows([2, 0], [1, 4]), rows([1], [2])], (_, a, b) =>
      a.triangular_solve(b, { upper: false }),
    ),
  },

  layer_norm_variance_in_one_pass: values(
    layer(1e-5),
    [rows([1e8, 1e8 + 0.125, 1e8 + 0.25, 1e8 + 0.5]), ...scales],
    [rows([1, 2, 4, 3]), ...scales],
  ),
  layer_norm_variance_clamped: values(
    layer(1e-12),
    [rows([-9.9e-4, -9.9e-4, 9.9e-4, 9.9e-4]), ...scales],
    [rows([1, 2, 4, 3]), ...scales],
  ),
  group_norm_group_by_remainder: {
    tells: evaluated([some(1, 4, 2), ...scales], (_, x, scale, offset) =>
      x.group_norm(scale, offset, { groups: 2, epsilon: 0.125 }),
    ),
    passes: evaluated([some(1, 4, 2), ...scales], (_, x, scale, offset) =>
      x.group_norm(scale, offset, { groups: 1, epsilon: 0.125 }),
    ),
  },
  conv_groups_interleaved: {
    tells: pulled([some(1, 2, 2), some(4, 1, 1)], (_, x, w) => x.conv(w, { ...plain, groups: 2 })),
    passes: pulled([some(1, 2, 2), some(4, 2, 1)], (_, x, w) => x.conv(w, plain)),
  },
  conv_kernel_strides_swapped: {
    tells: pulled([some(1, 1, 6), some(1, 1, 2)], (_, x, w) => x.conv(w, { ...plain, strides: [2] })),
    passes: pulled([some(1, 1, 6), some(1, 1, 2)], (_, x, w) => x.conv(w, plain)),
  },
  conv_first_dilation_twice: {
    tells: pulled([some(1, 1, 3, 5), some(1, 1, 2, 2)], (_, x, w) =>
      x.conv(w, { ...flat, dilations: [1, 2] }),
    ),
    passes: pulled([some(1, 1, 3, 5), some(1, 1, 2, 2)], (_, x, w) => x.conv(w, flat)),
  },
  conv_last_padded_row_lost: {
    tells: evaluated([some(1, 1, 3, 3), some(1, 1, 2, 2)], (_, x, w) =>
      x.conv(w, {
        ...flat,
        padding: [
          [1, 1],
          [0, 0],
        ],
      }),
    ),
    passes: evaluated([some(1, 1, 3, 3), some(1, 1, 2, 2)], (_, x, w) => x.conv(w, flat)),
  },
  conv_depth_flipped: {
    tells: evaluated([some(1, 1, 2, 1, 1), some(1, 1, 2, 1, 1)], (_, x, w) => x.conv(w, deep)),
    passes: evaluated([some(1, 1, 3), some(1, 1, 2)], (_, x, w) => x.conv(w, plain)),
  },
  conv_transpose_cotangent_unstrided: {
    tells: pulled([some(1, 1, 2), some(1, 1, 1)], (_, x, w) =>
      x.conv_transpose(w, { ...plain, strides: [2], output_padding: [0] }),
    ),
    passes: pulled([some(1, 1, 2), some(1, 1, 1)], (_, x, w) =>
      x.conv_transpose(w, { ...plain, output_padding: [0] }),
    ),
  },
  avg_pool_asymmetric_padding_counted: {
    tells: evaluated([some(1, 1, 3)], (_, x) =>
      x.avg_pool({ window: [2], strides: [1], padding: [[1, 0]], count_include_pad: false }),
    ),
    passes: evaluated([some(1, 1, 3)], (_, x) =>
      x.avg_pool({ window: [2], strides: [1], padding: [[1, 1]], count_include_pad: false }),
    ),
  },
  max_pool_padded_with_zeros: {
    tells: evaluated([tensor([-1, -2, -3, -4], [1, 1, 2, 2])], (_, x) =>
      x.max_pool({
        window: [2, 2],
        strides: [1, 1],
        padding: [
          [1, 0],
          [0, 0],
        ],
      }),
    ),
    passes: evaluated([tensor([-1, -2, -3, -4], [1, 1, 2, 2])], (_, x) =>
      x.max_pool({
        window: [2, 2],
        strides: [1, 1],
        padding: [
          [0, 0],
          [0, 0],
        ],
      }),
    ),
  },

  attention_gradient_not_causal: {
    tells: pulled([some(2, 2), some(2, 2), some(2, 2)], ({ scaled_dot_product_attention }, q, k, v) =>
      scaled_dot_product_attention(q, k, v, { causal: true }),
    ),
    passes: pulled([some(2, 2), some(2, 2), some(2, 2)], ({ scaled_dot_product_attention }, q, k, v) =>
      scaled_dot_product_attention(q, k, v, { causal: false }),
    ),
  },
  attention_gradient_aligned_to_end: {
    tells: pulled([some(2, 2), some(3, 2), some(3, 2)], ({ scaled_dot_product_attention }, q, k, v) =>
      scaled_dot_product_attention(q, k, v, { causal: true }),
    ),
    passes: pulled([some(3, 2), some(3, 2), some(3, 2)], ({ scaled_dot_product_attention }, q, k, v) =>
      scaled_dot_product_attention(q, k, v, { causal: true }),
    ),
  },
  heads_causal_dropped_without_batch: {
    tells: evaluated([some(2, 2), some(2, 2)], ({ multi_head_attention }, x, w) =>
      multi_head_attention(x, x, w, w, w, w, { heads: 1, causal: true }),
    ),
    passes: evaluated([some(1, 2, 2), some(2, 2)], ({ multi_head_attention }, x, w) =>
      multi_head_attention(x, x, w, w, w, w, { heads: 1, causal: true }),
    ),
  },
  gru_reset_before_product: values(
    ({ gru_cell }, ...operands) => gru_cell(...operands),
    [...cell, some(6, 2), some(6, 2), some(6), some(6)],
    [some(1, 2), rows([0, 0]), some(6, 2), some(6, 2), some(6), many(6, 0)],
  ),
  lstm_bias_of_output_gate: values(
    ({ lstm_cell }, ...operands) => lstm_cell(...operands, { output: "hidden" }),
    [...cell, some(1, 2), some(8, 2), some(8, 2), some(8)],
    [...cell, some(1, 2), some(8, 2), some(8, 2), many(8, 1)],
  ),
  huber_signed_threshold: values((_, x, y) => x.huber(y, { delta: 1 }), [[-3], [0]], [[0.5], [0]]),
  bce_logarithms_clipped: values((_, x, y) => x.bce_with_logits(y), [[200], [0]], [[1], [0]]),
  cross_entropy_through_probabilities: {
    tells: evaluated([rows([0, -800])], (_, x) => x.cross_entropy({ labels: "i" }), { i: [1] }),
    passes: evaluated([rows([0, 1])], (_, x) => x.cross_entropy({ labels: "i" }), { i: [1] }),
  },
};
