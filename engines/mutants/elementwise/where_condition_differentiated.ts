import { contribute, soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { where } = soundParts.kernels;

export const whereConditionDifferentiated: Mutant = plant(
  {
    name: "where_condition_differentiated",
    fault: "The condition of where receives c·(x − y), as if where were a weighted sum.",
    source: "A19",
  },
  withKernel("where", {
    firstReceiver: 0,
    vjp(machine, step) {
      where.vjp(machine, step);
      const { values, cotangents } = machine;
      for (let i = 0; i < step.size; i++) {
        const difference = (values[step.y + i] ?? 0) - (values[step.z + i] ?? 0);
        contribute(machine, step.xBar + i, (cotangents[step.out + i] ?? 0) * difference);
      }
    },
  }),
);
