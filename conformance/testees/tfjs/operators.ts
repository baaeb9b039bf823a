import type * as TensorFlow from "@tensorflow/tfjs";
import { sliceAxis } from "../../../spec/operators/index.ts";
import type { EagerOperators, IndexEntry } from "../kit/library.ts";
import { onlyIf } from "./limits.ts";
import { spatialOperators } from "./spatial.ts";

type Library = typeof TensorFlow;
type Tensor = TensorFlow.Tensor;

/**
 * Returns TensorFlow.js's functions for adjudge's operators. What a function does not take is unsupported; so
 * is the gradient of a function that has none.
 */
export function tfjsOperators(tf: Library): EagerOperators<Tensor> {
  // tf.stopGradient is missing (tensorflow/tfjs#7438), so the numbers are copied, off the tape.
  const detach = (x: Tensor): Tensor => tf.tensor(x.dataSync(), x.shape, "float32");
  // Comparisons have no gradient (tensorflow/tfjs#7710): an operand on the tape would throw.
  const compared =
    (compare: (x: Tensor, y: Tensor) => Tensor) =>
    (_: unknown, [x, y]: readonly [Tensor, Tensor]): Tensor =>
      tf.cast(compare(detach(x), detach(y)), "float32");
  const isTrue = (x: Tensor): Tensor => tf.notEqual(detach(x), 0);
  return {
    full: ({ shape, value }) => tf.fill([...shape], value, "float32"),
    stop_gradient: (_, [x]) => detach(x),
    negative: (_, [x]) => tf.neg(x),
    exp: (_, [x]) => tf.exp(x),
    log: (_, [x]) => tf.log(x),
    sin: (_, [x]) => tf.sin(x),
    cos: (_, [x]) => tf.cos(x),
    tanh: (_, [x]) => tf.tanh(x),
    sqrt: (_, [x]) => tf.sqrt(x),
    relu: (_, [x]) => tf.relu(x),
    floor: (_, [x]) => tf.floor(x),
    expm1: (_, [x]) => tf.expm1(x),
    log1p: (_, [x]) => tf.log1p(x),
    tan: (_, [x]) => tf.tan(x),
    asin: (_, [x]) => tf.asin(x),
    acos: (_, [x]) => tf.acos(x),
    atan: (_, [x]) => tf.atan(x),
    sinh: (_, [x]) => tf.sinh(x),
    cosh: (_, [x]) => tf.cosh(x),
    asinh: (_, [x]) => tf.asinh(x),
    acosh: (_, [x]) => tf.acosh(x),
    atanh: (_, [x]) => tf.atanh(x),
    erf: (_, [x]) => tf.erf(x),
    add: (_, [x, y]) => tf.add(x, y),
    subtract: (_, [x, y]) => tf.sub(x, y),
    multiply: (_, [x, y]) => tf.mul(x, y),
    divide: (_, [x, y]) => tf.div(x, y),
    maximum: (_, [x, y]) => tf.maximum(x, y),
    less: compared(tf.less),
    equal: compared(tf.equal),
    pow: (_, [x, y]) => tf.pow(x, y),
    atan2: (_, [x, y]) => tf.atan2(x, y),
    where: (_, [condition, x, y]) => tf.where(isTrue(condition), x, y),
    sum: ({ axes, keepdims }, [x]) => tf.sum(x, [...axes], keepdims),
    broadcast_to: ({ shape }, [x]) => tf.broadcastTo(x, [...shape]),
    reshape: ({ shape }, [x]) => tf.reshape(x, [...shape]),
    permute_dims: ({ axes }, [x]) => tf.transpose(x, [...axes]),
    concat: ({ axis }, xs) => tf.concat([...xs], axis),
    take: ({ axis, indices }, [x], named) => tf.gather(x, tf.tensor1d(named(indices).data, "int32"), axis),
    slice({ starts, stops, steps }, [x]) {
      onlyIf(x.rank > 0, "tf.slice is not of scalars");
      const kept = x.shape.map((extent, axis) =>
        sliceAxis(extent, starts[axis] ?? 0, stops[axis] ?? 0, steps[axis] ?? 1),
      );
      if (steps.every((step) => step === 1)) {
        return tf.slice(
          x,
          kept.map(({ first }) => first),
          kept.map(({ count }) => count),
        );
      }
      // tf.stridedSlice has no gradient; tf.gather has, and takes the same elements.
      return kept.reduce((rest, { first, count }, axis) => {
        const taken = Int32Array.from({ length: count }, (_, i) => first + i * (steps[axis] ?? 1));
        return tf.gather(rest, tf.tensor1d(taken, "int32"), axis);
      }, x);
    },
    pad({ low, high, interior }, [x]) {
      onlyIf(x.rank > 0, "tf.pad is not of scalars");
      const sides = low.map((before, axis): [number, number] => [before, high[axis] ?? 0]);
      return tf.pad(interior.reduce(spread, x), sides);
    },
    gather({ indices }, [x], named) {
      onlyIf(x.size > 0, "tf.gatherND is not of empty tensors");
      const { shape, data } = named(indices);
      return tf.gatherND(x, tf.tensor(data, [...shape], "int32"));
    },
    cumulative_sum: ({ axis }, [x]) => tf.cumsum(x, axis),
    matmul: (_, [x, y]) => tf.matMul(x, y),
    abs: (_, [x]) => tf.abs(x),
    sign: (_, [x]) => tf.sign(x),
    square: (_, [x]) => tf.square(x),
    reciprocal: (_, [x]) => tf.reciprocal(x),
    ceil: (_, [x]) => tf.ceil(x),
    round: (_, [x]) => tf.round(x),
    identity: (_, [x]) => tf.clone(x),
    minimum: (_, [x, y]) => tf.minimum(x, y),
    remainder: (_, [x, y]) => tf.mod(x, y),
    not_equal: compared(tf.notEqual),
    less_equal: compared(tf.lessEqual),
    greater: compared(tf.greater),
    greater_equal: compared(tf.greaterEqual),
    logical_not: (_, [x]) => tf.cast(tf.logicalNot(isTrue(x)), "float32"),
    logical_and: compared((x, y) => tf.logicalAnd(isTrue(x), isTrue(y))),
    logical_or: compared((x, y) => tf.logicalOr(isTrue(x), isTrue(y))),
    logical_xor: compared((x, y) => tf.logicalXor(isTrue(x), isTrue(y))),
    sigmoid: (_, [x]) => tf.sigmoid(x),
    softplus: (_, [x]) => tf.softplus(x),
    leaky_relu: ({ slope }, [x]) => tf.leakyRelu(x, slope),
    elu({ alpha }, [x]) {
      onlyIf(alpha === 1, "tf.elu has no alpha");
      return tf.elu(x);
    },
    ...spatialOperators(tf),
    softmax({ axis }, [x]) {
      onlyIf(axis === x.rank - 1, "tf.softmax is along the last axis");
      return tf.softmax(x);
    },
    log_softmax({ axis }, [x]) {
      onlyIf(axis === x.rank - 1, "tf.logSoftmax is along the last axis");
      return tf.logSoftmax(x);
    },
    batch_norm_eval({ axis, epsilon }, [x, scale, offset, mean, variance]) {
      onlyIf(axis === x.rank - 1 && x.rank >= 2 && x.rank <= 4, "tf.batchNorm has the channels last");
      return tf.batchNorm(x, vector(mean), vector(variance), vector(offset), vector(scale), epsilon);
    },
    embedding: ({ indices }, [x], named) => tf.gather(x, tf.tensor1d(named(indices).data, "int32")),
    mse: (_, [x, y]) => tf.losses.meanSquaredError(y, x),
    huber: ({ delta }, [x, y]) => tf.losses.huberLoss(y, x, undefined, delta),
    cross_entropy: ({ labels }, [x], named) =>
      tf.losses.softmaxCrossEntropy(oneHot(named(labels), x.shape[1] ?? 0), x),
    bce_with_logits: (_, [x, y]) => tf.losses.sigmoidCrossEntropy(y, x),
    mean: ({ axes, keepdims }, [x]) => tf.mean(x, [...axes], keepdims),
    prod: ({ axes, keepdims }, [x]) => tf.prod(x, [...axes], keepdims),
    max: ({ axes, keepdims }, [x]) => tf.max(x, [...axes], keepdims),
    min: ({ axes, keepdims }, [x]) => tf.min(x, [...axes], keepdims),
    var({ axes, keepdims, correction }, [x]) {
      onlyIf(correction === 0, "tf.moments has no correction");
      return tf.moments(x, [...axes], keepdims).variance;
    },
    logsumexp: ({ axes, keepdims }, [x]) => tf.logSumExp(x, [...axes], keepdims),
    norm({ axes, keepdims }, [x]) {
      onlyIf(axes.length === 1 || axes.length === 2, "tf.norm is over one axis or two");
      return tf.norm(x, "euclidean", [...axes], keepdims);
    },
    cumulative_prod: ({ axis }, [x]) => tf.cumprod(x, axis),
    argmax({ axis, keepdims }, [x]) {
      const places = tf.cast(tf.argMax(detach(x), axis), "float32");
      return keepdims ? tf.expandDims(places, axis) : places;
    },
    stack: ({ axis }, xs) => tf.stack([...xs], axis),
    split: ({ axis, sections, part }, [x]) => partOf(tf.split(x, sections, axis), part),
    flip: ({ axes }, [x]) => tf.reverse(x, [...axes]),
    tile({ repetitions }, [x]) {
      onlyIf(repetitions.length === x.rank, "tf.tile repeats every axis");
      return tf.tile(x, [...repetitions]);
    },
    one_hot: ({ indices, classes }, _, named) => oneHot(named(indices), classes),
    tril({ offset }, [x]) {
      onlyIf(offset >= 0, "tf.linalg.bandPart keeps the diagonal");
      return tf.linalg.bandPart(x, -1, Math.min(offset, x.shape.at(-1) ?? 0));
    },
    triu({ offset }, [x]) {
      onlyIf(offset <= 0, "tf.linalg.bandPart keeps the diagonal");
      return tf.linalg.bandPart(x, Math.min(-offset, x.shape.at(-2) ?? 0), -1);
    },
    top_k({ axis, k }, [x]) {
      onlyIf(axis === x.rank - 1, "tf.topk is along the last axis");
      return tf.topk(x, k).values;
    },
    vecdot(_, [x, y]) {
      onlyIf(x.rank === 1, "tf.dot is of vectors and matrices");
      return tf.dot(x, y);
    },
    outer: (_, [x, y]) => tf.outerProduct(vector(x), vector(y)),
    einsum({ equation }, operands) {
      const [names = ""] = equation.split("->");
      const isPlain = names.split(",").every((one) => new Set(one).size === one.length);
      onlyIf(operands.length <= 2 && isPlain, "tf.einsum is of one operand or two, without diagonals");
      return tf.einsum(equation, ...operands);
    },
  };
  function oneHot({ data }: IndexEntry, classes: number): Tensor {
    onlyIf(classes >= 2, "tf.oneHot has two classes at least");
    return tf.oneHot(tf.tensor1d(data, "int32"), classes, 1, 0, "float32");
  }

  /** Puts `gap` zeros between the elements of `x` along the axis, by a padded axis after it, flattened. */
  function spread(x: Tensor, gap: number, axis: number): Tensor {
    const extent = x.shape[axis] ?? 0;
    if (gap === 0 || extent < 2) return x;
    const apart = x.shape.toSpliced(axis + 1, 0, 1);
    const sides = apart.map((_, at): [number, number] => [0, at === axis + 1 ? gap : 0]);
    const flat = tf.reshape(tf.pad(tf.reshape(x, apart), sides), x.shape.with(axis, extent * (1 + gap)));
    const origin = x.shape.map(() => 0);
    return tf.slice(flat, origin, x.shape.with(axis, extent * (1 + gap) - gap));
  }

  /** Reshapes to rank 1, for the compiler. */
  function vector(x: Tensor): TensorFlow.Tensor1D {
    return tf.reshape<TensorFlow.Rank.R1>(x, [x.size]);
  }
}

function partOf(parts: readonly Tensor[], part: number): Tensor {
  const found = parts[part];
  if (found === undefined) throw new RangeError(`tf.split gave ${parts.length} parts`);
  return found;
}
