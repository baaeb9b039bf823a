import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { matmul } = soundParts.kernels;

export const matmulFirstBatchOnly: Mutant = plant(
  {
    name: "matmul_first_batch_only",
    fault: "Of a batch of matrix products only the first is pulled back.",
    source: "B04",
  },
  withKernel("matmul", {
    vjp(machine, step) {
      const [batch = 0, ...extents] = step.table;
      matmul.vjp(machine, { ...step, table: Int32Array.of(Math.min(batch, 1), ...extents) });
    },
  }),
);
