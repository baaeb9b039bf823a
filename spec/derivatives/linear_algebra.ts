import { sliceAlong } from "../composites/index.ts";
import type { Scope, Value } from "../construction/value.ts";
import type { LinearAlgebra } from "../operators/index.ts";
import { at as entry, type Shape } from "../shapes/index.ts";
import { operandAt } from "./linear.ts";
import type { Applied, DerivativesOf, Pull } from "./rule.ts";
import { transposed } from "./sums.ts";

/** Systems of equations and determinants. */
export const linearAlgebra: DerivativesOf<keyof LinearAlgebra> = {
  /** B̄ solves Aᵀ B̄ = c, and Ā = −B̄ Xᵀ (Giles 2008, §2.3.1); forward dX solves A dX = dB − dA X. */
  solve: {
    cotangents: (at, c) => {
      const bBar = once(() => transposed(operandAt(at, 0)).solve(c));
      return [() => bBar().matmul(transposed(at.value)).negative(), bBar];
    },
    tangent: (at, [da, db]) => {
      const moved = da?.matmul(at.value);
      const right = moved === undefined ? db : (db?.subtract(moved) ?? moved.negative());
      return right && operandAt(at, 0).solve(right);
    },
  },
  /** The cofactors, which are polynomials: singular matrices have them too. */
  det: {
    cotangents: (at, c) => [
      () =>
        standing(c)
          .broadcast_to({ shape: operandAt(at, 0).shape })
          .multiply(cofactors(at)),
    ],
    tangent: (at, [dx]) => {
      const rank = operandAt(at, 0).shape.length;
      return (
        dx &&
        cofactors(at)
          .multiply(dx)
          .sum({ axes: [rank - 2, rank - 1], keepdims: false })
      );
    },
  },
};

/** Returns a number for each matrix, as a matrix of one element. */
function standing(c: Value): Value {
  return c.reshape({ shape: [...c.shape, 1, 1] });
}

/** Writes its nodes when it is first called for, and never again. */
function once(write: Pull): Pull {
  let written: Value | undefined;
  return () => {
    written ??= write();
    return written;
  };
}

/** Returns the signed minors of each matrix: the determinants of what is left without a row and a column. */
function cofactors(at: Applied<unknown>): Value {
  const { scope } = at;
  const x = operandAt(at, 0);
  const order = entry(x.shape, x.shape.length - 1);
  if (order === 0) return x;
  const batch = x.shape.slice(0, -2);
  const withoutRow = leftOut(x, batch, order, order);
  // Rows now stand as [batch, left out, others, columns]: the same with the columns.
  const columnsFirst = transposed(withoutRow);
  const withoutBoth = leftOut(columnsFirst, [...batch, order], order, order - 1);
  // [batch, row left out, column left out, other columns, other rows]: transposed, the same determinant.
  return withoutBoth.det().multiply(signs(scope, order).broadcast_to({ shape: [...batch, order, order] }));
}

/**
 * Returns, for each row of each stacked matrix `[rows, columns]`, the others: `[batch, rows, rows − 1,
 * columns]`. Of its copies in a row, each run of `rows` loses the element before it, which is to be left out.
 */
function leftOut(x: Value, batch: Shape, rows: number, columns: number): Value {
  const axis = batch.length;
  const copies = x
    .reshape({ shape: [...batch, 1, rows, columns] })
    .broadcast_to({ shape: [...batch, rows, rows, columns] })
    .reshape({ shape: [...batch, rows * rows, columns] });
  const runs = sliceAlong(copies, axis, 1, rows * rows).reshape({
    shape: [...batch, rows - 1, rows + 1, columns],
  });
  return sliceAlong(runs, axis + 1, 0, rows).reshape({ shape: [...batch, rows, rows - 1, columns] });
}

/** Returns a chessboard of 1 and −1. */
function signs(scope: Scope, order: number): Value {
  const shape = [order, order];
  const everyOther = scope.full({ shape: [Math.ceil(order / 2)], value: 2 });
  const row = everyOther.pad({ low: [0], interior: [1], high: [order % 2 === 0 ? 1 : 0] }).subtract(1);
  const column = row.reshape({ shape: [order, 1] });
  return column.broadcast_to({ shape }).multiply(row.broadcast_to({ shape }));
}
