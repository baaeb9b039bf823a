import { type OperatorName, present, sizeOf, sliceAxis, stridesOf } from "../../../spec/core.ts";
import { apply, literal, read } from "../expression.ts";
import type { Access, ValueId } from "../program.ts";
import { type Draft, identity, stacked } from "./draft.ts";
import type { Application, Lowering } from "./lowering.ts";

/** The adjoint of a move: the cotangent of the operand from that of the value. */
type Adjoint<K extends OperatorName> = (
  draft: Draft,
  application: Application<K>,
  access: Access,
  c: ValueId,
) => ValueId;

/** A primitive that only says where its elements come from. */
function move<K extends OperatorName>(
  from: (application: Application<K>) => Access,
  adjoint: Adjoint<K>,
): Lowering<K> {
  return {
    forward(draft, application) {
      const [x = 0] = application.operands;
      return draft.move(x, from(application), application.shape);
    },
    tangent(draft, application, _value, { count, values: [xDot] }) {
      if (xDot === undefined) return undefined;
      const size = sizeOf(application.shapes[0] ?? []);
      return draft.move(xDot, stacked(from(application), size), [count, ...application.shape]);
    },
    cotangents(draft, application, _value, c, isWanted) {
      return isWanted(0) ? [adjoint(draft, application, from(application), c)] : [];
    },
  };
}

/** Elements that come back to where they were, each of them once. */
function inverse(access: (application: Application<OperatorName>, strides: readonly number[]) => Access) {
  return (draft: Draft, application: Application<OperatorName>, _: Access, c: ValueId): ValueId =>
    draft.move(c, access(application, stridesOf(application.shape)), application.shapes[0] ?? []);
}

/** Each element of the cotangent is added to zeros where its element came from, in row-major order. */
function scattered<K extends OperatorName>(
  draft: Draft,
  application: Application<K>,
  place: Access,
  c: ValueId,
): ValueId {
  return draft.append({
    kind: "scatter",
    shape: application.shapes[0] ?? [],
    base: undefined,
    over: application.shape,
    place,
    reads: [draft.whole(c)],
    expression: read(0),
  });
}

export const reshape: Lowering<"reshape"> = move(
  // Row-major position is all that a reshape keeps.
  ({ shape }) => identity(shape),
  inverse(({ shapes: [x = []] }) => identity(x)),
);

export const permuteDims: Lowering<"permute_dims"> = move(
  ({ attributes: { axes }, shapes: [x = []] }) => {
    const strides = stridesOf(x);
    return { offset: 0, strides: axes.map((axis) => strides[axis] ?? 0), indirections: [] };
  },
  (draft, { attributes: { axes }, shapes: [x = []], shape }, _, c) => {
    const strides = stridesOf(shape);
    return draft.move(
      c,
      { offset: 0, strides: x.map((_, axis) => strides[axes.indexOf(axis)] ?? 0), indirections: [] },
      x,
    );
  },
);

/** The cotangent is summed over what was repeated: the axes in front, and those that had one element. */
export const broadcastTo: Lowering<"broadcast_to"> = move(
  ({ shapes: [x = []], shape }) => {
    const lead = shape.length - x.length;
    const strides = stridesOf(x);
    return {
      offset: 0,
      strides: shape.map((_, axis) => (x[axis - lead] === 1 ? 0 : (strides[axis - lead] ?? 0))),
      indirections: [],
    };
  },
  (draft, { shapes: [x = []], shape }, _, c) => {
    const lead = shape.length - x.length;
    const strides = stridesOf(shape);
    const repeated = shape.flatMap((_, axis) => (axis < lead || x[axis - lead] === 1 ? [axis] : []));
    const kept = x.map((extent, axis) => (extent === 1 ? 0 : (strides[axis + lead] ?? 0)));
    return draft.append({
      kind: "fold",
      operation: "add",
      shape: x,
      over: repeated.map((axis) => shape[axis] ?? 1),
      reads: [
        {
          value: c,
          offset: 0,
          strides: [...kept, ...repeated.map((axis) => strides[axis] ?? 0)],
          indirections: [],
        },
      ],
      expression: read(0),
    });
  },
);

/** What is left out gets a zero, and what is kept is added to one. */
export const slice: Lowering<"slice"> = move(
  ({ attributes: { starts, stops, steps }, shapes: [x = []], shape }) => {
    const strides = stridesOf(x);
    const first = x.map(
      (extent, axis) => sliceAxis(extent, starts[axis] ?? 0, stops[axis] ?? 0, steps[axis] ?? 1).first,
    );
    return {
      offset: first.reduce((sum, index, axis) => sum + index * (strides[axis] ?? 0), 0),
      // Where an axis keeps one element its step is of no account, and may be longer than any tensor.
      strides: strides.map((stride, axis) => ((shape[axis] ?? 0) > 1 ? stride * (steps[axis] ?? 1) : 0)),
      indirections: [],
    };
  },
  (draft, { shapes: [x = []], shape }, place, c) =>
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

export const take: Lowering<"take"> = move(
  ({ attributes: { axis, indices }, shapes: [x = []], environment }) => {
    const strides = stridesOf(x);
    const { number } = environment.index(indices);
    const along = x.map((_, other) => (other === axis ? 1 : 0));
    return {
      offset: 0,
      strides: strides.with(axis, 0),
      indirections: [{ index: number, offset: 0, strides: along, scale: present(strides[axis], "a stride") }],
    };
  },
  scattered,
);

export const takeAlongAxis: Lowering<"take_along_axis"> = move(
  ({ attributes: { axis, indices }, shapes: [x = []], shape, environment }) => {
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
          scale: present(strides[axis], "a stride"),
        },
      ],
    };
  },
  scattered,
);

export const gather: Lowering<"gather"> = move(
  ({ attributes: { indices }, shapes: [x = []], environment }) => rowsOf(x, environment.index(indices)),
  scattered,
);

/** Where the elements of the blocks lie that the rows of an index entry name. */
export function rowsOf(
  x: readonly number[],
  { number, shape }: { readonly number: number; readonly shape: readonly number[] },
): Access {
  const depth = shape.at(-1) ?? 0;
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
      scale: present(strides[column], "a stride"),
    })),
  };
}
