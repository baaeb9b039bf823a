import type * as TensorFlow from "@tensorflow/tfjs";
import type { EagerOperators } from "../kit/library.ts";
import { onlyIf } from "./limits.ts";

type Library = typeof TensorFlow;
type Tensor = TensorFlow.Tensor;
type Sides = readonly (readonly [low: number, high: number])[];
type Pair = [number, number];
type Triple = [number, number, number];

/** Convolutions and pools. TensorFlow.js has channels last, and a function per number of spatial axes. */
export function spatialOperators(
  tf: Library,
): Pick<EagerOperators<Tensor>, "conv" | "conv_transpose" | "max_pool" | "avg_pool"> {
  const channelsLast = (x: Tensor): Tensor => tf.transpose(x, [0, ...spatialAxes(x), 1]);
  const channelsFirst = (x: Tensor): Tensor =>
    tf.transpose(x, [0, x.rank - 1, ...spatialAxes(x).map((axis) => axis - 1)]);
  // Kernels [O, I, ...window] become [...window, I, O]; transposed [C, O, ...window] become [...window, O,
  // C].
  const kernel = (w: Tensor): Tensor => tf.transpose(w, [...spatialAxes(w), 1, 0]);
  const rank3 = (x: Tensor): TensorFlow.Tensor3D => tf.reshape<TensorFlow.Rank.R3>(x, triple(x.shape));
  const rank4 = (x: Tensor): TensorFlow.Tensor4D => tf.reshape<TensorFlow.Rank.R4>(x, quadruple(x.shape));
  const rank5 = (x: Tensor): TensorFlow.Tensor5D => tf.reshape<TensorFlow.Rank.R5>(x, quintuple(x.shape));

  /** Pools 2 or 3 spatial axes; one axis is a plane of extent 1 in the other, as in tf.layers. */
  function pooled(
    x: Tensor,
    { window, strides, padding }: PoolAttributes,
    plane: (x: TensorFlow.Tensor4D, window: Pair, strides: Pair, pad: Explicit) => Tensor,
    space: (x: TensorFlow.Tensor5D, window: Triple, strides: Triple, pad: "valid") => Tensor,
  ): Tensor {
    if (window.length === 1) {
      const wide = { window: [1, ...window], strides: [1, ...strides], padding: [none, ...padding] };
      return tf.squeeze(pooled(tf.expandDims(x, 2), wide, plane, space), [2]);
    }
    const last = channelsLast(x);
    if (window.length === 2) {
      return channelsFirst(plane(rank4(last), pair(window), pair(strides), explicit(padding)));
    }
    onlyIf(window.length === 3 && isUnpadded(padding), "pools of 3 axes take no explicit padding");
    return channelsFirst(space(rank5(last), triple(window), triple(strides), "valid"));
  }

  return {
    conv({ strides, padding, dilations, groups }, [x, w]) {
      onlyIf(groups === 1, "no groups");
      onlyIf(strides.every(isOne) || dilations.every(isOne), "either strides or dilations must be 1");
      const [last, kernels] = [channelsLast(x), kernel(w)];
      if (strides.length === 1) {
        const pad = explicit([none, ...padding]);
        return channelsFirst(
          tf.conv1d(rank3(last), rank3(kernels), strides[0] ?? 1, pad, "NWC", dilations[0]),
        );
      }
      if (strides.length === 2) {
        const [by, apart] = [pair(strides), pair(dilations)];
        return channelsFirst(tf.conv2d(rank4(last), rank4(kernels), by, explicit(padding), "NHWC", apart));
      }
      onlyIf(strides.length === 3 && isUnpadded(padding), "tf.conv3d takes no explicit padding");
      const [by, apart] = [triple(strides), triple(dilations)];
      return channelsFirst(tf.conv3d(rank5(last), rank5(kernels), by, "valid", "NDHWC", apart));
    },
    conv_transpose({ strides, padding, dilations, groups, output_padding }, [x, w]) {
      onlyIf(groups === 1 && dilations.every(isOne), "no groups and no dilations");
      const [last, kernels] = [channelsLast(x), kernel(w)];
      const extents = strides.map((stride, axis) => {
        const [low, high] = padding[axis] ?? none;
        const reach = (w.shape[axis + 2] ?? 0) + (output_padding[axis] ?? 0);
        return ((x.shape[axis + 2] ?? 0) - 1) * stride + reach - low - high;
      });
      const shape = [x.shape[0] ?? 0, ...extents, w.shape[1] ?? 0];
      if (strides.length === 2) {
        const by = pair(strides);
        return channelsFirst(
          tf.conv2dTranspose(rank4(last), rank4(kernels), quadruple(shape), by, explicit(padding)),
        );
      }
      onlyIf(strides.length === 3 && isUnpadded(padding), "tf.conv3dTranspose takes no explicit padding");
      const by = triple(strides);
      return channelsFirst(tf.conv3dTranspose(rank5(last), rank5(kernels), quintuple(shape), by, "valid"));
    },
    max_pool: (attributes, [x]) =>
      pooled(x, attributes, tf.maxPool<TensorFlow.Tensor4D>, tf.maxPool3d<TensorFlow.Tensor5D>),
    avg_pool(attributes, [x]) {
      const { count_include_pad, padding } = attributes;
      onlyIf(!count_include_pad || isUnpadded(padding), "tf.avgPool counts no padding");
      return pooled(x, attributes, tf.avgPool<TensorFlow.Tensor4D>, tf.avgPool3d<TensorFlow.Tensor5D>);
    },
  };
}

interface PoolAttributes {
  readonly window: readonly number[];
  readonly strides: readonly number[];
  readonly padding: Sides;
}

const none: readonly [number, number] = [0, 0];

type Explicit = [Pair, Pair, Pair, Pair];

/** Returns TensorFlow.js's padding of batch, height, width and channels. */
function explicit([height = none, width = none]: Sides): Explicit {
  return [[0, 0], [...height], [...width], [0, 0]];
}

function isUnpadded(padding: Sides): boolean {
  return padding.every(([low, high]) => low === 0 && high === 0);
}

function isOne(count: number): boolean {
  return count === 1;
}

/** Returns all axes but those of batch and channels, which come first. */
function spatialAxes({ rank }: Tensor): number[] {
  return Array.from({ length: rank - 2 }, (_, i) => i + 2);
}

function pair([a = 1, b = 1]: readonly number[]): Pair {
  return [a, b];
}

function triple([a = 1, b = 1, c = 1]: readonly number[]): Triple {
  return [a, b, c];
}

function quadruple([a = 1, b = 1, c = 1, d = 1]: readonly number[]): [number, number, number, number] {
  return [a, b, c, d];
}

function quintuple([a = 1, b = 1, c = 1, d = 1, e = 1]: readonly number[]): [
  number,
  number,
  number,
  number,
  number,
] {
  return [a, b, c, d, e];
}
