import type { NoAttributes } from "../../spec/operators/index.ts";
import { type Field, present } from "../../spec/shapes/index.ts";
import { at, type Tensor, tensor } from "../tensor.ts";
import { type Cofactors, cofactorsOf } from "./cofactors.ts";
import { operand, type Rule } from "./rule.ts";

/**
 * X = A⁻¹ B by Cramer's rule: (Cᵀ B) / det A, with C the cofactors of A. B̄ = (C c) / det A solves Aᵀ B̄ = c,
 * and Ā = −B̄ Xᵀ (Giles, "Collected matrix derivative results", 2008, §2.3.1). Elimination is cheaper but
 * compares entries for its pivots; this means the same over every field. A singular A divides by 0.
 */
export const solve: Rule<"field", NoAttributes> = {
  forward: (application) => {
    const matrices = cofactorsOf(application.algebra, operand(application, 0));
    return solved(application.algebra, matrices, "straight", operand(application, 1));
  },
  vjp: (application, cotangent) => {
    const { algebra } = application;
    const matrices = cofactorsOf(algebra, operand(application, 0));
    const x = solved(algebra, matrices, "straight", operand(application, 1));
    const bBar = solved(algebra, matrices, "transposed", cotangent);
    return [negativeOuter(algebra, bBar, x), bBar];
  },
};

function extentsOf({ shape }: Tensor<unknown>): { rows: number; columns: number } {
  return { rows: present(shape.at(-2), "rows"), columns: present(shape.at(-1), "columns") };
}

/** The solutions of A X = B, or of Aᵀ X = B, from the cofactors of each A. Sums run upwards from zero. */
function solved<S>(
  a: Field<S>,
  matrices: readonly Cofactors<S>[],
  which: "straight" | "transposed",
  b: Tensor<S>,
): Tensor<S> {
  const { rows, columns } = extentsOf(b);
  return tensor(b.shape, (position) => {
    const column = position % columns;
    const row = Math.floor(position / columns) % rows;
    const index = Math.floor(position / (columns * rows));
    const { determinant, cofactors } = present(matrices[index], "a matrix");
    let total = a.zero;
    for (let k = 0; k < rows; k++) {
      const place = which === "straight" ? k * rows + row : row * rows + k;
      const term = a.multiply(
        present(cofactors[place], "a cofactor"),
        at(b, (index * rows + k) * columns + column),
      );
      total = a.add(total, term);
    }
    return a.divide(total, determinant);
  });
}

/** Returns −X Yᵀ for each matrix of two stacks of one shape. */
function negativeOuter<S>(a: Field<S>, x: Tensor<S>, y: Tensor<S>): Tensor<S> {
  const { rows, columns } = extentsOf(x);
  return tensor([...x.shape.slice(0, -1), rows], (position) => {
    const [row, index] = [Math.floor(position / rows), Math.floor(position / (rows * rows))];
    const other = index * rows + (position % rows);
    let total = a.zero;
    for (let j = 0; j < columns; j++) {
      total = a.add(total, a.multiply(at(x, row * columns + j), at(y, other * columns + j)));
    }
    return a.negative(total);
  });
}
