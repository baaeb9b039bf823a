import { sliceAlong } from "../composites/index.ts";
import type { Value } from "../construction/value.ts";
import { type Movement, type PadAttributes, type SliceAttributes, sliceAxis } from "../operators/index.ts";
import { at as entry, isSameShape, type Shape } from "../shapes/index.ts";
import { linear, reversed, shapeOfOperand } from "./linear.ts";
import { type DerivativesOf, zerosLike } from "./rule.ts";

/** These move elements as attributes say: the adjoint moves them back, and adds up repeated ones. */
export const movement: DerivativesOf<keyof Movement> = {
  broadcast_to: linear((at, c) => {
    const shape = shapeOfOperand(at);
    const lead = c.shape.length - shape.length;
    const axes = c.shape.flatMap((extent, axis) =>
      axis < lead || (shape[axis - lead] === 1 && extent !== 1) ? [axis] : [],
    );
    const total = c.sum({ axes, keepdims: false });
    return isSameShape(total.shape, shape) ? total : total.reshape({ shape });
  }),
  reshape: linear((at, c) => c.reshape({ shape: shapeOfOperand(at) })),
  permute_dims: linear(({ attributes: { axes } }, c) =>
    c.permute_dims({ axes: axes.map((_, axis) => axes.indexOf(axis)) }),
  ),
  concat: {
    cotangents: ({ attributes: { axis }, operands }, c) => {
      let end = 0;
      return operands.map(({ shape }) => {
        const start = end;
        end += entry(shape, axis);
        const stop = end;
        return () => sliceAlong(c, axis, start, stop);
      });
    },
    tangent: (at, tangents) =>
      at.again(...at.operands.map((x, place) => tangents[place] ?? zerosLike(at.scope, x))),
  },
  slice: linear(({ attributes, ...at }, c) => putBack(c, shapeOfOperand({ ...at, attributes }), attributes)),
  pad: linear((at, c) => c.slice(elementsOf(shapeOfOperand(at), at.attributes))),
};

/** The elements of a slice at their places in zeros of the shape that was sliced. */
function putBack(c: Value, shape: Shape, { starts, stops, steps }: SliceAttributes): Value {
  const taken = shape.map((extent, axis) => {
    const step = entry(steps, axis);
    const { first, count } = sliceAxis(extent, entry(starts, axis), entry(stops, axis), step);
    if (count === 0) return { low: 0, high: extent, interior: 0 };
    const last = first + (count - 1) * step;
    const [least, greatest] = [Math.min(first, last), Math.max(first, last)];
    return { low: least, high: extent - 1 - greatest, interior: count === 1 ? 0 : Math.abs(step) - 1 };
  });
  const backwards = shape.flatMap((_, axis) => (entry(steps, axis) < 0 ? [axis] : []));
  const ordered = backwards.length === 0 ? c : reversed(c, backwards);
  return ordered.pad({
    low: taken.map(({ low }) => low),
    high: taken.map(({ high }) => high),
    interior: taken.map(({ interior }) => interior),
  });
}

/** Returns the slice of a padded tensor that leaves out what was padded. */
function elementsOf(shape: Shape, { low, interior }: PadAttributes): SliceAttributes {
  const steps = shape.map((_, axis) => 1 + entry(interior, axis));
  return {
    starts: low,
    stops: shape.map((extent, axis) =>
      extent === 0 ? entry(low, axis) : entry(low, axis) + (extent - 1) * entry(steps, axis) + 1,
    ),
    steps,
  };
}
