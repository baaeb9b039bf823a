import { clear, contribute, positionsOf, soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { broadcast_to: broadcast } = soundParts.kernels;

export const broadcastNewAxisLost: Mutant = plant(
  {
    name: "broadcast_new_axis_lost",
    fault:
      "The cotangent of a broadcast is summed along stretched axes, but of a new axis only the first entry counts.",
    source: "B04",
  },
  withKernel("broadcast_to", {
    prepare(placement) {
      const {
        parents: [x = []],
        shape,
      } = placement;
      const isNew = (axis: number): boolean => axis < shape.length - x.length;
      const later = positionsOf(
        shape,
        shape.map((_, axis) => (isNew(axis) ? 1 : 0)),
      );
      return Int32Array.of(...broadcast.prepare(placement), ...later);
    },
    vjp(machine, { out, size, xSize, xBar, table }) {
      const { cotangents, work } = machine;
      clear(cotangents, work, xSize);
      for (let i = 0; i < size; i++) {
        if (table[size + i] === 0) contribute(machine, work + (table[i] ?? 0), cotangents[out + i] ?? 0);
      }
      for (let i = 0; i < xSize; i++) contribute(machine, xBar + i, cotangents[work + i] ?? 0);
    },
  }),
);
