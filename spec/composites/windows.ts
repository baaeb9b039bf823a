import type { Value } from "../construction/value.ts";
import { type AttributeSchema, countsSchema } from "../operators/index.ts";
import { formatShape, type Shape, type ShapeFault, sizeOf } from "../shapes/index.ts";

/** Zeros, or nothing, before and after each spatial axis. */
export type Padding = readonly (readonly [low: number, high: number])[];

/** Windows lie on the spatial axes, all but the first two; each list has an entry for each. */
export interface Windows {
  readonly window: Shape;
  readonly strides: readonly number[];
  readonly padding: Padding;
  readonly dilations: readonly number[];
}

/** One positive count for each spatial axis, of which there are at most 3. */
export const spatialSchema: AttributeSchema = {
  type: "array",
  items: { type: "integer", minimum: 1, maximum: 2 ** 27 },
  minItems: 1,
  maxItems: 3,
};
export const paddingSchema: AttributeSchema = {
  type: "array",
  items: { ...countsSchema, minItems: 2, maxItems: 2 },
  minItems: 1,
  maxItems: 3,
};
export const outputPaddingSchema: AttributeSchema = { ...countsSchema, minItems: 1, maxItems: 3 };
export const groupsSchema: AttributeSchema = { type: "integer", minimum: 1, maximum: 2 ** 27 };

/** Each element of a window is a node of the expansion. */
const MAXIMUM_WINDOW = 2 ** 12;

/** The extent of the window along a spatial axis, with the gaps that dilation leaves. */
export function reach({ window, dilations }: Windows, axis: number): number {
  return ((window[axis] ?? 1) - 1) * (dilations[axis] ?? 1) + 1;
}

/** Counts the windows along each spatial axis; less than 1 where none fits. */
export function windowCounts(spatial: Shape, windows: Windows): number[] {
  return spatial.map((extent, axis) => {
    const [low, high] = windows.padding[axis] ?? [0, 0];
    return Math.floor((extent + low + high - reach(windows, axis)) / (windows.strides[axis] ?? 1)) + 1;
  });
}

/** A fault unless `x` is `[N, C, ...spatial]` of 1 to 3 spatial axes with an entry in each list. */
export function refuseSpatial(
  x: Shape,
  lists: Readonly<Record<string, readonly unknown[]>>,
): ShapeFault | undefined {
  const rank = x.length - 2;
  if (rank < 1 || rank > 3) {
    return {
      code: "shape/rank",
      message: `x has shape ${formatShape(x)}, and [N, C, ...spatial] has 1 to 3 spatial axes.`,
      hint: "reshape, with extents of 1 for a batch or channels that are not there",
    };
  }
  const odd = Object.entries(lists).find(([, list]) => list.length !== rank);
  if (odd === undefined) return undefined;
  return {
    code: "shape/axes",
    message: `${odd[0]} has ${odd[1].length} entries for ${rank} spatial axes.`,
    hint: "give one entry for each spatial axis, outermost first",
  };
}

/** A fault if a window is empty, does not fit on the padded axes, or has too many elements to write out. */
export function refuseWindows(spatial: Shape, windows: Windows): ShapeFault | undefined {
  const { window } = windows;
  if (windowCounts(spatial, windows).some((count) => count < 1) || window.includes(0)) {
    const reached = window.map((_, axis) => reach(windows, axis));
    return {
      code: "shape/window",
      message: `a window that reaches over ${formatShape(reached)} has no place in ${formatShape(spatial)} with this padding.`,
      hint: "windows are not empty, and not larger than the padded extents",
    };
  }
  if (sizeOf(window) <= MAXIMUM_WINDOW) return undefined;
  return {
    code: "graph/expansion",
    message: `a window of ${sizeOf(window)} elements is written out element by element, up to ${MAXIMUM_WINDOW}.`,
    hint: "use a smaller window",
  };
}

/** `x` of shape `[N, C, ...spatial]` with zeros around its spatial axes. */
export function padded(x: Value, padding: Padding): Value {
  if (padding.every(([low, high]) => low === 0 && high === 0)) return x;
  return x.pad({
    low: [0, 0, ...padding.map(([low]) => low)],
    high: [0, 0, ...padding.map(([, high]) => high)],
    interior: x.shape.map(() => 0),
  });
}

/** Returns all indices below `extents`, row-major. */
function indicesBelow(extents: Shape): Shape[] {
  return extents.reduce<Shape[]>(
    (heads, extent) =>
      heads.flatMap((head) => Array.from({ length: extent }, (_, index) => [...head, index])),
    [[]],
  );
}

/**
 * The elements of all windows: of a padded `x`, `[N, C, ...spatial]`, to `[N, K, C, ...counts]`, where `K`
 * counts a window's elements in row-major order. One strided slice for each, put side by side.
 */
export function windowElements(x: Value, windows: Windows, counts: Shape): Value {
  const { window, strides, dilations } = windows;
  const [batch = 0, channels = 0] = x.shape;
  const slices = indicesBelow(window).map((offset) => {
    const first = offset.map((index, axis) => index * (dilations[axis] ?? 1));
    const last = first.map((start, axis) => start + ((counts[axis] ?? 1) - 1) * (strides[axis] ?? 1));
    return x.slice({
      starts: [0, 0, ...first],
      stops: [batch, channels, ...last.map((index) => index + 1)],
      steps: [1, 1, ...strides],
    });
  });
  const [head = x, ...rest] = slices;
  const flat = head.concat(...rest, { axis: 1 });
  return flat.reshape({ shape: [batch, sizeOf(window), channels, ...counts] });
}
