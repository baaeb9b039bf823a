import type { ProgramValue } from "../../../spec/program_builder/index.ts";
import type { Program } from "../../../spec/programs/index.ts";
import type { Shape } from "../../../spec/shapes/index.ts";
import { alone, average, type Decay, decayed, type EpsilonPlace, rooted, type StepRule } from "./rule.ts";

/** The conventions of {@link adagrad}. */
export interface AdagradOptions {
  readonly epsilonPlace?: EpsilonPlace;
  readonly decay?: Decay;
}

/**
 * Writes AdaGrad: s ← s + g², x ← x − η g / (√s + ε). State: `x`, `s`. Inputs: `gradient`, `rate`, `epsilon`.
 * Source: Duchi 2011.
 */
export function adagrad(shape: Shape, options: AdagradOptions = {}): Program {
  return alone(shape, byAdagrad(options));
}

/** Returns the rule of {@link adagrad}. */
export function byAdagrad({ epsilonPlace = "outside", decay = "none" }: AdagradOptions = {}): StepRule {
  return (stepping) => {
    const { given, remembered, rate, x } = stepping;
    const gradient = decayed(stepping, decay);
    const epsilon = given("epsilon");
    const s = remembered("s", x.shape);
    s.update("add", gradient.multiply(gradient));
    x.update("subtract", rate.multiply(gradient).divide(rooted(s, epsilon, epsilonPlace)));
  };
}

/** The conventions of {@link rmsprop}. */
export interface RmspropOptions {
  readonly epsilonPlace?: EpsilonPlace;
  readonly isCentred?: boolean;
  readonly decay?: Decay;
}

/**
 * Writes RMSprop: s ← ρ s + (1 − ρ) g², x ← x − η g / (√s + ε); if `isCentred`, s − m² for s and m ← ρ m + (1
 * − ρ) g. State: `x`, `s`, `m`. Inputs: `gradient`, `rate`, `smoothing` (ρ), `epsilon`. Source: Tieleman and
 * Hinton, 2012; Graves 2013.
 */
export function rmsprop(shape: Shape, options: RmspropOptions = {}): Program {
  return alone(shape, byRmsprop(options));
}

/** Returns the rule of {@link rmsprop}. */
export function byRmsprop({
  epsilonPlace = "outside",
  isCentred = false,
  decay = "none",
}: RmspropOptions = {}): StepRule {
  return (stepping) => {
    const { given, remembered, rate, x } = stepping;
    const gradient = decayed(stepping, decay);
    const [smoothing, epsilon] = [given("smoothing"), given("epsilon")];
    const s = remembered("s", x.shape);
    average(s, gradient.multiply(gradient), smoothing);
    let square: ProgramValue = s.read();
    if (isCentred) {
      const m = remembered("m", x.shape);
      average(m, gradient, smoothing);
      square = square.subtract(m.multiply(m));
    }
    x.update("subtract", rate.multiply(gradient).divide(rooted(square, epsilon, epsilonPlace)));
  };
}
