import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const reluMaskedByCotangent: Mutant = plant(
  {
    name: "relu_masked_by_cotangent",
    fault: "relu hands on a cotangent where the cotangent is positive, not where its operand is.",
    source: "",
  },
  withKernel("relu", {
    vjp(machine, { out, size, xBar }) {
      for (let i = 0; i < size; i++) {
        contribute(machine, xBar + i, Math.max(machine.cotangents[out + i] ?? 0, 0));
      }
    },
  }),
);
