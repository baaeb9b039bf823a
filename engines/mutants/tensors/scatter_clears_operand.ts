import { blockAt, soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { scatter_add: scatterAdd } = soundParts.kernels;

export const scatterClearsOperand: Mutant = plant(
  {
    name: "scatter_clears_operand",
    fault: "Where scatter_add adds, its operand receives no cotangent, as if it had been overwritten.",
    source: "D20",
  },
  withKernel("scatter_add", {
    vjp(machine, step) {
      const [, rows = 0, inner = 0] = step.table;
      const cotangents = machine.cotangents.slice();
      scatterAdd.vjp({ ...machine, cotangents }, step);
      for (let row = 0; row < rows; row++) {
        const at = blockAt(machine.indices, step.table, row);
        for (let i = at; i < at + inner; i++)
          cotangents[step.xBar + i] = machine.cotangents[step.xBar + i] ?? 0;
      }
      machine.cotangents.set(cotangents);
    },
  }),
);
