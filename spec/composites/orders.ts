import type { Value } from "../construction/value.ts";
import { arrayApi, axisSchema } from "../operators/index.ts";
import { present } from "../shapes/index.ts";
import type { Composite } from "./composite.ts";
import { refuseNothing } from "./reductions.ts";
import { refuseAxis } from "./refusals.ts";
import { extentOf, joined, sliceAlong } from "./slices.ts";

/** The axis searched, and whether it stays with extent 1. */
export interface ArgmaxAttributes {
  readonly axis: number;
  readonly keepdims: boolean;
}

/** The axis along which is sorted, and whether the largest comes first. */
export interface SortAttributes {
  readonly axis: number;
  readonly descending: boolean;
}

/** The axis, and how many of its largest elements are kept. */
export interface TopKAttributes {
  readonly axis: number;
  readonly k: number;
}

/** One comparison after the other: only a larger element displaces the best so far. */
export const argmax: Composite<ArgmaxAttributes> = {
  arity: 1,
  attributes: { axis: axisSchema, keepdims: { type: "boolean" } },
  smoothness: "piecewise",
  summary: "the index along the axis of the largest element, as a number",
  domain: "where there is an element",
  convention: "at a tie the lowest index; not differentiated",
  source: arrayApi("argmax"),
  refuse: ({ axis }, [x = []]) => refuseAxis(axis, x) ?? refuseNothing([axis], x),
  example: { attributes: { axis: 1, keepdims: false }, operands: [[2, 3]] },
  expand: (scope, { axis, keepdims }, x) => {
    const elements = elementsOf(x, axis);
    let best = present(elements[0], "a first element");
    let index = scope.full({ shape: best.shape, value: 0 });
    for (const [i, element] of elements.entries()) {
      if (i === 0) continue;
      const isLarger = best.less(element);
      index = isLarger.where(i, index);
      best = isLarger.where(element, best);
    }
    return keepdims ? index : index.reshape({ shape: x.shape.filter((_, i) => i !== axis) });
  },
};

/**
 * An odd-even transposition network, which is stable: neighbours change places only if strictly out of order.
 * Data are moved, never computed with. Source: Knuth, The Art of Computer Programming 3, §5.3.4.
 */
export const sort: Composite<SortAttributes> = {
  arity: 1,
  attributes: { axis: axisSchema, descending: { type: "boolean" } },
  smoothness: "piecewise",
  summary: "the elements in order along the axis; equal ones stay in the order they were in",
  domain: "everywhere; of 0 and −0 none is less; the order around a NaN is not specified",
  convention: "equal elements take the cotangents of their places in the order they were in",
  source: arrayApi("sort"),
  refuse: ({ axis }, [x = []]) => refuseAxis(axis, x),
  example: { attributes: { axis: 1, descending: false }, operands: [[2, 3]] },
  expand: (_scope, { axis, descending }, x) => {
    const extent = extentOf(x, axis);
    let sorted = x;
    for (let round = 0; round < extent && extent > 1; round++) {
      sorted = exchanged(sorted, axis, round % 2, descending);
    }
    return sorted;
  },
};

/** The first `k` of the elements in descending order. */
export const topK: Composite<TopKAttributes> = {
  arity: 1,
  attributes: { axis: axisSchema, k: { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER } },
  smoothness: "piecewise",
  summary: "the k largest elements along the axis, the largest first",
  domain: "where the axis has k elements; the order around a NaN is not specified",
  convention: "at ties the lowest indices, in the order they are in",
  source: "https://onnx.ai/onnx/operators/onnx__TopK.html",
  refuse: ({ axis, k }, [x = []]) => {
    const extent = x[axis];
    if (extent === undefined || k <= extent) return refuseAxis(axis, x);
    return {
      code: "shape/extent",
      message: `there are no ${k} largest of ${extent} elements.`,
      hint: "k is at most the extent of the axis",
    };
  },
  example: { attributes: { axis: 1, k: 2 }, operands: [[2, 3]] },
  expand: (_scope, { axis, k }, x) => sliceAlong(x.sort({ axis, descending: true }), axis, 0, k),
};

/** The slices of extent 1 along the axis. */
function elementsOf(x: Value, axis: number): Value[] {
  return Array.from({ length: extentOf(x, axis) }, (_, i) => sliceAlong(x, axis, i, i + 1));
}

/** Does one round of the network: puts in order the neighbours that begin at `first`, `first + 2`, … */
function exchanged(x: Value, axis: number, first: number, descending: boolean): Value {
  const extent = extentOf(x, axis);
  const stop = extent - ((extent - first) % 2);
  if (stop === first) return x;
  const before = sliceAlong(x, axis, first, stop, 2);
  const after = sliceAlong(x, axis, first + 1, stop, 2);
  const isOutOfOrder = descending ? before.less(after) : after.less(before);
  const pairs = interleaved(isOutOfOrder.where(after, before), isOutOfOrder.where(before, after), axis);
  const head = first === 0 ? [] : [sliceAlong(x, axis, 0, first)];
  const tail = stop === extent ? [] : [sliceAlong(x, axis, stop, extent)];
  const [start = pairs, ...others] = [...head, pairs, ...tail];
  return joined([start, ...others], axis);
}

/** The elements of two values of one shape by turns along the axis. */
function interleaved(x: Value, y: Value, axis: number): Value {
  const doubled = x.shape.with(axis, 2 * extentOf(x, axis));
  return x.stack(y, { axis: axis + 1 }).reshape({ shape: doubled });
}
