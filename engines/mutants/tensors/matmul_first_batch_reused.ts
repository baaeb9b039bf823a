import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { matmul } = soundParts.kernels;

export const matmulFirstBatchReused: Mutant = plant(
  {
    name: "matmul_first_batch_reused",
    fault: "The reverse rule of matmul reads the first matrix of each batch for all of them.",
    source: "B21",
  },
  withKernel("matmul", {
    vjp(machine, step) {
      const [batch = 0, rows = 0, inner = 0, columns = 0] = step.table;
      const one = Int32Array.of(1, rows, inner, columns);
      for (let b = 0; b < batch; b++) {
        const [left, right] = [b * rows * inner, b * inner * columns];
        const { out, xBar, yBar } = step;
        matmul.vjp(machine, {
          ...step,
          out: out + b * rows * columns,
          xBar: xBar + left,
          yBar: yBar + right,
          table: one,
        });
      }
    },
  }),
);
