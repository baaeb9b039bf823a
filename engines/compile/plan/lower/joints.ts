import { at, type Shape, sizeOf, stridesOf } from "../../../../spec/shapes/index.ts";
import { literal, read } from "../expression.ts";
import type { Access, Piece, ValueId } from "../program.ts";
import { type Draft, identity, stacked } from "./draft.ts";
import type { Application, Lowering } from "./lowering.ts";

/** Finds where operand number `which` lies in the whole. */
function placeOf({ attributes: { axis }, shapes, shape }: Application<"concat">, which: number): Access {
  const strides = stridesOf(shape);
  const before = shapes.slice(0, which).reduce((sum, part) => sum + at(part, axis), 0);
  return { offset: before * at(strides, axis), strides, indirections: [] };
}

/** Joins the values along the axis; an `undefined` one stands for zeros. */
function joined(
  draft: Draft,
  application: Application<"concat">,
  parts: readonly (ValueId | undefined)[],
  count: number | undefined,
): ValueId {
  const { shape, shapes } = application;
  const pieces = parts.map((part, which): Piece => {
    const own = at(shapes, which);
    const place = placeOf(application, which);
    const isOne = count === undefined;
    return {
      shape: isOne ? own : [count, ...own],
      place: isOne ? place : stacked(place, sizeOf(shape)),
      reads: part === undefined ? [] : [draft.whole(part)],
      expression: part === undefined ? literal(0) : read(0),
    };
  });
  return draft.append({
    kind: "assemble",
    shape: count === undefined ? shape : [count, ...shape],
    isCovered: true,
    pieces,
  });
}

/** Operands lie side by side, and the cotangent is cut at the same places. */
export const concat: Lowering<"concat"> = {
  forward: (draft, application) => joined(draft, application, application.operands, undefined),
  tangent: (draft, application, _value, { count, values }) =>
    values.every((dot) => dot === undefined) ? undefined : joined(draft, application, values, count),
  cotangents: (draft, application, _value, c, isWanted) =>
    application.shapes.map((part, which) =>
      isWanted(which) ? draft.move(c, placeOf(application, which), part) : undefined,
    ),
};

/** Finds where the elements of the operand go. */
function spread({ attributes: { low, interior }, shapes, shape }: Application<"pad">): Access {
  const strides = stridesOf(shape);
  const x = at(shapes, 0);
  return {
    offset: low.reduce((sum, before, axis) => sum + before * at(strides, axis), 0),
    // An axis with one element uses no gap, and its gap may be longer than any tensor.
    strides: x.map((extent, axis) => (extent > 1 ? at(strides, axis) * (1 + at(interior, axis)) : 0)),
    indirections: [],
  };
}

function padded(draft: Draft, x: ValueId, piece: Shape, place: Access, shape: Shape): ValueId {
  return draft.append({
    kind: "assemble",
    shape,
    isCovered: false,
    pieces: [{ shape: piece, place, reads: [draft.whole(x)], expression: read(0) }],
  });
}

/** The elements lie among zeros, and the cotangent is read where they went. */
export const pad: Lowering<"pad"> = {
  forward(draft, application) {
    const { operands, shapes, shape } = application;
    return padded(draft, at(operands, 0), at(shapes, 0), spread(application), shape);
  },
  tangent(draft, application, _value, { count, values: [xDot] }) {
    if (xDot === undefined) return undefined;
    const { shapes, shape } = application;
    const place = stacked(spread(application), sizeOf(shape));
    return padded(draft, xDot, [count, ...at(shapes, 0)], place, [count, ...shape]);
  },
  cotangents(draft, application, _value, c, isWanted) {
    return isWanted(0) ? [draft.move(c, spread(application), at(application.shapes, 0))] : [];
  },
};

/** These are the sums up to each element; the sums of the cotangent run the other way. */
export const cumulativeSum: Lowering<"cumulative_sum"> = {
  forward: (draft, { attributes: { axis }, operands, shape }) =>
    draft.append({
      kind: "scan",
      shape,
      axis,
      direction: 1,
      reads: [draft.whole(at(operands, 0))],
      expression: read(0),
    }),
  tangent(draft, { attributes: { axis }, shape }, _value, { count, values: [xDot] }) {
    if (xDot === undefined) return undefined;
    return draft.append({
      kind: "scan",
      shape: [count, ...shape],
      axis: axis + 1,
      direction: 1,
      reads: [draft.whole(xDot)],
      expression: read(0),
    });
  },
  cotangents(draft, { attributes: { axis }, shape }, _value, c, isWanted) {
    if (!isWanted(0)) return [];
    return [
      draft.append({
        kind: "scan",
        shape,
        axis,
        direction: -1,
        reads: [{ value: c, ...identity(shape) }],
        expression: read(0),
      }),
    ];
  },
};
