import { formatShape, type Shape } from "../../../spec/shapes/index.ts";
import type { Call } from "./call.ts";

/** Returns the shape to which all of these broadcast. */
export function broadcastOf(call: Call, shapes: readonly Shape[]): Shape {
  const rank = Math.max(0, ...shapes.map(({ length }) => length));
  return Array.from({ length: rank }, (_, axis) => {
    const extents = shapes.flatMap((shape) => shape[axis - rank + shape.length] ?? []);
    const wide = extents.find((extent) => extent !== 1) ?? 1;
    if (extents.every((extent) => extent === 1 || extent === wide)) return wide;
    return call.refuse(
      `${shapes.map(formatShape).join(" and ")} do not broadcast to one shape.`,
      "extents must be equal or 1, counted from the last axis",
    );
  });
}
