import type { ProgramValue } from "../../../spec/program_builder/index.ts";
import type { Program } from "../../../spec/programs/index.ts";
import type { Shape } from "../../../spec/shapes/index.ts";
import { alone, type Decay, decayed, type StepRule } from "./rule.ts";

/** Descends by x ← x − η (g + λ x). State: `x`. Inputs: `gradient`, `rate`, `decay`, coupled or decoupled. */
export function gradientDescent(shape: Shape, options: { readonly decay?: Decay } = {}): Program {
  return alone(shape, byGradientDescent(options));
}

/** Returns the rule of {@link gradientDescent}. */
export function byGradientDescent({ decay = "none" }: { readonly decay?: Decay } = {}): StepRule {
  return (stepping) => {
    const gradient = decayed(stepping, decay);
    stepping.x.update("subtract", stepping.rate.multiply(gradient));
  };
}

/** The conventions of a velocity. */
export interface MomentumOptions {
  readonly form?: "heavyBall" | "scaled";
  readonly isNesterov?: boolean;
  /** These gradients are multiplied by 1 − τ before they are added to the velocity. */
  readonly dampening?: "none" | "always" | "afterFirst";
  readonly decay?: Decay;
}

/**
 * Descends with a velocity: `heavyBall` v ← μ v + g, x ← x − η v (PyTorch); `scaled` v ← μ v + η g, x ← x − v
 * (TensorFlow, Keras). They agree while η stays. `nesterov` moves by where the velocity goes: η (g + μ v), or
 * μ v + η g. With `dampening` the velocity takes (1 − τ) g for g; `afterFirst` spares the first step, as
 * PyTorch does. State: `x`, `v`, and `begun` (0 at first) for `afterFirst`. Inputs: `gradient`, `rate`,
 * `momentum`, `dampening`. Sources: Polyak 1964; Sutskever and others, ICML 2013;
 * https://docs.pytorch.org/docs/stable/generated/torch.optim.SGD.html
 */
export function momentumDescent(shape: Shape, options: MomentumOptions = {}): Program {
  return alone(shape, byMomentum(options));
}

/** Returns the rule of {@link momentumDescent}. */
export function byMomentum({
  form = "heavyBall",
  isNesterov = false,
  dampening = "none",
  decay = "none",
}: MomentumOptions = {}): StepRule {
  return (stepping) => {
    const { builder, given, remembered, rate, x } = stepping;
    const gradient = decayed(stepping, decay);
    const momentum = given("momentum");
    const v = remembered("v", x.shape);
    const pull = form === "heavyBall" ? gradient : rate.multiply(gradient);
    v.update("multiply", momentum);
    v.update("add", dampening === "none" ? pull : damped(pull));
    const move = isNesterov ? pull.add(momentum.multiply(v)) : v.read();
    x.update("subtract", form === "heavyBall" ? rate.multiply(move) : move);

    function damped(whole: ProgramValue): ProgramValue {
      const kept = builder.subtract(1, given("dampening"));
      if (dampening === "always") return kept.multiply(whole);
      const begun = remembered("begun");
      const share = begun.where(kept, 1);
      begun.write(1);
      return share.multiply(whole);
    }
  };
}

/**
 * Writes Nesterov's method as Sutskever and others write it: with the gradient at `ahead` = x + μ v, v ← μ v
 * − η g and x ← x + v. While rate and momentum stay, `ahead` is the parameter of {@link momentumDescent} with
 * `scaled` and `isNesterov`. State: `x`, `v`, `ahead` (x at first). Inputs: `gradient`, `rate`, `momentum`.
 * Source: Sutskever, Martens, Dahl and Hinton, ICML 2013, equations 3 and 4.
 */
export function nesterovAhead(shape: Shape): Program {
  return alone(shape, byNesterovAhead());
}

/** Returns the rule of {@link nesterovAhead}. */
export function byNesterovAhead(): StepRule {
  return ({ given, remembered, gradient, rate, x }) => {
    const momentum = given("momentum");
    const [v, ahead] = [remembered("v", x.shape), remembered("ahead", x.shape)];
    v.update("multiply", momentum);
    v.update("subtract", rate.multiply(gradient));
    x.update("add", v);
    ahead.write(x.add(momentum.multiply(v)));
  };
}
