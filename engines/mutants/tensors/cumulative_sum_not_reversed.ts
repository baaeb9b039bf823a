import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const cumulativeSumNotReversed: Mutant = plant(
  {
    name: "cumulative_sum_not_reversed",
    fault: "The cotangent of a cumulative sum is summed upwards, as the value is.",
    source: "C13",
  },
  withKernel("cumulative_sum", {
    vjp(machine, { out, size, xBar, table }) {
      const { cotangents, work } = machine;
      const [extent = 0, inner = 0] = table;
      for (let i = 0; i < size; i++) {
        const isFirst = Math.floor(i / inner) % extent === 0;
        cotangents[work + i] =
          (isFirst ? 0 : (cotangents[work + i - inner] ?? 0)) + (cotangents[out + i] ?? 0);
      }
      for (let i = 0; i < size; i++) contribute(machine, xBar + i, cotangents[work + i] ?? 0);
    },
  }),
);
