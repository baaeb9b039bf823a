import { arrayApi, axesSchema, axisSchema, sums } from "../operators/index.ts";
import type { Composite } from "./composite.ts";
import { faultOf, refuseAxis, refuseDifferent } from "./refusals.ts";
import { extentOf, joined, sliceAlong } from "./slices.ts";

/** The axis along which the operands lie in the result. */
export interface StackAttributes {
  readonly axis: number;
}

/** The axis, into how many equal parts it is cut, and which of them is taken, from 0. */
export interface SplitAttributes {
  readonly axis: number;
  readonly sections: number;
  readonly part: number;
}

/** The axes whose order is turned round. */
export interface FlipAttributes {
  readonly axes: readonly number[];
}

/** Elements move so many places along the axis; those that leave at one end return at the other. */
export interface RollAttributes {
  readonly shift: number;
  readonly axis: number;
}

/** Each axis is repeated so often. */
export interface TileAttributes {
  readonly repetitions: readonly number[];
}

export const stack: Composite<StackAttributes> = {
  arity: "some",
  attributes: { axis: axisSchema },
  smoothness: "linear",
  summary: "the operands one after the other along a new axis",
  domain: "everywhere",
  convention: "none needed",
  source: arrayApi("stack"),
  refuse: ({ axis }, operands) => refuseDifferent(operands) ?? refuseAxis(axis, [...(operands[0] ?? []), 1]),
  example: {
    attributes: { axis: 1 },
    operands: [
      [2, 3],
      [2, 3],
    ],
  },
  expand: (_scope, { axis }, first, ...others) => {
    const shape = first.shape.toSpliced(axis, 0, 1);
    return joined([first.reshape({ shape }), ...others.map((x) => x.reshape({ shape }))], axis);
  },
};

const natural = { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

export const split: Composite<SplitAttributes> = {
  arity: 1,
  attributes: { axis: axisSchema, sections: { ...natural, minimum: 1 }, part: natural },
  smoothness: "linear",
  summary: "one of the equal parts into which the axis is cut",
  domain: "where the number of sections divides the extent",
  convention: "none needed; the other parts get a cotangent of zero",
  source: "https://numpy.org/doc/stable/reference/generated/numpy.split.html",
  refuse: ({ axis, sections, part }, [x = []]) => {
    const extent = x[axis];
    if (extent === undefined) return refuseAxis(axis, x);
    if (part >= sections) {
      return {
        code: "shape/part",
        message: `there is no part ${part} of ${sections}.`,
        hint: "parts count from 0",
      };
    }
    if (extent % sections === 0) return undefined;
    return {
      code: "shape/mismatch",
      message: `an extent of ${extent} has no ${sections} equal parts.`,
      hint: "use slice for parts of different extents",
    };
  },
  example: { attributes: { axis: 1, sections: 2, part: 1 }, operands: [[3, 4]] },
  expand: (_scope, { axis, sections, part }, x) => {
    const size = extentOf(x, axis) / sections;
    return sliceAlong(x, axis, part * size, (part + 1) * size);
  },
};

export const flip: Composite<FlipAttributes> = {
  arity: 1,
  attributes: { axes: axesSchema },
  smoothness: "linear",
  summary: "the elements in reverse order along each of the axes",
  domain: "everywhere",
  convention: "none needed",
  source: arrayApi("flip"),
  refuse: ({ axes }, operands) => faultOf(sums.sum.shape({ axes, keepdims: true }, operands, [])),
  example: { attributes: { axes: [1] }, operands: [[2, 3]] },
  expand: (_scope, { axes }, x) => {
    const isFlipped = (axis: number): boolean => axes.includes(axis);
    return x.slice({
      starts: x.shape.map((_, axis) => (isFlipped(axis) ? -1 : 0)),
      stops: x.shape.map((extent, axis) => (isFlipped(axis) ? -extent - 1 : extent)),
      steps: x.shape.map((_, axis) => (isFlipped(axis) ? -1 : 1)),
    });
  },
};

export const roll: Composite<RollAttributes> = {
  arity: 1,
  attributes: {
    shift: { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    axis: axisSchema,
  },
  smoothness: "linear",
  summary:
    "the elements moved by shift places along the axis, round the end; a negative shift moves them back",
  domain: "everywhere",
  convention: "none needed",
  source: arrayApi("roll"),
  refuse: ({ axis }, [x = []]) => refuseAxis(axis, x),
  example: { attributes: { shift: -1, axis: 1 }, operands: [[2, 3]] },
  expand: (_scope, { shift, axis }, x) => {
    const extent = extentOf(x, axis);
    const places = extent === 0 ? 0 : ((shift % extent) + extent) % extent;
    if (places === 0) return x;
    const cut = extent - places;
    return sliceAlong(x, axis, cut, extent).concat(sliceAlong(x, axis, 0, cut), { axis });
  },
};

export const tile: Composite<TileAttributes> = {
  arity: 1,
  attributes: { repetitions: { type: "array", items: natural, maxItems: 32 } },
  smoothness: "linear",
  summary: "x repeated along each axis; of x and the repetitions the shorter gets ones in front",
  domain: "everywhere; no repetition leaves an axis empty",
  convention: "none needed; the cotangents of the copies add up",
  source: arrayApi("tile"),
  example: { attributes: { repetitions: [2, 3] }, operands: [[2, 1]] },
  expand: (_scope, { repetitions }, x) => {
    const rank = Math.max(repetitions.length, x.shape.length);
    const axes = Array.from({ length: rank }, (_, axis) => ({
      extent: x.shape[axis - rank + x.shape.length] ?? 1,
      times: repetitions[axis - rank + repetitions.length] ?? 1,
    }));
    // An axis of its own for the copies, only where there are any: the rank stays small.
    const apart = axes.flatMap(({ extent, times }) => (times === 1 ? [extent] : [1, extent]));
    const wide = axes.flatMap(({ extent, times }) => (times === 1 ? [extent] : [times, extent]));
    const shape = axes.map(({ extent, times }) => extent * times);
    return x.reshape({ shape: apart }).broadcast_to({ shape: wide }).reshape({ shape });
  },
};
