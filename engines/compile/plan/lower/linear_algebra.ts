import { at, pair, type Shape, sizeOf, stridesOf } from "../../../../spec/shapes/index.ts";
import { apply, read } from "../expression.ts";
import type { Access, Piece, Routine, ValueId } from "../program.ts";
import { type Draft, identity } from "./draft.ts";
import type { Dots, Lowering } from "./lowering.ts";

function affine(strides: readonly number[]): Access {
  return { offset: 0, strides, indirections: [] };
}

/** Computes the strides of the loops over a batch of matrices of `size` elements. */
function batchStrides(batch: Shape, size: number): number[] {
  return stridesOf(batch).map((stride) => stride * size);
}

/** Calls a routine for each tangent, on the operands and that tangent of each of them. */
function eachTangent(
  draft: Draft,
  routine: Routine,
  operands: readonly ValueId[],
  shapes: readonly Shape[],
  shape: Shape,
  { count, values }: Dots,
): ValueId | undefined {
  if (values.every((dot) => dot === undefined)) return undefined;
  const pieces = Array.from({ length: count }, (_, turn): Piece => {
    const dots = shapes.map((own, which) => {
      const dot = values[which];
      if (dot === undefined) return draft.fill(own, 0);
      return draft.move(dot, { ...identity(own), offset: turn * sizeOf(own) }, own);
    });
    const tangent = draft.append({ kind: "routine", shape, routine, operands: [...operands, ...dots] });
    return {
      shape,
      place: { ...identity(shape), offset: turn * sizeOf(shape) },
      reads: [draft.whole(tangent)],
      expression: read(0),
    };
  });
  return draft.append({ kind: "assemble", shape: [count, ...shape], isCovered: true, pieces });
}

/** The cotangent of the matrix is the cotangent times the cofactors. */
export const det: Lowering<"det"> = {
  forward: (draft, { operands, shapes, shape }) =>
    draft.append({
      kind: "routine",
      shape,
      routine: { kind: "determinant", n: columnsOf(at(shapes, 0)) },
      operands,
    }),
  tangent: (draft, { operands, shapes, shape }, _value, dots) =>
    eachTangent(
      draft,
      { kind: "determinant_tangent", n: columnsOf(at(shapes, 0)) },
      operands,
      shapes,
      shape,
      dots,
    ),
  cotangents(draft, { operands, shapes, shape }, _value, c, isWanted) {
    if (!isWanted(0)) return [];
    const a = at(shapes, 0);
    const routine = { kind: "cofactors", n: columnsOf(a) } as const;
    const cofactors = draft.append({ kind: "routine", shape: a, routine, operands });
    const reads = [{ value: c, ...affine([...stridesOf(shape), 0, 0]) }, draft.whole(cofactors)];
    return [draft.map(a, reads, apply("multiply", read(0), read(1)))];
  },
};

/** `B̄` solves the transposed system, and `Ā = −B̄ Xᵀ`. */
export const solve: Lowering<"solve"> = {
  forward: (draft, { operands, shapes, shape }) =>
    draft.append({
      kind: "routine",
      shape,
      routine: { kind: "solution", ...extentsOf(shapes) },
      operands,
    }),
  tangent: (draft, { operands, shapes, shape }, _value, dots) =>
    eachTangent(draft, { kind: "solution_tangent", ...extentsOf(shapes) }, operands, shapes, shape, dots),
  cotangents(draft, { operands, shapes }, x, c, isWanted) {
    const { n, m } = extentsOf(shapes);
    const [aShape, bShape] = pair(shapes);
    const bBar = draft.append({
      kind: "routine",
      shape: bShape,
      routine: { kind: "solution_cotangent", n, m },
      operands: [at(operands, 0), c],
    });
    if (!isWanted(0)) return [undefined, bBar];
    const outer = batchStrides(aShape.slice(0, -2), n * m);
    const total = draft.append({
      kind: "fold",
      operation: "add",
      shape: aShape,
      over: [m],
      reads: [
        { value: bBar, ...affine([...outer, m, 0, 1]) },
        { value: x, ...affine([...outer, 0, m, 1]) },
      ],
      expression: apply("multiply", read(0), read(1)),
    });
    return [draft.map(aShape, [draft.whole(total)], apply("negative", read(0))), bBar];
  },
};

function extentsOf(shapes: readonly Shape[]): { readonly n: number; readonly m: number } {
  const [a, b] = pair(shapes);
  return { n: columnsOf(a), m: columnsOf(b) };
}

/** Returns the columns of a matrix in a stack. */
function columnsOf(matrices: Shape): number {
  return at(matrices, matrices.length - 1);
}
