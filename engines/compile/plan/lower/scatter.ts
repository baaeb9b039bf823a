import { at, pair, sizeOf } from "../../../../spec/shapes/index.ts";
import { read } from "../expression.ts";
import { stacked } from "./draft.ts";
import type { Lowering } from "./lowering.ts";
import { rowsOf } from "./moves.ts";

/** Updates are added to a copy. The cotangent goes to both operands: to the updates, from where they went. */
export const scatterAdd: Lowering<"scatter_add"> = {
  forward(draft, { attributes: { indices }, operands, shapes, shape, environment }) {
    const [x, updates] = pair(operands);
    return draft.append({
      kind: "scatter",
      shape,
      base: x,
      over: at(shapes, 1),
      place: rowsOf(shape, environment.index(indices)),
      reads: [draft.whole(updates)],
      expression: read(0),
    });
  },
  tangent(draft, { attributes: { indices }, shapes, shape, environment }, _value, { count, values }) {
    const [xDot, updatesDot] = values;
    if (xDot === undefined && updatesDot === undefined) return undefined;
    const base = xDot ?? draft.fill([count, ...shape], 0);
    // Zero tangents are added as well, because −0 + 0 is +0.
    const moving = updatesDot ?? draft.fill([count, ...at(shapes, 1)], 0);
    return draft.append({
      kind: "scatter",
      shape: [count, ...shape],
      base,
      over: [count, ...at(shapes, 1)],
      place: stacked(rowsOf(shape, environment.index(indices)), sizeOf(shape)),
      reads: [draft.whole(moving)],
      expression: read(0),
    });
  },
  cotangents(draft, { attributes: { indices }, shapes, shape, environment }, _value, c, isWanted) {
    const place = rowsOf(shape, environment.index(indices));
    return [isWanted(0) ? c : undefined, isWanted(1) ? draft.move(c, place, at(shapes, 1)) : undefined];
  },
};
