import {
  counted,
  formatShape,
  ok,
  present,
  type Result,
  type Shape,
  type ShapeFault,
  shapeFault,
  sizeOf,
} from "../shapes/index.ts";
import {
  arrayApi,
  axesSchema,
  axisSchema,
  countsSchema,
  existingAxis,
  integersSchema,
  onePerAxis,
  type Signature,
  shapeSchema,
} from "./signature.ts";

/** The shape to stretch to. */
export interface BroadcastToAttributes {
  readonly shape: Shape;
}

/** The new shape, of the same size; no −1. */
export interface ReshapeAttributes {
  readonly shape: Shape;
}

/** Axis `i` of the result is axis `axes[i]` of the operand. */
export interface PermuteDimsAttributes {
  readonly axes: readonly number[];
}

/** The axis along which the operands are joined. */
export interface ConcatAttributes {
  readonly axis: number;
}

/** A slice has for each axis its begin, its end (excluded) and its stride, as in Python but all given. */
export interface SliceAttributes {
  readonly starts: readonly number[];
  readonly stops: readonly number[];
  /** None is 0. */
  readonly steps: readonly number[];
}

/** A slice keeps `count` indices of one axis: `first`, `first + step`, … */
interface SlicedAxis {
  readonly first: number;
  readonly count: number;
}

/**
 * Finds what Python's `range(*slice(start, stop, step).indices(extent))` holds: a negative start or stop
 * counts from the end, and both are clamped to the axis, for a negative step to what lies before 0 and to the
 * last index. So `stop = -extent - 1` with `step = -1` goes down to index 0.
 */
export function sliceAxis(extent: number, start: number, stop: number, step: number): SlicedAxis {
  const [least, greatest] = step > 0 ? [0, extent] : [-1, extent - 1];
  const clamped = (index: number): number =>
    Math.min(Math.max(index < 0 ? index + extent : index, least), greatest);
  const first = clamped(start);
  return { first, count: Math.max(0, Math.ceil((clamped(stop) - first) / step)) };
}

/** They say for each axis how many zeros come before the first element, after the last, between any two. */
export interface PadAttributes {
  readonly low: readonly number[];
  readonly high: readonly number[];
  readonly interior: readonly number[];
}

/** The signatures of movement. */
export interface Movement {
  readonly broadcast_to: Signature<"additive", BroadcastToAttributes>;
  readonly reshape: Signature<"additive", ReshapeAttributes>;
  readonly permute_dims: Signature<"additive", PermuteDimsAttributes>;
  readonly concat: Signature<"additive", ConcatAttributes>;
  readonly slice: Signature<"additive", SliceAttributes>;
  readonly pad: Signature<"additive", PadAttributes>;
}

