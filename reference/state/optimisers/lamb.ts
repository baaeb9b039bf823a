import type { ProgramValue } from "../../../spec/program_builder/index.ts";
import type { Program } from "../../../spec/programs/index.ts";
import type { Shape } from "../../../spec/shapes/index.ts";
import { type AdamOptions, momentsOf } from "./adam.ts";
import { alone, type StepRule, squareOf } from "./rule.ts";

/** The conventions of {@link lamb}. */
export interface LambOptions extends Omit<AdamOptions, "decay"> {
  /** Weight decay λ x is added to Adam's update. */
  readonly hasDecay?: boolean;
  /** If a norm is 0 the trust ratio is 1, or the quotient: 0, infinite or NaN. */
  readonly atZeroNorm?: "one" | "quotient";
}

/**
 * r = m̂ / (√v̂ + ε) + λ x, x ← x − η ‖x‖/‖r‖ r: Adam's direction, as long as the parameter. The ratio is 1
 * if a norm is 0, else a parameter of 0 would stay there. State and inputs: as `adam`, and `decay`. Law:
 * x ↦ c x with λ ↦ λ/c makes the whole path c times as long. Source: You and others, ICLR 2020.
 */
export function lamb(shape: Shape, options: LambOptions = {}): Program {
  return alone(shape, byLamb(options));
}

/** Returns the rule of {@link lamb}. */
export function byLamb({ hasDecay = false, atZeroNorm = "one", ...options }: LambOptions = {}): StepRule {
  return (stepping) => {
    const { builder, given, gradient, rate, x } = stepping;
    const { mean, root } = momentsOf(stepping, gradient, options);
    const quotient = mean.divide(root);
    const r = hasDecay ? quotient.add(given("decay").multiply(x)) : quotient;
    const [length, step] = [squareOf(x), squareOf(r)];
    const ratio = builder.full({ shape: [], value: 1 });
    const compare = (): void => ratio.becomes(length.sqrt().divide(step.sqrt()));
    // Branches, not a choice of values: the root's derivative at 0 is infinite, and nobody asks for it.
    const unlessZero = (square: ProgramValue, body: () => void): void =>
      builder.if_(square.equal(0), () => {}, body);
    if (atZeroNorm === "quotient") compare();
    else unlessZero(length, () => unlessZero(step, compare));
    x.update("subtract", rate.multiply(ratio).multiply(r));
  };
}
