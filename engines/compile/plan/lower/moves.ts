import type { OperatorName } from "../../../../spec/composites/index.ts";
import { sliceAxis } from "../../../../spec/operators/index.ts";
import { at, present, type Shape, sizeOf, stridesOf } from "../../../../spec/shapes/index.ts";
import { apply, literal, read } from "../expression.ts";
import type { Access, ValueId } from "../program.ts";
import { type Draft, identity, stacked } from "./draft.ts";
import type { Application, Lowering } from "./lowering.ts";

/** Writes the cotangent of a move's operand, whose shape is `x`, from that of its value. */
type Adjoint<K extends OperatorName> = (
  draft: Draft,
  application: Application<K>,
  x: Shape,
  access: Access,
  c: ValueId,
) => ValueId;

/** Lowers a primitive that only moves elements of an operand of shape `x`. */
function move<K extends OperatorName>(
  from: (application: Application<K>, x: Shape) => Access,
  adjoint: Adjoint<K>,
): Lowering<K> {
  return {
    forward(draft, application) {
      const { operands, shapes, shape } = application;
      return draft.move(at(operands, 0), from(application, at(shapes, 0)), shape);
    },
    tangent(draft, application, _value, { count, values: [xDot] }) {
      if (xDot === undefined) return undefined;
      const x = at(application.shapes, 0);
      return draft.move(xDot, stacked(from(application, x), sizeOf(x)), [count, ...application.shape]);
    },
    cotangents(draft, application, _value, c, isWanted) {
      if (!isWanted(0)) return [];
      const x = at(application.shapes, 0);
      return [adjoint(draft, application, x, from(application, x), c)];
    },
  };
}

/** Adds each element of the cotangent, in row-major order, to zeros where its element came from. */
function scattered<K extends OperatorName>(
  draft: Draft,
  { shape }: Application<K>,
  x: Shape,
  place: Access,
  c: ValueId,
): ValueId {
  return draft.append({
    kind: "scatter",
    shape: x,
    base: undefined,
    over: shape,
    place,
    reads: [draft.whole(c)],
    expression: read(0),
  });
}

export const reshape: Lowering<"reshape"> = move(
  // A reshape keeps the row-major position, and nothing else.
  ({ shape }) => identity(shape),
  (draft, _application, x, _access, c) => draft.move(c, identity(x), x),
);

export const permuteDims: Lowering<"permute_dims"> = move(
  ({ attributes: { axes } }, x) => {
    const strides = stridesOf(x);
    return { offset: 0, strides: axes.map((axis) => at(strides, axis)), indirections: [] };
  },
  (draft, { attributes: { axes }, shape }, x, _access, c) => {
    const strides = stridesOf(shape);
    return draft.move(
      c,
      { offset: 0, strides: x.map((_, axis) => at(strides, axes.indexOf(axis))), indirections: [] },
      x,
    );
  },
);

/** The cotangent is summed over repeated axes: those in front, and those of one element. */
export const broadcastTo: Lowering<"broadcast_to"> = move(
  ({ shape }, x) => {
    const lead = shape.length - x.length;
    const strides = stridesOf(x);
    return {
      offset: 0,
      strides: shape.map((_, axis) => (axis < lead || x[axis - lead] === 1 ? 0 : at(strides, axis - lead))),
      indirections: [],
    };
  },
  (draft, { shape }, x, _access, c) => {
    const lead = shape.length - x.length;
    const strides = stridesOf(shape);
    const repeated = shape.flatMap((_, axis) => (axis < lead || x[axis - lead] === 1 ? [axis] : []));
    const kept = x.map((extent, axis) => (extent === 1 ? 0 : at(strides, axis + lead)));
    return draft.append({
      kind: "fold",
      operation: "add",
      shape: x,
      over: repeated.map((axis) => at(shape, axis)),
      reads: [
        {
          value: c,
          offset: 0,
          strides: [...kept, ...repeated.map((axis) => at(strides, axis))],
          indirections: [],
        },
      ],
      expression: read(0),
    });
  },
);

/** A slice hands zeros to what it leaves out, and adds its cotangent to zeros elsewhere. */
export const slice: Lowering<"slice"> = move(
  ({ attributes: { starts, stops, steps }, shape }, x) => {
    const strides = stridesOf(x);
    const first = x.map(
      (extent, axis) => sliceAxis(extent, at(starts, axis), at(stops, axis), at(steps, axis)).first,
    );
    return {
      offset: first.reduce((sum, index, axis) => sum + index * at(strides, axis), 0),
      // An axis of one element uses no step, and its step may be longer than any tensor.
      strides: strides.map((stride, axis) => (at(shape, axis) > 1 ? stride * at(steps, axis) : 0)),
      indirections: [],
    };
  },
  (draft, { shape }, x, place, c) =>
    draft.append({
      kind: "assemble",
      shape: x,
      isCovered: false,
      pieces: [
        {
          shape,
          place,
          reads: [draft.whole(c)],
          expression: apply("add", literal(0), read(0)),
        },
      ],
    }),
);

export const take: Lowering<"take"> = move(({ attributes: { axis, indices }, environment }, x) => {
  const strides = stridesOf(x);
  const { number } = environment.index(indices);
  const along = x.map((_, other) => (other === axis ? 1 : 0));
  return {
    offset: 0,
    strides: strides.with(axis, 0),
    indirections: [{ index: number, offset: 0, strides: along, scale: at(strides, axis) }],
  };
}, scattered);

export const takeAlongAxis: Lowering<"take_along_axis"> = move(
  ({ attributes: { axis, indices }, shape, environment }, x) => {
    const strides = stridesOf(x);
    const { number } = environment.index(indices);
    return {
      offset: 0,
      strides: strides.with(axis, 0),
      indirections: [
        {
          index: number,
          offset: 0,
          strides: stridesOf(shape),
          scale: at(strides, axis),
        },
      ],
    };
  },
  scattered,
);

export const gather: Lowering<"gather"> = move(
  ({ attributes: { indices }, environment }, x) => rowsOf(x, environment.index(indices)),
  scattered,
);

/** Finds the elements of the blocks that the rows of an index entry name. */
export function rowsOf(
  x: readonly number[],
  { number, shape }: { readonly number: number; readonly shape: readonly number[] },
): Access {
  const depth = present(shape.at(-1), "columns of an index entry");
  const strides = stridesOf(x);
  const rows = stridesOf(shape).slice(0, -1);
  const block = strides.slice(depth);
  return {
    offset: 0,
    strides: [...rows.map(() => 0), ...block],
    indirections: Array.from({ length: depth }, (_, column) => ({
      index: number,
      offset: column,
      strides: [...rows, ...block.map(() => 0)],
      scale: at(strides, column),
    })),
  };
}
