import { pullRight, soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { matmul } = soundParts.kernels;

export const matmulRightNotTransposed: Mutant = plant(
  {
    name: "matmul_right_not_transposed",
    fault: "The cotangent of a matrix product's right operand is x·c instead of xᵀ·c.",
    source: "B14",
  },
  withKernel("matmul", {
    vjp(machine, step) {
      const { out, x, yBar, table } = step;
      const [batch = 0, rows = 0, inner = 0, columns = 0] = table;
      const values = machine.values.slice();
      for (let i = 0; i < batch * rows * inner; i++) {
        const [b, k] = [Math.floor(i / (rows * inner)), i % (rows * inner)];
        const turned = b * rows * inner + (k % rows) * inner + Math.floor(k / rows);
        values[x + i] = machine.values[x + turned] ?? 0;
      }
      for (let b = 0; b < batch; b++) {
        pullRight(
          { ...machine, values },
          out + b * rows * columns,
          x + b * rows * inner,
          yBar + b * inner * columns,
          table,
        );
      }
      matmul.vjp(machine, { ...step, yBar: machine.work + step.xSize });
    },
  }),
);
