import { contribute, type Machine, pullRight, rounded } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

/** As the interpreter's `pullLeft`, but the right operand is read as if it were its transpose. */
function pullLeft(machine: Machine, c: number, y: number, xBar: number, table: Int32Array): void {
  const { isSingle, values, cotangents } = machine;
  const [, rows = 0, inner = 0, columns = 0] = table;
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < inner; k++) {
      let total = 0;
      for (let j = 0; j < columns; j++) {
        const term = (cotangents[c + i * columns + j] ?? 0) * (values[y + j * inner + k] ?? 0);
        total = rounded(total + rounded(term, isSingle), isSingle);
      }
      contribute(machine, xBar + i * inner + k, total);
    }
  }
}

export const matmulNotTransposed: Mutant = plant(
  {
    name: "matmul_not_transposed",
    fault: "The cotangent of a matrix product's left operand is c·y instead of c·yᵀ.",
    source: "B14",
  },
  withKernel("matmul", {
    vjp(machine, { out, x, y, xBar, yBar, table }) {
      const [batch = 0, rows = 0, inner = 0, columns = 0] = table;
      for (let b = 0; b < batch; b++) {
        const c = out + b * rows * columns;
        const left = b * rows * inner;
        const right = b * inner * columns;
        pullLeft(machine, c, y + right, xBar + left, table);
        pullRight(machine, c, x + left, yBar + right, table);
      }
    },
  }),
);
