import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const varWithoutCorrection: Mutant = plant(
  {
    name: "var_without_correction",
    fault: "var divides by the number of elements, whatever the correction.",
    source: "B22",
  },
  withExpansion("var", (_scope, { axes, keepdims }, x) => {
    const deviation = x.subtract(x.mean({ axes, keepdims: true }));
    return deviation.square().mean({ axes, keepdims });
  }),
);
