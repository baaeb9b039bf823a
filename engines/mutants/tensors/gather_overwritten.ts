import { blockAt, clear, contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const gatherOverwritten: Mutant = plant(
  {
    name: "gather_overwritten",
    fault: "A row that was gathered several times receives the cotangent of the last time only.",
    source: "D18",
  },
  withKernel("gather", {
    vjp(machine, { out, xSize, xBar, table }) {
      const { indices, cotangents, work } = machine;
      const [, rows = 0, inner = 0] = table;
      clear(cotangents, work, xSize);
      for (let row = 0; row < rows; row++) {
        const [to, from] = [work + blockAt(indices, table, row), out + row * inner];
        cotangents.copyWithin(to, from, from + inner);
      }
      for (let i = 0; i < xSize; i++) contribute(machine, xBar + i, cotangents[work + i] ?? 0);
    },
  }),
);
