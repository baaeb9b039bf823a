import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const copysignOfMagnitude: Mutant = plant(
  {
    name: "copysign_of_magnitude",
    fault: "The derivative of copysign is the sign of y, without the sign of x.",
    source: "C27",
  },
  withExpansion("copysign", (_scope, _attributes, x, y) => {
    const sound = x.copysign(y);
    const slope = y.less(0).where(-1, x.equal(0).where(0, 1)).stop_gradient();
    const flat = x.subtract(x.stop_gradient());
    return sound.stop_gradient().add(slope.multiply(flat));
  }),
);