/** These operators move elements as attributes say. */
export const movement: Movement = {
  broadcast_to: {
    needs: "additive",
    arity: 1,
    attributes: { shape: shapeSchema },
    smoothness: "linear",
    shape({ shape }, [x = []]): Result<Shape, ShapeFault> {
      const lead = shape.length - x.length;
      const fits = lead >= 0 && x.every((extent, axis) => extent === 1 || extent === shape[axis + lead]);
      if (fits) return ok(shape);
      return shapeFault(
        "shape/broadcast",
        `${formatShape(x)} does not broadcast to ${formatShape(shape)}.`,
        "aligned at the right, each extent must be equal or 1",
      );
    },
    summary: "x with axes of extent 1 repeated, and new axes in front, up to the shape",
    domain: "everywhere",
    convention: "none needed",
    source: arrayApi("broadcast_to"),
  },
  reshape: {
    needs: "additive",
    arity: 1,
    attributes: { shape: shapeSchema },
    smoothness: "linear",
    shape({ shape }, [x = []]): Result<Shape, ShapeFault> {
      if (sizeOf(shape) === sizeOf(x)) return ok(shape);
      return shapeFault(
        "shape/reshape",
        `${formatShape(x)} has ${counted(sizeOf(x), "element")}, ${formatShape(shape)} has ${sizeOf(shape)}.`,
        "the sizes must be equal; -1 is not allowed",
      );
    },
    summary: "the same elements in row-major order, in another shape",
    domain: "everywhere",
    convention: "none needed",
    source: arrayApi("reshape"),
  },
  permute_dims: {
    needs: "additive",
    arity: 1,
    attributes: { axes: axesSchema },
    smoothness: "linear",
    shape({ axes }, [x = []]): Result<Shape, ShapeFault> {
      const isPermutation = axes.length === x.length && x.every((_, axis) => axes.includes(axis));
      if (isPermutation) return ok(axes.map((axis) => present(x[axis], "axis of a permutation")));
      return shapeFault(
        "shape/permutation",
        `[${axes.join(",")}] is not a permutation of ${x.length} axes.`,
        "name each axis of the operand once",
      );
    },
    summary: "x with its axes in another order",
    domain: "everywhere",
    convention: "none needed",
    source: arrayApi("permute_dims"),
  },
  concat: {
    needs: "additive",
    arity: "some",
    attributes: { axis: axisSchema },
    smoothness: "linear",
    shape({ axis }, parents): Result<Shape, ShapeFault> {
      const first = parents[0] ?? [];
      const exists = existingAxis(axis, first.length);
      if (!exists.ok) return exists;
      const odd = parents.find(
        (shape) =>
          shape.length !== first.length || shape.some((extent, i) => i !== axis && extent !== first[i]),
      );
      if (odd !== undefined) {
        return shapeFault(
          "shape/mismatch",
          `${formatShape(first)} and ${formatShape(odd)} differ outside axis ${axis}.`,
          "all other extents must be equal",
        );
      }
      const joined = parents.reduce((total, shape) => total + (shape[axis] ?? 0), 0);
      return ok(first.map((extent, i) => (i === axis ? joined : extent)));
    },
    summary: "the operands one after the other along the axis",
    domain: "everywhere",
    convention: "none needed",
    source: arrayApi("concat"),
  },
  slice: {
    needs: "additive",
    arity: 1,
    attributes: { starts: integersSchema, stops: integersSchema, steps: integersSchema },
    smoothness: "linear",
    shape({ starts, stops, steps }, [x = []]): Result<Shape, ShapeFault> {
      for (const [what, numbers] of Object.entries({ starts, stops, steps })) {
        const fits = onePerAxis(what, numbers, x.length);
        if (!fits.ok) return fits;
      }
      if (steps.some((step) => step === 0)) {
        return shapeFault("shape/step", "a step is 0.", "steps are positive, or negative to go backwards");
      }
      return ok(
        x.map(
          (extent, axis) => sliceAxis(extent, starts[axis] ?? 0, stops[axis] ?? 0, steps[axis] ?? 1).count,
        ),
      );
    },
    summary: "the elements at every step-th index from start until before stop, along each axis",
    domain: "everywhere; starts and stops beyond an axis are clamped to it, and the result may be empty",
    convention: "none needed; elements left out get a cotangent of zero",
    source: "https://data-apis.org/array-api/latest/API_specification/indexing.html",
  },
  pad: {
    needs: "additive",
    arity: 1,
    attributes: { low: countsSchema, high: countsSchema, interior: countsSchema },
    smoothness: "linear",
    shape({ low, high, interior }, [x = []]): Result<Shape, ShapeFault> {
      for (const [what, numbers] of Object.entries({ low, high, interior })) {
        const fits = onePerAxis(what, numbers, x.length);
        if (!fits.ok) return fits;
      }
      const padded = x.map((extent, axis) => {
        const gaps = Math.max(extent - 1, 0) * (interior[axis] ?? 0);
        // Beyond the integers it is too large all the same.
        return Math.min(extent + gaps + (low[axis] ?? 0) + (high[axis] ?? 0), Number.MAX_SAFE_INTEGER);
      });
      return ok(padded);
    },
    summary: "x with zeros before, after and between its elements along each axis",
    domain: "everywhere; an axis of extent 0 has nothing to pad between",
    convention: "none needed; the cotangents of the zeros go nowhere",
    source: "https://openxla.org/stablehlo/spec#pad",
  },
};
