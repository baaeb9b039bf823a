import type { ProgramReference, ProgramValue } from "../../../spec/program_builder/index.ts";
import type { Program } from "../../../spec/programs/index.ts";
import type { Shape } from "../../../spec/shapes/index.ts";
import {
  alone,
  average,
  type Decay,
  decayed,
  type EpsilonPlace,
  rooted,
  type Stepping,
  type StepRule,
} from "./rule.ts";

/** The conventions of {@link adam}. */
export interface AdamOptions {
  /**
   * It says where ε stands: see {@link EpsilonPlace}. `both`: ε outside and `epsilonRoot` inside (optax).
   * `uncorrected`: beside √v before its correction, the paper's faster form (TensorFlow, Keras).
   */
  readonly epsilonPlace?: EpsilonPlace | "both" | "uncorrected";
  readonly isCorrected?: boolean;
  /** AMSGrad divides by the root of the greatest v, corrected before (optax) or after (PyTorch). */
  readonly greatest?: "none" | "ofMoment" | "ofCorrected";
  readonly decay?: Decay;
}

/**
 * m ← β₁ m + (1 − β₁) g, v ← β₂ v + (1 − β₂) g², x ← x − η m̂ / (√v̂ + ε), with m̂ = m / (1 − β₁ᵗ),
 * v̂ = v / (1 − β₂ᵗ), unless `isCorrected` is false. Decoupled decay makes it AdamW. State: `x`, `m`, `v`,
 * the powers `p1`, `p2` (1 at first), and AMSGrad's `top`. Inputs: `gradient`, `rate`, `beta1`, `beta2`,
 * `epsilon`, `epsilonRoot`. Sources: Kingma and Ba, ICLR 2015; Loshchilov and Hutter, ICLR 2019; Reddi, Kale
 * and Kumar, ICLR 2018.
 */
export function adam(shape: Shape, options: AdamOptions = {}): Program {
  return alone(shape, byAdam(options));
}

/** Returns the rule of {@link adam}. */
export function byAdam(options: AdamOptions = {}): StepRule {
  return (stepping) => {
    const gradient = decayed(stepping, options.decay ?? "none");
    const { mean, root } = momentsOf(stepping, gradient, options);
    stepping.x.update("subtract", stepping.rate.multiply(mean).divide(root));
  };
}

/** Updates Adam's memory by one step, and returns its quotient's numerator and denominator. */
export function momentsOf(
  { builder, given, remembered, x }: Stepping,
  gradient: ProgramValue,
  { epsilonPlace = "outside", isCorrected = true, greatest = "none" }: Omit<AdamOptions, "decay">,
): { readonly mean: ProgramValue; readonly root: ProgramValue } {
  const [beta1, beta2, epsilon] = [given("beta1"), given("beta2"), given("epsilon")];
  const [m, v] = [remembered("m", x.shape), remembered("v", x.shape)];
  const [p1, p2] = [remembered("p1"), remembered("p2")];
  average(m, gradient, beta1);
  average(v, gradient.multiply(gradient), beta2);
  p1.update("multiply", beta1);
  p2.update("multiply", beta2);
  const unbiased = (moment: ProgramReference, power: ProgramReference): ProgramValue =>
    isCorrected ? moment.divide(builder.subtract(1, power)) : moment.read();
  if (epsilonPlace === "uncorrected") {
    const root = rooted(topped(v), epsilon, "outside");
    const corrected = isCorrected ? root.divide(builder.subtract(1, p2).sqrt()) : root;
    return { mean: unbiased(m, p1), root: corrected };
  }
  const square = greatest === "ofMoment" ? correctedAfter() : topped(unbiased(v, p2));
  const mean = unbiased(m, p1);
  if (epsilonPlace !== "both") return { mean, root: rooted(square, epsilon, epsilonPlace) };
  return { mean, root: rooted(square, given("epsilonRoot"), "inside").add(epsilon) };

  function correctedAfter(): ProgramValue {
    const top = topped(v);
    return isCorrected ? top.divide(builder.subtract(1, p2)) : top;
  }

  /** The greatest of these there was. */
  function topped(square: ProgramValue | ProgramReference): ProgramValue {
    if (greatest === "none") return "isReference" in square ? square.read() : square;
    const top = remembered("top", x.shape);
    top.update("maximum", square);
    return top.read();
  }
}
