import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { matmul } = soundParts.kernels;

export const matmulTileRemainder: Mutant = plant(
  {
    name: "matmul_tile_remainder",
    fault: "A matrix product runs in tiles of two, and an odd inner extent above two loses its last term.",
    source: "D09",
  },
  withKernel("matmul", {
    forward(machine, step) {
      const [batch = 0, rows = 0, inner = 0, columns = 0] = step.table;
      matmul.forward(machine, step);
      if (inner < 3 || inner % 2 === 0) return;
      const { values } = machine;
      for (let i = 0; i < batch * rows * columns; i++) {
        const [row, column] = [Math.floor(i / columns), i % columns];
        const right = step.y + (Math.floor(row / rows) + 1) * inner * columns - columns + column;
        const term = (values[step.x + (row + 1) * inner - 1] ?? 0) * (values[right] ?? 0);
        values[step.out + i] = (values[step.out + i] ?? 0) - term;
      }
    },
  }),
);
