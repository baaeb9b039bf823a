import {
  formatShape,
  isSameShape,
  ok,
  type Result,
  type Shape,
  type ShapeFault,
  shapeFault,
} from "../shapes/index.ts";

/**
 * Returns the shape to which all of `shapes` broadcast: aligned at the last axis, extents equal or 1.
 * Source: https://data-apis.org/array-api/latest/API_specification/broadcasting.html
 */
export function broadcastShape(shapes: readonly Shape[]): Result<Shape, ShapeFault> {
  const [first = [], ...others] = shapes;
  if (others.every((shape) => isSameShape(shape, first))) return ok(first);
  const rank = Math.max(0, ...shapes.map(({ length }) => length));
  const common = Array.from({ length: rank }, (_, axis) => {
    const extents = shapes.flatMap((shape) => shape[axis - rank + shape.length] ?? []);
    return extents.find((extent) => extent !== 1) ?? 1;
  });
  const odd = shapes.find((shape) =>
    shape.some((extent, axis) => extent !== 1 && extent !== common[axis + rank - shape.length]),
  );
  if (odd === undefined) return ok(common);
  return shapeFault(
    "shape/broadcast",
    `${shapes.map(formatShape).join(" and ")} do not broadcast to one shape.`,
    "extents must be equal or 1, counted from the last axis",
  );
}
