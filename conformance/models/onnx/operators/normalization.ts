import type { Value } from "../../../../spec/builder/index.ts";
import { sizeOf } from "../../../../spec/shapes/index.ts";
import type { Call, Rule } from "../call.ts";
import { known } from "../operand.ts";
import { elementTypes } from "../wire/model.ts";
import { cut } from "./movement.ts";

const EPSILON = 1e-5;

/** Statistics may be computed in another precision than x; that of a graph is one. */
function stashed(call: Call): void {
  const type = call.int("stash_type", elementTypes.float);
  if (type !== elementTypes.float && type !== elementTypes.double)
    call.refuse(
      "its stash_type is neither float nor double.",
      "leave it out: a graph is judged in any precision (-d)",
    );
}

/** The axes from one on, which count as one. */
function trailing(call: Call): { axis: number; axes: number[] } {
  const axis = call.axis(call.int("axis", -1));
  return { axis, axes: call.shape().flatMap((_, other) => (other < axis ? [] : [other])) };
}

const layerNormalization: Rule = {
  operands: [2, 3],
  apply(call) {
    const { axes } = trailing(call);
    const epsilon = call.float("epsilon", EPSILON);
    stashed(call);
    const x = call.float_(0);
    const shape = x.shape.slice(axes[0]);
    const fits = (place: number): boolean =>
      !call.hasOperand(place) || call.shape(place).join() === shape.join();
    if (call.results === 1 && call.hasOperand(2) && fits(1) && fits(2))
      return x.layer_norm(call.value(1), call.value(2), { axes, epsilon });
    const mean = x.mean({ axes, keepdims: true });
    const centred = x.subtract(mean);
    const deviation = centred.square().mean({ axes, keepdims: true }).add(epsilon).sqrt();
    const scaled = centred.divide(deviation).multiply(call.value(1));
    const shifted = call.hasOperand(2) ? scaled.add(call.value(2)) : scaled;
    return [shifted, mean, deviation.reciprocal()];
  },
};

const rmsNormalization: Rule = {
  operands: [2, 2],
  since: 23,
  apply(call) {
    const { axes } = trailing(call);
    const epsilon = call.float("epsilon", EPSILON);
    stashed(call);
    const x = call.float_(0);
    const size = x.square().mean({ axes, keepdims: true }).add(epsilon).sqrt();
    return x.divide(size).multiply(call.value(1));
  },
};

const batchNormalization: Rule = {
  operands: [5, 5],
  apply(call) {
    const epsilon = call.float("epsilon", EPSILON);
    call.float("momentum", 0.9);
    const [x, scale, offset] = [call.float_(0), call.value(1), call.value(2)];
    if (!call.flag("training_mode"))
      return x.batch_norm_eval(scale, offset, call.value(3), call.value(4), { axis: 1, epsilon });
    const why = "the running statistics of a BatchNormalization in training are no part of its gradient.";
    return [x.batch_norm_train(scale, offset, { axis: 1, epsilon }), call.absent(why), call.absent(why)];
  },
};

const instanceNormalization: Rule = {
  operands: [3, 3],
  apply(call) {
    const groups = call.shape()[1] ?? 0;
    const epsilon = call.float("epsilon", EPSILON);
    return call.float_(0).group_norm(call.value(1), call.value(2), { groups, epsilon });
  },
};

/** Before version 21 scale and bias have an element for each group, then for each channel. */
const groupNormalization: Rule = {
  operands: [3, 3],
  since: 18,
  apply(call) {
    const groups = call.int("num_groups", 0);
    const epsilon = call.float("epsilon", EPSILON);
    if (call.version >= 21) stashed(call);
    const channels = call.shape()[1] ?? 0;
    const wide = (place: number): Value => {
      const x = call.value(place);
      if (call.version >= 21) return x;
      call.expectShape(place, [groups]);
      const each = channels / groups;
      if (!Number.isInteger(each))
        return call.refuse("the groups do not divide the channels.", "choose others");
      const shape = [groups, each];
      return x
        .reshape({ shape: [groups, 1] })
        .broadcast_to({ shape })
        .reshape({ shape: [channels] });
    };
    return call.float_(0).group_norm(wide(1), wide(2), { groups, epsilon });
  },
};

const lpNormalization: Rule = {
  operands: [1, 1],
  apply(call) {
    const axis = call.axis(call.int("axis", -1));
    const over = { axes: [axis], keepdims: true };
    const x = call.float_(0);
    const p = call.int("p", 2);
    if (p !== 1 && p !== 2) return call.refuse(`its p is ${p}.`, "use 1 or 2");
    const length = p === 1 ? x.abs().sum(over) : x.norm(over);
    // What has no length stays 0.
    return length.equal(0).where(0, x.divide(length));
  },
};

