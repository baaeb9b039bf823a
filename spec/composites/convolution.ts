import type { Value } from "../construction/value.ts";
import { onnx } from "../operators/index.ts";
import { formatShape, type Shape, type ShapeFault, sizeOf } from "../shapes/index.ts";
import type { Composite } from "./composite.ts";
import {
  groupsSchema,
  type Padding,
  padded,
  paddingSchema,
  refuseSpatial,
  refuseWindows,
  spatialSchema,
  type Windows,
  windowCounts,
  windowElements,
} from "./windows.ts";

/** One entry for each spatial axis; channels come in so many groups, each with kernels of its own. */
export interface ConvAttributes {
  readonly strides: readonly number[];
  readonly padding: Padding;
  readonly dilations: readonly number[];
  readonly groups: number;
}

/** The windows that kernels of shape `w` look through. */
export function windowsOf({ strides, padding, dilations }: ConvAttributes, w: Shape): Windows {
  return { window: w.slice(2), strides, padding, dilations };
}

/** A fault if the ranks differ, or a list of the attributes has not one entry for each spatial axis. */
export function refuseRanks(
  x: Shape,
  w: Shape,
  lists: Readonly<Record<string, readonly unknown[]>>,
): ShapeFault | undefined {
  const spatial = refuseSpatial(x, lists);
  if (spatial !== undefined || w.length === x.length) return spatial;
  return {
    code: "shape/rank",
    message: `the kernels have shape ${formatShape(w)}, and x has ${formatShape(x)}.`,
    hint: "kernels have a spatial axis for each of x's",
  };
}

/** Finds the fault of channels and groups that do not fit. */
export function channelFault(x: Shape, w: Shape, groups: number, hint: string): ShapeFault {
  return {
    code: "shape/channels",
    message: `kernels ${formatShape(w)} in ${groups} groups do not fit x ${formatShape(x)}.`,
    hint,
  };
}

/**
 * Every window's elements are a column (im2col), so all sums, of the value and of both cotangents before they
 * are put back in place, are one matrix product for each group.
 */
export const conv: Composite<ConvAttributes> = {
  arity: 2,
  attributes: {
    strides: spatialSchema,
    padding: paddingSchema,
    dilations: spatialSchema,
    groups: groupsSchema,
  },
  smoothness: "smooth",
  summary:
    "the cross-correlation of x [N, C, ...spatial] with kernels w [O, C/groups, ...window]: [N, O, ...counts]",
  domain: "everywhere; no bias",
  convention: "none needed",
  source: onnx("Conv"),
  refuse(attributes, [x = [], w = []]) {
    const { strides, padding, dilations, groups } = attributes;
    const ranks = refuseRanks(x, w, { strides, padding, dilations });
    if (ranks !== undefined) return ranks;
    if (x[1] !== (w[1] ?? 0) * groups || (w[0] ?? 0) % groups !== 0) {
      return channelFault(x, w, groups, "w is [O, C/groups, ...window], and groups divides both C and O");
    }
    return refuseWindows(x.slice(2), windowsOf(attributes, w));
  },
  expand(_scope, attributes, x: Value, w: Value) {
    const { padding, groups } = attributes;
    const windows = windowsOf(attributes, w.shape);
    const counts = windowCounts(x.shape.slice(2), windows);
    const [batch = 0] = x.shape;
    const [kernels = 0, channels = 0] = w.shape;
    const [positions, elements] = [sizeOf(counts), sizeOf(windows.window)];
    const columns = windowElements(padded(x, padding), windows, counts)
      .reshape({ shape: [batch, elements, groups, channels, positions] })
      .permute_dims({ axes: [2, 3, 1, 0, 4] })
      .reshape({ shape: [groups, channels * elements, batch * positions] });
    const rows = w.reshape({ shape: [groups, kernels / groups, channels * elements] });
    return rows
      .matmul(columns)
      .reshape({ shape: [kernels, batch, positions] })
      .permute_dims({ axes: [1, 0, 2] })
      .reshape({ shape: [batch, kernels, ...counts] });
  },
  example: {
    attributes: { strides: [2], padding: [[1, 0]], dilations: [1], groups: 2 },
    operands: [
      [1, 2, 4],
      [2, 1, 3],
    ],
  },
};
