import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const normGuarded: Mutant = plant(
  {
    name: "norm_guarded",
    fault: "norm adds 2⁻³⁰ below its root, so as to have a derivative at 0.",
    source: "C02",
  },
  withExpansion("norm", (_scope, attributes, x) =>
    x
      .square()
      .sum(attributes)
      .add(2 ** -30)
      .sqrt(),
  ),
);
