import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryForward } from "../rules.ts";

export const tanhSaturatesEarly: Mutant = plant(
  {
    name: "tanh_saturates_early",
    fault: "tanh is 1 from 5 on, where it still differs from 1 by 10⁻⁴.",
    source: "D30",
  },
  withKernel("tanh", { forward: unaryForward((x) => (Math.abs(x) < 5 ? Math.tanh(x) : Math.sign(x))) }),
);