const meanVariance: Rule = {
  operands: [1, 1],
  apply(call) {
    const axes = call.axes(call.ints("axes") ?? [0, 2, 3]);
    const x = call.float_(0);
    const centred = x.subtract(x.mean({ axes, keepdims: true }));
    const deviation = centred.square().mean({ axes, keepdims: true }).sqrt();
    return centred.divide(deviation.add(Math.fround(1e-9)));
  },
};

/** x by a power of the sum of squares of channels near by. */
const lrn: Rule = {
  operands: [1, 1],
  apply(call) {
    const [alpha, beta] = [call.float("alpha", 1e-4), call.float("beta", 0.75)];
    const [bias, size] = [call.float("bias", 1), call.int("size", 0)];
    if (size < 1 || size > 2 ** 12) return call.refuse(`its size is ${size}.`, "use a size from 1 on");
    const x = call.float_(0);
    const channels = x.shape[1] ?? 0;
    const [low, high] = [Math.floor((size - 1) / 2), Math.ceil((size - 1) / 2)];
    const only = (extent: number): number[] => x.shape.map((_, axis) => (axis === 1 ? extent : 0));
    const wide = x.square().pad({ low: only(low), high: only(high), interior: only(0) });
    const near = Array.from({ length: size }, (_, shift) => cut(wide, 1, shift, shift + channels));
    const total = near.reduce((sum, one) => sum.add(one));
    return x.divide(
      total
        .multiply(alpha)
        .divide(size)
        .add(bias)
        .pow(call.builder.full({ shape: x.shape, value: beta })),
    );
  },
};

const dropout: Rule = {
  operands: [1, 3],
  apply(call) {
    call.int("seed", 0);
    const isTraining = call.hasOperand(2) && call.number(2, "training_mode") !== 0;
    if (isTraining)
      return call.refuse("it draws random numbers.", "set training_mode to false, or leave it out");
    const x = call.value(0);
    const ones = call.builder.full({ shape: x.shape, value: 1 });
    return [call.operand(0), call.typed(ones, elementTypes.bool)];
  },
};

/** Losses with labels that are known. */
function labelled(isLogits: boolean): Rule {
  return {
    operands: [2, 3],
    apply(call) {
      const scores = call.float_(0);
      const [batch = 0, classes = 0, ...rest] = scores.shape;
      call.expectShape(1, [batch, ...rest]);
      const ignored = call.has("ignore_index") ? call.int("ignore_index", 0) : undefined;
      const labels = call.integers(1, "labels");
      const kept = labels.map((label) => (label === ignored ? 0 : 1));
      const chosen = call.counted(
        labels.map((label) => (label === ignored ? 0 : label)),
        classes,
      );
      const logs = isLogits ? scores.log_softmax({ axis: 1 }) : scores;
      const shape = [batch, 1, ...rest];
      const found = logs.take_along_axis({ axis: 1, indices: call.index(shape, chosen) });
      const losses = found.reshape({ shape: [batch, ...rest] }).negative();
      const size = sizeOf([batch, ...rest]);
      const isWeighted = call.hasOperand(2);
      const isIgnoring = kept.includes(0);
      const ones = known(call.type(), losses.shape, kept);
      const mask = isIgnoring ? call.workshop.value(ones) : undefined;
      const picked = isWeighted
        ? call
            .value(2)
            .take({ axis: 0, indices: call.index([size], chosen) })
            .reshape({ shape: losses.shape })
        : undefined;
      const weights = [mask, picked].filter((one) => one !== undefined).reduce(multiplied, undefined);
      const weightedLosses = weights === undefined ? losses : losses.multiply(weights);
      const over = { axes: losses.shape.map((_, axis) => axis), keepdims: false };
      const reduction = call.text("reduction", "mean");
      const total = weightedLosses.sum(over);
      const loss =
        reduction === "none"
          ? weightedLosses
          : reduction === "sum"
            ? total
            : total.divide(weights === undefined ? size : weights.sum(over));
      return isLogits ? [loss, logs] : loss;
    },
  };
}

function multiplied(x: Value | undefined, y: Value): Value {
  return x === undefined ? y : x.multiply(y);
}

/** Normalizations, and losses. */
export const normalization: Readonly<Record<string, Rule>> = {
  BatchNormalization: batchNormalization,
  Dropout: dropout,
  GroupNormalization: groupNormalization,
  InstanceNormalization: instanceNormalization,
  LRN: lrn,
  LayerNormalization: layerNormalization,
  LpNormalization: lpNormalization,
  MeanVarianceNormalization: meanVariance,
  NegativeLogLikelihoodLoss: labelled(false),
  RMSNormalization: rmsNormalization,
  SoftmaxCrossEntropyLoss: labelled(true),
};
