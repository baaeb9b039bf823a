import type { NoAttributes } from "../../spec/operators/index.ts";
import { present, type Semiring } from "../../spec/shapes/index.ts";
import { at, type Tensor, tensor } from "../tensor.ts";
import { operand, type Rule } from "./rule.ts";

/** X Y for each leading entry; X̄ = C Yᵀ and Ȳ = Xᵀ C. Sums run from zero, or are the algebra's own. */
export const matmul: Rule<"semiring", NoAttributes> = {
  forward: (application) => product(application.algebra, operand(application, 0), operand(application, 1)),
  vjp: (application, cotangent) => [
    product(application.algebra, cotangent, transpose(operand(application, 1))),
    product(application.algebra, transpose(operand(application, 0)), cotangent),
  ],
};

/** Rows and columns of a stack of matrices. */
function extentsOf<S>({ shape }: Tensor<S>): { rows: number; columns: number } {
  const [rows, columns] = shape.slice(-2);
  return {
    rows: present(rows, "rows of a matrix"),
    columns: present(columns, "columns of a matrix"),
  };
}

function product<S>(algebra: Semiring<S>, x: Tensor<S>, y: Tensor<S>): Tensor<S> {
  const { rows, columns: inner } = extentsOf(x);
  const { columns } = extentsOf(y);
  return tensor([...x.shape.slice(0, -1), columns], (position) => {
    const column = position % columns;
    const row = Math.floor(position / columns);
    const batch = Math.floor(row / rows);
    if (algebra.dot !== undefined) {
      const places = Array.from({ length: inner }, (_, k) => k);
      const xs = places.map((k) => at(x, row * inner + k));
      return algebra.dot(
        xs,
        places.map((k) => at(y, (batch * inner + k) * columns + column)),
      );
    }
    let total = algebra.zero;
    for (let k = 0; k < inner; k++) {
      const term = algebra.multiply(at(x, row * inner + k), at(y, (batch * inner + k) * columns + column));
      total = algebra.add(total, term);
    }
    return total;
  });
}

function transpose<S>(x: Tensor<S>): Tensor<S> {
  const { rows, columns } = extentsOf(x);
  return tensor([...x.shape.slice(0, -2), columns, rows], (position) => {
    const matrix = position - (position % (rows * columns));
    const [row, column] = [position % rows, Math.floor((position - matrix) / rows)];
    return at(x, matrix + row * columns + column);
  });
}
