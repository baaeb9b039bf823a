import { pullBack } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

export const sweptOncePerUse: Mutant = plant(
  {
    name: "swept_once_per_use",
    fault: "A node is swept once for every use of its value, and hands on its whole cotangent each time.",
    source: "A03",
  },
  withReverse({
    sweep(machine, { steps }) {
      const uses = new Int32Array(machine.reached.length);
      for (const step of steps.toReversed()) {
        if (machine.reached[step.id] === 0) continue;
        const times = Math.max(1, uses[step.id] ?? 0);
        for (let time = 0; time < times; time++) pullBack(machine, step);
        for (const id of step.receivers) uses[id] = (uses[id] ?? 0) + 1;
      }
    },
  }),
);
