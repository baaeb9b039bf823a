import { floatAt } from "../../spec/shapes/index.ts";
import { contribute, soundParts } from "../interpretation/index.ts";
import { type Mutant, mutantTable, withKernel } from "./mutant.ts";
import { binaryVjp, unaryVjp } from "./rules.ts";

const { kernels } = soundParts;

/** These faults concern the reverse rules of operators with kinks, jumps and branches. */
export const kinkMutants: readonly Mutant[] = mutantTable({
  // Here a derivative appears where there is none.
  stop_gradient_leaks: {
    fault: "The reverse sweep takes stop_gradient for the identity.",
    source: "F05",
    change: withKernel("stop_gradient", { firstReceiver: 0, vjp: kernels.reshape.vjp }),
  },
  floor_straight_through: {
    fault: "floor hands its cotangent on as if it were the identity.",
    source: "A19",
    change: withKernel("floor", { firstReceiver: 0, vjp: unaryVjp((c) => c) }),
  },
  where_condition_differentiated: {
    fault: "The condition of where receives c·(x − y), as if where were a weighted sum.",
    source: "A19",
    change: withKernel("where", {
      firstReceiver: 0,
      vjp(machine, step) {
        kernels.where.vjp(machine, step);
        const { values, cotangents } = machine;
        for (let i = 0; i < step.size; i++) {
          const difference = floatAt(values, step.y + i) - floatAt(values, step.z + i);
          contribute(machine, step.xBar + i, floatAt(cotangents, step.out + i) * difference);
        }
      },
    }),
  },

  // These concern relu at 0, and on either side.
  relu_open_at_zero: {
    fault: "relu's derivative at 0 is 1, against the convention it declares.",
    source: "C22",
    change: withKernel("relu", { vjp: unaryVjp((c, x) => (0 <= x ? c : 0)) }),
  },
  relu_leaks: {
    fault: "relu hands on a hundredth of the cotangent where its operand is negative.",
    source: "D31",
    change: withKernel("relu", { vjp: unaryVjp((c, x) => (0 < x ? c : x < 0 ? 0.01 * c : 0)) }),
  },
  relu_mask_inverted: {
    fault: "relu hands on its cotangent where its operand is not positive.",
    change: withKernel("relu", { vjp: unaryVjp((c, x) => (0 < x ? 0 : c)) }),
  },
  relu_masked_by_cotangent: {
    fault: "relu hands on a cotangent where the cotangent is positive, not where its operand is.",
    change: withKernel("relu", { vjp: unaryVjp((c) => Math.max(c, 0)) }),
  },

  // These concern ties of maximum.
  maximum_tie_to_second: {
    fault:
      "At a tie the second operand of maximum receives the cotangent, against the convention it declares.",
    source: "C19",
    change: withKernel("maximum", { vjp: binaryVjp((c, x, y) => [y < x ? c : 0, y < x ? 0 : c]) }),
  },
  maximum_tie_to_both: {
    fault:
      "At a tie both operands of maximum receive the whole cotangent, against the convention it declares.",
    source: "C19",
    change: withKernel("maximum", { vjp: binaryVjp((c, x, y) => [x < y ? 0 : c, x <= y ? c : 0]) }),
  },
  maximum_tie_to_neither: {
    fault: "At a tie neither operand of maximum receives a cotangent.",
    source: "C23",
    change: withKernel("maximum", { vjp: binaryVjp((c, x, y) => [y < x ? c : 0, x < y ? c : 0]) }),
  },
  maximum_tie_shared: {
    fault:
      "At a tie each operand of maximum receives half the cotangent, against the convention it declares.",
    source: "C20",
    change: withKernel("maximum", {
      vjp: binaryVjp((c, x, y) => [x < y ? 0 : x === y ? c / 2 : c, x < y ? c : x === y ? c / 2 : 0]),
    }),
  },

  // These concern masks and branches.
  relu_masks_by_product: {
    fault: "relu multiplies the cotangent by a mask of ones and zeros, and 0 · ∞ is NaN.",
    source: "C33",
    change: withKernel("relu", { vjp: unaryVjp((c, x) => c * (0 < x ? 1 : 0)) }),
  },
  maximum_masks_by_product: {
    fault: "maximum multiplies the cotangent by masks of ones and zeros, and 0 · ∞ is NaN.",
    source: "C20",
    change: withKernel("maximum", {
      vjp: binaryVjp((c, x, y) => [c * (x < y ? 0 : 1), c * (x < y ? 1 : 0)]),
    }),
  },
  where_masks_by_product: {
    fault: "where multiplies the cotangent by masks of ones and zeros, and 0 · ∞ is NaN.",
    source: "C01",
    change: withKernel("where", {
      vjp(machine, { out, size, x: condition, yBar: xBar, zBar: yBar }) {
        for (let i = 0; i < size; i++) {
          const c = floatAt(machine.cotangents, out + i);
          const mask = machine.values[condition + i] === 0 ? 0 : 1;
          contribute(machine, xBar + i, c * mask);
          contribute(machine, yBar + i, c * (1 - mask));
        }
      },
    }),
  },
  where_branches_swapped: {
    fault: "The operands of where receive each other's cotangents.",
    change: withKernel("where", {
      vjp(machine, step) {
        kernels.where.vjp(machine, { ...step, yBar: step.zBar, zBar: step.yBar });
      },
    }),
  },
});
