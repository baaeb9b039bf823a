import type { Value } from "../construction/value.ts";
import { onnx } from "../operators/index.ts";
import { formatShape, type Shape, type ShapeFault } from "../shapes/index.ts";
import type { Composite } from "./composite.ts";
import { type ConvAttributes, channelFault, conv, refuseRanks, windowsOf } from "./convolution.ts";
import { outputPaddingSchema, type Padding, reach, refuseWindows } from "./windows.ts";

/** The attributes are the transposed convolution's; result axes are `output_padding` longer. */
export interface ConvTransposeAttributes extends ConvAttributes {
  readonly output_padding: readonly number[];
}

/** The window with its order reversed along each spatial axis. */
function flipped(w: Value): Value {
  return w.slice({
    starts: w.shape.map((_, axis) => (axis < 2 ? 0 : -1)),
    stops: w.shape.map((extent, axis) => (axis < 2 ? extent : -extent - 1)),
    steps: w.shape.map((_, axis) => (axis < 2 ? 1 : -1)),
  });
}

/** Returns kernels `[groups · i, o, ...window]` as `[groups · o, i, ...window]`. */
function exchanged(w: Value, groups: number): Value {
  const [from = 0, to = 0, ...window] = w.shape;
  return w
    .reshape({ shape: [groups, from / groups, to, ...window] })
    .permute_dims({ axes: [0, 2, 1, ...window.map((_, axis) => axis + 3)] })
    .reshape({ shape: [groups * to, from / groups, ...window] });
}

/** Finds what is added, or if negative cut off, before and after each spatial axis of the spread x. */
function margins(attributes: ConvTransposeAttributes, w: Shape): Padding {
  const windows = windowsOf(attributes, w);
  return attributes.padding.map(([low, high], axis): readonly [number, number] => {
    const full = reach(windows, axis) - 1;
    return [full - low, full - high + (attributes.output_padding[axis] ?? 0)];
  });
}

/** `x` with `strides − 1` zeros between its elements, and the margins added or cut off. */
function spread(x: Value, strides: readonly number[], margin: Padding): Value {
  const wide = x.pad({
    low: [0, 0, ...margin.map(([low]) => Math.max(low, 0))],
    high: [0, 0, ...margin.map(([, high]) => Math.max(high, 0))],
    interior: [0, 0, ...strides.map((stride) => stride - 1)],
  });
  if (margin.every(([low, high]) => low >= 0 && high >= 0)) return wide;
  return wide.slice({
    starts: [0, 0, ...margin.map(([low]) => Math.max(-low, 0))],
    stops: wide.shape.map((extent, axis) => extent - Math.max(-(margin[axis - 2]?.[1] ?? 0), 0)),
    steps: wide.shape.map(() => 1),
  });
}

/** The extents of the result: those of an x whose convolution has the operand's. */
function transposedExtents(x: Shape, w: Shape, attributes: ConvTransposeAttributes): number[] {
  const margin = margins(attributes, w);
  return x.slice(2).map((extent, axis) => {
    const [low, high] = margin[axis] ?? [0, 0];
    const wide = (extent - 1) * (attributes.strides[axis] ?? 1) + 1 + low + high;
    return wide - reach(windowsOf(attributes, w), axis) + 1;
  });
}

/** ⟨conv(x, w), c⟩ = ⟨x, conv_transpose(c, w)⟩: a convolution of the spread operand, kernels turned. */
export const convTranspose: Composite<ConvTransposeAttributes> = {
  arity: 2,
  attributes: { ...conv.attributes, output_padding: outputPaddingSchema },
  smoothness: "smooth",
  summary:
    "the adjoint of conv with kernels w: x [N, C, ...spatial], w [C, O/groups, ...window], to [N, O, ...extents]",
  domain: "everywhere; no bias",
  convention: "none needed",
  source: onnx("ConvTranspose"),
  refuse(attributes, [x = [], w = []]) {
    const { strides, padding, dilations, groups, output_padding } = attributes;
    const ranks = refuseRanks(x, w, { strides, padding, dilations, output_padding });
    if (ranks !== undefined) return ranks;
    if (x[1] !== w[0] || (w[0] ?? 0) % groups !== 0) {
      return channelFault(x, w, groups, "w is [C, O/groups, ...window], and groups divides C");
    }
    return refuseTransposed(attributes, x, w);
  },
  expand(scope, attributes, x: Value, w: Value) {
    const { strides, dilations, groups } = attributes;
    return scope.conv(spread(x, strides, margins(attributes, w.shape)), exchanged(flipped(w), groups), {
      strides: strides.map(() => 1),
      padding: strides.map(() => [0, 0]),
      dilations,
      groups,
    });
  },
  example: {
    attributes: { strides: [2], padding: [[1, 0]], dilations: [1], groups: 2, output_padding: [1] },
    operands: [
      [1, 2, 2],
      [2, 1, 3],
    ],
  },
};

function refuseTransposed(attributes: ConvTransposeAttributes, x: Shape, w: Shape): ShapeFault | undefined {
  const { strides, dilations, output_padding } = attributes;
  const isTooLong = output_padding.some(
    (more, axis) => more >= Math.max(strides[axis] ?? 1, dilations[axis] ?? 1),
  );
  if (isTooLong) {
    return {
      code: "shape/window",
      message: "output_padding is not smaller than the stride or the dilation.",
      hint: "output_padding tells apart the extents that a stride rounds to the same count",
    };
  }
  const extents = transposedExtents(x, w, attributes);
  if (!x.slice(2).includes(0) && extents.every((extent) => extent >= 1)) {
    return refuseWindows(extents, { ...windowsOf(attributes, w), padding: attributes.padding });
  }
  return {
    code: "shape/window",
    message: `the result would have the extents ${formatShape(extents)}.`,
    hint: "give x spatial extents of at least 1, and less padding",
  };
}
