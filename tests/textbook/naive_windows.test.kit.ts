import type { CompositeAttributes, FlatTensor } from "../../spec/index.ts";
import { at, fill, indices } from "./naive_tensors.test.kit.ts";

/** The extents of a sliding window's results, by trying one place after the other. */
function places(extent: number, low: number, high: number, reach: number, stride: number): number {
  let count = 0;
  for (let start = -low; start + reach <= extent + high; start += stride) count += 1;
  return count;
}

/** Computes the cross-correlation: seven nested loops, however many spatial axes there are. */
export function conv(
  { strides, padding, dilations, groups }: CompositeAttributes["conv"],
  [x, w]: readonly FlatTensor[],
): FlatTensor {
  if (x === undefined || w === undefined) throw new Error("conv has two operands");
  const [batch = 0, , ...spatial] = x.shape;
  const [kernels = 0, channels = 0, ...window] = w.shape;
  const counts = spatial.map((extent, axis) => {
    const [low = 0, high = 0] = padding[axis] ?? [];
    const reach = ((window[axis] ?? 1) - 1) * (dilations[axis] ?? 1) + 1;
    return places(extent, low, high, reach, strides[axis] ?? 1);
  });
  return fill([batch, kernels, ...counts], ([n = 0, o = 0, ...place]) => {
    const group = Math.floor(o / (kernels / groups));
    let sum = 0;
    for (let c = 0; c < channels; c++) {
      for (const k of indices(window)) {
        const position = place.map(
          (p, axis) =>
            p * (strides[axis] ?? 1) - (padding[axis]?.[0] ?? 0) + (k[axis] ?? 0) * (dilations[axis] ?? 1),
        );
        sum += at(x, n, group * channels + c, ...position) * at(w, o, c, ...k);
      }
    }
    return sum;
  });
}

/** Every element of x is stamped onto the result with the whole kernel, and the padding cut off. */
export function convTranspose(
  { strides, padding, dilations, groups, output_padding }: CompositeAttributes["conv_transpose"],
  [x, w]: readonly FlatTensor[],
): FlatTensor {
  if (x === undefined || w === undefined) throw new Error("conv_transpose has two operands");
  const [batch = 0, channels = 0, ...spatial] = x.shape;
  const [, outputs = 0, ...window] = w.shape;
  const extents = spatial.map((extent, axis) => {
    const [low = 0, high = 0] = padding[axis] ?? [];
    const reach = ((window[axis] ?? 1) - 1) * (dilations[axis] ?? 1) + 1;
    return (extent - 1) * (strides[axis] ?? 1) + reach - low - high + (output_padding[axis] ?? 0);
  });
  const result = fill([batch, outputs * groups, ...extents], () => 0);
  const sums = new Map<string, number>();
  for (const [n = 0, c = 0, ...place] of indices(x.shape)) {
    const group = Math.floor(c / (channels / groups));
    for (const [o = 0, ...k] of indices([outputs, ...window])) {
      const position = place.map(
        (p, axis) =>
          p * (strides[axis] ?? 1) + (k[axis] ?? 0) * (dilations[axis] ?? 1) - (padding[axis]?.[0] ?? 0),
      );
      const key = String([n, group * outputs + o, ...position]);
      sums.set(key, (sums.get(key) ?? 0) + at(x, n, c, ...place) * at(w, c, o, ...k));
    }
  }
  return fill(result.shape, (index) => sums.get(String(index)) ?? 0);
}

/** Returns the elements of x, and only these, that each window sees; and how many places it has. */
function pooled(
  { window, strides, padding }: CompositeAttributes["max_pool"],
  x: FlatTensor,
  reduce: (seen: readonly number[], size: number) => number,
): FlatTensor {
  const [batch = 0, channels = 0, ...spatial] = x.shape;
  const counts = spatial.map((extent, axis) => {
    const [low = 0, high = 0] = padding[axis] ?? [];
    return places(extent, low, high, window[axis] ?? 1, strides[axis] ?? 1);
  });
  return fill([batch, channels, ...counts], ([n = 0, c = 0, ...place]) => {
    const seen: number[] = [];
    let size = 0;
    for (const k of indices(window)) {
      size += 1;
      const position = place.map(
        (p, axis) => p * (strides[axis] ?? 1) - (padding[axis]?.[0] ?? 0) + (k[axis] ?? 0),
      );
      if (position.every((i, axis) => i >= 0 && i < (spatial[axis] ?? 0)))
        seen.push(at(x, n, c, ...position));
    }
    return reduce(seen, size);
  });
}

export function maxPool(attributes: CompositeAttributes["max_pool"], [x]: readonly FlatTensor[]): FlatTensor {
  if (x === undefined) throw new Error("max_pool has an operand");
  return pooled(attributes, x, (seen) => Math.max(...seen));
}

export function avgPool(attributes: CompositeAttributes["avg_pool"], [x]: readonly FlatTensor[]): FlatTensor {
  if (x === undefined) throw new Error("avg_pool has an operand");
  return pooled(attributes, x, (seen, size) => {
    const count = attributes.count_include_pad ? size : seen.length;
    return seen.reduce((sum, element) => sum + element, 0) / count;
  });
}
