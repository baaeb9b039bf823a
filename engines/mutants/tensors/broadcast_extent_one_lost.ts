import { stridesOf } from "../../../spec/index.ts";
import { clear, contribute, positionsOf } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const broadcastExtentOneLost: Mutant = plant(
  {
    name: "broadcast_extent_one_lost",
    fault:
      "The cotangent of a broadcast is summed over new axes, but not along an axis of extent 1 that was stretched.",
    source: "B02",
  },
  withKernel("broadcast_to", {
    prepare({ parents: [x = []], shape }) {
      const whole = stridesOf(x);
      const strides = shape.map((_, axis) => whole[axis - shape.length + x.length] ?? 0);
      const isStretched = (extent: number, axis: number): boolean => {
        const own = x[axis - shape.length + x.length];
        return own === 1 && extent > 1;
      };
      const places = positionsOf(
        shape,
        strides.map((stride, axis) => (isStretched(shape[axis] ?? 1, axis) ? 0 : stride)),
      );
      const later = positionsOf(
        shape,
        shape.map((extent, axis) => (isStretched(extent, axis) ? 1 : 0)),
      );
      return Int32Array.of(...places, ...later);
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
