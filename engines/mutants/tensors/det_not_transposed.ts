import { contribute, soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { det } = soundParts.kernels;

export const detNotTransposed: Mutant = plant(
  {
    name: "det_not_transposed",
    fault: "The cotangent of det is c · det A · A⁻¹, without the transpose.",
    source: "B14",
  },
  withKernel("det", {
    vjp(machine, step) {
      const { xSize, size, xBar } = step;
      const cotangents = machine.cotangents.slice();
      cotangents.fill(0, xBar, xBar + xSize);
      det.vjp({ ...machine, cotangents }, step);
      const order = Math.round(Math.sqrt(xSize / size));
      for (let i = 0; i < xSize; i++) {
        const [row, column] = [Math.floor(i / order) % order, i % order];
        const turned = i + (column - row) * order + row - column;
        contribute(machine, xBar + i, cotangents[xBar + turned] ?? 0);
      }
    },
  }),
);
