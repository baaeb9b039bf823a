import type { Value } from "../construction/value.ts";
import { present } from "../shapes/index.ts";

/** The extent of an axis that exists. */
export function extentOf(x: Value, axis: number): number {
  return present(x.shape[axis], "extent of an axis");
}

/** Returns the elements of `x` from `start` to before `stop`, every `step`-th; `x` itself if that is all. */
export function sliceAlong(x: Value, axis: number, start: number, stop: number, step: number = 1): Value {
  if (start === 0 && stop === extentOf(x, axis) && step === 1) return x;
  return x.slice({
    starts: x.shape.map((_, i) => (i === axis ? start : 0)),
    stops: x.shape.map((extent, i) => (i === axis ? stop : extent)),
    steps: x.shape.map((_, i) => (i === axis ? step : 1)),
  });
}

/** The axes in another order; `x` itself if it is the order they have. */
export function permuted(x: Value, axes: readonly number[]): Value {
  return axes.every((axis, i) => axis === i) ? x : x.permute_dims({ axes });
}

/** The values one after the other along the axis; the value itself if it is the only one. */
export function joined(values: readonly [Value, ...Value[]], axis: number): Value {
  const [first, ...others] = values;
  return others.length === 0 ? first : first.concat(...others, { axis });
}
