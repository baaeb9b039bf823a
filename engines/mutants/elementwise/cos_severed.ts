import { type Mutant, plant, withKernel } from "../mutant.ts";

export const cosSevered: Mutant = plant(
  {
    name: "cos_severed",
    fault: "The result of cos is marked as a constant: its operand receives nothing.",
    source: "A18",
  },
  withKernel("cos", { vjp() {} }),
);
