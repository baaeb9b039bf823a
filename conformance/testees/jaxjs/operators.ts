import type * as JaxJs from "@jax-js/jax";
import { sliceAxis } from "../../../spec/operators/index.ts";
import type { DataType } from "../../../spec/wire/index.ts";
import { type EagerOperators, Unsupported } from "../kit/library.ts";

type Library = typeof JaxJs;
type JaxArray = JaxJs.Array;

/** Returns jax-js's functions for adjudge's operators; what they do not take is unsupported. */
export function jaxjsOperators({ lax, nn, numpy: np }: Library): EagerOperators<JaxArray> {
  const typed = (x: JaxArray, dtype: DataType): JaxArray =>
    np.astype(x, np[dtype === "float32" ? "float32" : "float64"]);
  const compared =
    (compare: (x: JaxArray, y: JaxArray) => JaxArray) =>
    (_: unknown, [x, y]: readonly [JaxArray, JaxArray], _named: unknown, dtype: DataType): JaxArray =>
      typed(compare(x, y), dtype);
  const isTrue = (x: JaxArray): JaxArray => np.notEqual(x, 0);
  const places = (entry: Int32Array<ArrayBuffer>, shape: readonly number[] = [entry.length]): JaxArray => {
    if (entry.length === 0) return np.zeros([...shape], { dtype: np.int32 });
    return np.array(entry, { shape: [...shape] });
  };
  return {
    full: ({ shape, value }, _, _named, dtype) =>
      np.full([...shape], value, { dtype: np[dtype === "float32" ? "float32" : "float64"] }),
    stop_gradient: (_, [x]) => lax.stopGradient(x),
    negative: (_, [x]) => np.negative(x),
    exp: (_, [x]) => np.exp(x),
    log: (_, [x]) => np.log(x),
    sin: (_, [x]) => np.sin(x),
    cos: (_, [x]) => np.cos(x),
    tanh: (_, [x]) => np.tanh(x),
    sqrt: (_, [x]) => np.sqrt(x),
    relu: (_, [x]) => nn.relu(x),
    floor: (_, [x]) => np.floor(x),
    expm1: (_, [x]) => np.expm1(x),
    log1p: (_, [x]) => np.log1p(x),
    log2: (_, [x]) => np.log2(x),
    tan: (_, [x]) => np.tan(x),
    asin: (_, [x]) => np.asin(x),
    acos: (_, [x]) => np.acos(x),
    atan: (_, [x]) => np.atan(x),
    sinh: (_, [x]) => np.sinh(x),
    cosh: (_, [x]) => np.cosh(x),
    asinh: (_, [x]) => np.asinh(x),
    acosh: (_, [x]) => np.acosh(x),
    atanh: (_, [x]) => np.atanh(x),
    erf: (_, [x]) => lax.erf(x),
    add: (_, [x, y]) => np.add(x, y),
    subtract: (_, [x, y]) => np.subtract(x, y),
    multiply: (_, [x, y]) => np.multiply(x, y),
    divide: (_, [x, y]) => np.divide(x, y),
    maximum: (_, [x, y]) => np.maximum(x, y),
    less: compared(np.less),
    equal: compared(np.equal),
    pow: (_, [x, y]) => np.pow(x, y),
    atan2: (_, [x, y]) => np.atan2(x, y),
    hypot: (_, [x, y]) => np.hypot(x, y),
    where: (_, [condition, x, y]) => np.where(isTrue(condition), x, y),
    sum: ({ axes, keepdims }, [x]) => np.sum(x, [...axes], { keepdims }),
    broadcast_to: ({ shape }, [x]) => np.broadcastTo(x, [...shape]),
    reshape: ({ shape }, [x]) => np.reshape(x, [...shape]),
    permute_dims: ({ axes }, [x]) => np.transpose(x, [...axes]),
    concat: ({ axis }, xs) => np.concatenate([...xs], axis),
    take: ({ axis, indices }, [x], named) => np.take(x, places(named(indices).data), axis),
    slice({ starts, stops, steps }, [x]) {
      const kept = x.shape.map((extent, axis) =>
        sliceAxis(extent, starts[axis] ?? 0, stops[axis] ?? 0, steps[axis] ?? 1),
      );
      if (steps.every((step) => step === 1)) {
        return x.slice(...kept.map(({ first, count }): [number, number] => [first, first + count]));
      }
      // jax-js says "Strided slices are not yet implemented"; numpy.take takes the same elements.
      return kept.reduce((rest, { first, count }, axis) => {
        const taken = Int32Array.from({ length: count }, (_, i) => first + i * (steps[axis] ?? 1));
        return np.take(rest, places(taken), axis);
      }, x);
    },
    pad({ low, high, interior }, [x]) {
      const sides = low.map((before, axis): [number, number] => [before, high[axis] ?? 0]);
      return np.pad(interior.reduce(spread, x), sides);
    },
    take_along_axis({ axis, indices }, [x], named) {
      const { data, shape } = named(indices);
      return np.takeAlongAxis(x, places(data, shape), axis);
    },
    gather({ indices }, [x], named) {
      const { data, shape } = named(indices);
      const depth = shape.at(-1) ?? 1;
      // Each axis that a row indexes gets one array of indices.
      const columns = Array.from({ length: depth }, (_, column) =>
        places(
          data.filter((_index, at) => at % depth === column),
          shape.slice(0, -1),
        ),
      );
      return x.slice(...columns);
    },
    cumulative_sum: ({ axis }, [x]) => np.cumsum(x, axis),
    matmul: (_, [x, y]) => np.matmul(x, y),
    solve: (_, [a, b]) => np.linalg.solve(a, b),
    det: (_, [a]) => np.linalg.det(a),
    abs: (_, [x]) => np.abs(x),
    sign: (_, [x]) => np.sign(x),
    square: (_, [x]) => np.square(x),
    reciprocal: (_, [x]) => np.reciprocal(x),
    ceil: (_, [x]) => np.ceil(x),
    round: (_, [x]) => np.round(x),
    identity: (_, [x]) => nn.identity(x),
    minimum: (_, [x, y]) => np.minimum(x, y),
    clip: (_, [x, low, high]) => np.clip(x, low, high),
    remainder: (_, [x, y]) => np.remainder(x, y),
    copysign: (_, [x, y]) => np.copysign(x, y),
    not_equal: compared(np.notEqual),
    less_equal: compared(np.lessEqual),
    greater: compared(np.greater),
    greater_equal: compared(np.greaterEqual),
    logical_not: (_, [x], _named, dtype) => typed(np.logicalNot(x), dtype),
    logical_and: compared(np.logicalAnd),
    logical_or: compared(np.logicalOr),
    logical_xor: compared(np.logicalXor),
    sigmoid: (_, [x]) => nn.sigmoid(x),
    softplus: (_, [x]) => nn.softplus(x),
    logaddexp: (_, [x, y]) => np.logaddexp(x, y),
    silu: (_, [x]) => nn.silu(x),
    leaky_relu: ({ slope }, [x]) => nn.leakyRelu(x, slope),
    elu: ({ alpha }, [x]) => nn.elu(x, alpha),
    gelu: ({ approximate }, [x]) => nn.gelu(x, { approximate: approximate === "tanh" }),
    conv: ({ strides, padding, dilations, groups }, [x, w]) =>
      lax.convGeneralDilated(x, w, [...strides], pairs(padding), {
        rhsDilation: [...dilations],
        featureGroupCount: groups,
      }),
    conv_transpose({ strides, padding, dilations, groups, output_padding }, [x, w]) {
      onlyIf(groups === 1, "lax.convTranspose has no groups");
      const cut = padding.map(([low, high], axis): [number, number] => [
        low,
        high - (output_padding[axis] ?? 0),
      ]);
      return lax.convTranspose(x, w, [...strides], cut, {
        rhsDilation: [...dilations],
        transposeKernel: true,
      });
    },
    max_pool({ window, strides, padding }, [x]) {
      onlyIf(isUnpadded(padding), "lax.reduceWindow takes no padding");
      return lax.reduceWindow(x, (elements) => np.max(elements), [1, 1, ...window], [1, 1, ...strides]);
    },
    avg_pool({ window, strides, padding }, [x]) {
      onlyIf(isUnpadded(padding), "lax.reduceWindow takes no padding");
      return lax.reduceWindow(x, (elements) => np.mean(elements), [1, 1, ...window], [1, 1, ...strides]);
    },
    softmax: ({ axis }, [x]) => nn.softmax(x, axis),
    log_softmax: ({ axis }, [x]) => nn.logSoftmax(x, axis),
    embedding: ({ indices }, [x], named) => np.take(x, places(named(indices).data), 0),
    scaled_dot_product_attention({ causal }, [q, k, v, mask]) {
      // Its arrays are [length, heads, d], or the same with a batch in front: here there is one head.
      const oneHead = (x: JaxArray): JaxArray => np.expandDims(x, x.ndim - 1);
      onlyIf(q.ndim <= 3 && k.shape.at(-1) === v.shape.at(-1), "one batch axis at most, and as many columns");
      const isBatched = q.ndim === 3;
      const bias = mask === undefined ? {} : { bias: isBatched ? biasOf(mask) : mask };
      const seen = nn.dotProductAttention(oneHead(q), oneHead(k), oneHead(v), { ...bias, isCausal: causal });
      return np.squeeze(seen, isBatched ? 2 : 1);
    },
    mean: ({ axes, keepdims }, [x]) => np.mean(x, [...axes], { keepdims }),
    prod: ({ axes, keepdims }, [x]) => np.prod(x, [...axes], { keepdims }),
    max: ({ axes, keepdims }, [x]) => np.max(x, [...axes], { keepdims }),
    min: ({ axes, keepdims }, [x]) => np.min(x, [...axes], { keepdims }),
    var: ({ axes, keepdims, correction }, [x]) => np.var_(x, [...axes], { keepdims, correction }),
    logsumexp: ({ axes, keepdims }, [x]) => nn.logsumexp(x, [...axes], { keepdims }),
    norm: ({ axes, keepdims }, [x]) => np.linalg.vectorNorm(x, { axis: [...axes], keepdims }),
    cumulative_prod: ({ axis }, [x]) => np.cumprod(x, axis),
    argmax: ({ axis, keepdims }, [x], _named, dtype) => typed(np.argmax(x, axis, { keepdims }), dtype),
    stack: ({ axis }, xs) => np.stack([...xs], axis),
    split: ({ axis, sections, part }, [x]) => kept(np.split(x, sections, axis), part),
    flip: ({ axes }, [x]) => np.flip(x, [...axes]),
    roll: ({ shift, axis }, [x]) => np.roll(x, shift, axis),
    tile: ({ repetitions }, [x]) => np.tile(x, [...repetitions]),
    one_hot: ({ indices, classes }, _, named, dtype) =>
      typed(nn.oneHot(places(named(indices).data), classes), dtype),
    diagonal: ({ offset }, [x]) => np.diagonal(x, within(offset, x), -2, -1),
    tril: ({ offset }, [x]) => np.tril(x, offset),
    triu: ({ offset }, [x]) => np.triu(x, offset),
    sort({ axis, descending }, [x]) {
      onlyIf(!descending, "numpy.sort is ascending");
      return np.sort(x, axis);
    },
    top_k: ({ axis, k }, [x]) => kept(lax.topK(x, k, axis), 0),
    vecdot: ({ axis }, [x, y]) => np.vecdot(x, y, { axis }),
    outer: (_, [x, y]) => np.outer(x, y),
    einsum: ({ equation }, operands) => np.einsum(equation, ...operands),
    trace: ({ offset }, [x]) => np.trace(x, within(offset, x), -2, -1),
    inv: (_, [a]) => np.linalg.inv(a),
    cholesky: ({ upper }, [a]) => np.linalg.cholesky(a, { upper }),
    triangular_solve: ({ upper }, [a, b]) =>
      lax.linalg.triangularSolve(a, b, { leftSide: true, lower: !upper }),
  };

  /** Puts `gap` zeros between the elements of `x` along the axis, by a padded axis after it, flattened. */
  function spread(x: JaxArray, gap: number, axis: number): JaxArray {
    const { shape } = x;
    const extent = shape[axis] ?? 0;
    if (gap === 0 || extent < 2) return x;
    const apart = shape.toSpliced(axis + 1, 0, 1);
    const sides = apart.map((_, at): [number, number] => [0, at === axis + 1 ? gap : 0]);
    const flat = np.reshape(np.pad(np.reshape(x, apart), sides), shape.with(axis, extent * (1 + gap)));
    return flat.slice(
      ...shape.map((whole, at): [number, number] => [0, at === axis ? extent * (1 + gap) - gap : whole]),
    );
  }

  /** Makes a mask of [...batch, L, S], or less, broadcast to [batch, heads, L, S]. */
  function biasOf(mask: JaxArray): JaxArray {
    return mask.ndim === 3 ? np.expandDims(mask, 1) : mask;
  }
}

/** Returns `offset`, if that diagonal meets the matrices `x`. */
function within(offset: number, { shape }: JaxArray): number {
  const meets = offset < (shape.at(-1) ?? 0) && -offset < (shape.at(-2) ?? 0);
  onlyIf(meets, "numpy.diagonal refuses an offset that leaves the matrix");
  return offset;
}

function onlyIf(isTaken: boolean, limit: string): void {
  if (!isTaken) throw new Unsupported(limit);
}

function isUnpadded(padding: readonly (readonly [number, number])[]): boolean {
  return padding.every(([low, high]) => low === 0 && high === 0);
}

function pairs(padding: readonly (readonly [number, number])[]): [number, number][] {
  return padding.map(([low, high]) => [low, high]);
}

/** Keeps one of several results, and disposes of the others. */
function kept(results: readonly JaxArray[], part: number): JaxArray {
  const chosen = results[part];
  if (chosen === undefined) throw new RangeError(`${results.length} results`);
  for (const result of results) if (result !== chosen) result.dispose();
  return chosen;
}
