import { clear, positionsOf, soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { sum } = soundParts.kernels;

export const sumFirstAxisOnly: Mutant = plant(
  {
    name: "sum_first_axis_only",
    fault: "Of several axes only the first is summed; along the others the first slice is taken.",
    source: "B12",
  },
  withKernel("sum", {
    prepare(placement) {
      const {
        attributes: { axes },
        parents: [x = []],
      } = placement;
      const isLater = (axis: number): boolean => axes.includes(axis) && axis !== axes[0];
      const later = positionsOf(
        x,
        x.map((_, axis) => (isLater(axis) ? 1 : 0)),
      );
      return Int32Array.of(...sum.prepare(placement), ...later);
    },
    forward({ values }, { out, size, x, xSize, table }) {
      clear(values, out, size);
      for (let i = 0; i < xSize; i++) {
        const position = out + (table[i] ?? 0);
        if (table[xSize + i] === 0) values[position] = (values[position] ?? 0) + (values[x + i] ?? 0);
      }
    },
    jvp(machine, step) {
      sum.jvp(machine, { ...step, table: step.table.subarray(0, step.xSize) });
    },
    vjp(machine, step) {
      sum.vjp(machine, { ...step, table: step.table.subarray(0, step.xSize) });
    },
  }),
);
