import { ok, type Result } from "../result.ts";
import { type Shape, type ShapeFault, shapeFault } from "../shape.ts";
import { integersSchema, onePerAxis, type Signature } from "./signature.ts";

/** For each axis where it begins, where it ends before, and its stride; as in Python, but all three are given. */
export interface SliceAttributes {
  readonly starts: readonly number[];
  readonly stops: readonly number[];
  /** None is 0. */
  readonly steps: readonly number[];
}

/** What a slice keeps of one axis: `count` indices `first`, `first + step`, … */
interface SlicedAxis {
  readonly first: number;
  readonly count: number;
}

/**
 * What Python's `range(*slice(start, stop, step).indices(extent))` holds: a negative start or stop counts from the
 * end, and both are clamped to the axis, for a negative step to what lies before 0 and to the last index. So
 * `stop = -extent - 1` with `step = -1` goes down to index 0.
 */
export function sliceAxis(extent: number, start: number, stop: number, step: number): SlicedAxis {
  const [least, greatest] = step > 0 ? [0, extent] : [-1, extent - 1];
  const clamped = (index: number): number =>
    Math.min(Math.max(index < 0 ? index + extent : index, least), greatest);
  const first = clamped(start);
  return { first, count: Math.max(0, Math.ceil((clamped(stop) - first) / step)) };
}

export const slice: Signature<"additive", SliceAttributes> = {
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
      x.map((extent, axis) => sliceAxis(extent, starts[axis] ?? 0, stops[axis] ?? 0, steps[axis] ?? 1).count),
    );
  },
  summary: "the elements at every step-th index from start until before stop, along each axis",
  domain: "everywhere; starts and stops beyond an axis are clamped to it, and the result may be empty",
  convention: "none needed; elements left out get a cotangent of zero",
  source: "https://data-apis.org/array-api/latest/API_specification/indexing.html",
};
