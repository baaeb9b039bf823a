import { stridesOf } from "../../../spec/index.ts";
import { positionsOf, soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { broadcast_to: broadcast } = soundParts.kernels;

export const broadcastAlignedLeft: Mutant = plant(
  {
    name: "broadcast_aligned_left",
    fault: "Shapes are aligned at their first axes instead of their last, where both would fit.",
    source: "B16",
  },
  withKernel("broadcast_to", {
    prepare(placement) {
      const {
        parents: [x = []],
        shape,
      } = placement;
      const fits = x.every((extent, axis) => extent === 1 || extent === shape[axis]);
      if (!fits) return broadcast.prepare(placement);
      const strides = stridesOf(x);
      return positionsOf(
        shape,
        shape.map((_, axis) => (x[axis] === 1 ? 0 : (strides[axis] ?? 0))),
      );
    },
  }),
);
