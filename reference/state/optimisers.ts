import {
  type Program,
  type ProgramBuilder,
  type ProgramOperand,
  type ProgramReference,
  type ProgramValue,
  program,
  type Shape,
} from "../../spec/index.ts";

/*
 * Optimisers as programs with memory: the parameter and what is remembered of gradients are persistent locations, and a call of the entry is one step in
 * place. Inputs are the gradient and the rates, so whoever asks may change them from step to step. Where libraries differ, the difference is a
 * convention, and each is a program of its own [docs/optimisers.md].
 */

/** How weight decay enters: into the gradient, and so through all that is remembered (L2); or beside it, times the rate (AdamW). */
export type Decay = "none" | "coupled" | "decoupled";

/** Where the small number stands that keeps a root from being 0: √s + ε, or √(s + ε). */
export type EpsilonPlace = "outside" | "inside";

/**
 * x ← x − η (g + λ x). State: `x`. Inputs: `gradient`, `rate`, and `decay` where it is coupled or decoupled, which are the same here.
 */
export function gradientDescent(shape: Shape, { decay = "none" }: { readonly decay?: Decay } = {}): Program {
  return program((builder) => {
    const step = stepOf(builder, shape, decay);
    step.x.update("subtract", step.rate.multiply(step.gradient));
    return [];
  });
}

/**
 * With a velocity: `heavyBall` v ← μ v + g, x ← x − η v (PyTorch); `scaled` v ← μ v + η g, x ← x − v (TensorFlow, Keras). They agree as long as η stays
 * what it is. `nesterov` moves by where the velocity is going: η (g + μ v), and μ v + η g. State: `x`, `v`. Inputs: `gradient`, `rate`, `momentum`.
 * Sources: Polyak 1964; Sutskever, Martens, Dahl and Hinton, ICML 2013; https://docs.pytorch.org/docs/stable/generated/torch.optim.SGD.html
 */
export function momentumDescent(
  shape: Shape,
  {
    form = "heavyBall",
    isNesterov = false,
    decay = "none",
  }: { readonly form?: "heavyBall" | "scaled"; readonly isNesterov?: boolean; readonly decay?: Decay } = {},
): Program {
  return program((builder) => {
    const { gradient, rate, x } = stepOf(builder, shape, decay);
    const momentum = builder.input("momentum");
    const v = builder.state("v", shape);
    const pull = form === "heavyBall" ? gradient : rate.multiply(gradient);
    v.update("multiply", momentum);
    v.update("add", pull);
    const move = isNesterov ? pull.add(momentum.multiply(v)) : v.read();
    x.update("subtract", form === "heavyBall" ? rate.multiply(move) : move);
    return [];
  });
}

/**
 * s ← s + g², x ← x − η g / (√s + ε). State: `x`, `s`. Inputs: `gradient`, `rate`, `epsilon`. Source: Duchi, Hazan and Singer, JMLR 12, 2011.
 */
export function adagrad(
  shape: Shape,
  {
    epsilonPlace = "outside",
    decay = "none",
  }: { readonly epsilonPlace?: EpsilonPlace; readonly decay?: Decay } = {},
): Program {
  return program((builder) => {
    const { gradient, rate, x } = stepOf(builder, shape, decay);
    const epsilon = builder.input("epsilon");
    const s = builder.state("s", shape);
    s.update("add", gradient.multiply(gradient));
    x.update("subtract", rate.multiply(gradient).divide(rooted(s, epsilon, epsilonPlace)));
    return [];
  });
}

/**
 * s ← ρ s + (1 − ρ) g², x ← x − η g / (√s + ε); `isCentred` with s − m² for s, where m ← ρ m + (1 − ρ) g. State: `x`, `s`, and `m`. Inputs: `gradient`,
 * `rate`, `smoothing` (ρ), `epsilon`. Source: Tieleman and Hinton, lecture 6.5, 2012; Graves, arXiv 1308.0850.
 */
export function rmsprop(
  shape: Shape,
  {
    epsilonPlace = "outside",
    isCentred = false,
    decay = "none",
  }: {
    readonly epsilonPlace?: EpsilonPlace;
    readonly isCentred?: boolean;
    readonly decay?: Decay;
  } = {},
): Program {
  return program((builder) => {
    const { gradient, rate, x } = stepOf(builder, shape, decay);
    const [smoothing, epsilon] = [builder.input("smoothing"), builder.input("epsilon")];
    const s = builder.state("s", shape);
    average(s, gradient.multiply(gradient), smoothing);
    let square: ProgramValue = s.read();
    if (isCentred) {
      const m = builder.state("m", shape);
      average(m, gradient, smoothing);
      square = square.subtract(m.multiply(m));
    }
    x.update("subtract", rate.multiply(gradient).divide(rooted(square, epsilon, epsilonPlace)));
    return [];
  });
}

/**
 * m ← β₁ m + (1 − β₁) g, v ← β₂ v + (1 − β₂) g², x ← x − η m̂ / (√v̂ + ε), with m̂ = m / (1 − β₁ᵗ), v̂ = v / (1 − β₂ᵗ), unless `isCorrected` is false.
 * Decoupled decay makes it AdamW. State: `x`, `m`, `v`, and the powers `p1`, `p2`, which begin at 1. Inputs: `gradient`, `rate`, `beta1`, `beta2`,
 * `epsilon`. Sources: Kingma and Ba, ICLR 2015; Loshchilov and Hutter, ICLR 2019.
 */
export function adam(
  shape: Shape,
  {
    epsilonPlace = "outside",
    isCorrected = true,
    decay = "none",
  }: {
    readonly epsilonPlace?: EpsilonPlace;
    readonly isCorrected?: boolean;
    readonly decay?: Decay;
  } = {},
): Program {
  return program((builder) => {
    const { gradient, rate, x } = stepOf(builder, shape, decay);
    const [beta1, beta2] = [builder.input("beta1"), builder.input("beta2")];
    const epsilon = builder.input("epsilon");
    const [m, v] = [builder.state("m", shape), builder.state("v", shape)];
    const [p1, p2] = [builder.state("p1"), builder.state("p2")];
    average(m, gradient, beta1);
    average(v, gradient.multiply(gradient), beta2);
    p1.update("multiply", beta1);
    p2.update("multiply", beta2);
    const unbiased = (moment: ProgramReference, power: ProgramReference): ProgramValue =>
      isCorrected ? moment.divide(builder.subtract(1, power)) : moment.read();
    const root = rooted(unbiased(v, p2), epsilon, epsilonPlace);
    x.update("subtract", rate.multiply(unbiased(m, p1)).divide(root));
    return [];
  });
}

/** What every step begins with: its inputs, the parameter, and weight decay. */
function stepOf(
  { input, state }: ProgramBuilder,
  shape: Shape,
  decay: Decay,
): { readonly gradient: ProgramValue; readonly rate: ProgramValue; readonly x: ProgramReference } {
  const [given, rate] = [input("gradient", shape), input("rate")];
  const x = state("x", shape);
  if (decay === "none") return { gradient: given, rate, x };
  const weight = input("decay");
  if (decay === "coupled") return { gradient: given.add(weight.multiply(x)), rate, x };
  x.update("subtract", rate.multiply(weight).multiply(x));
  return { gradient: given, rate, x };
}

/** a ← ρ a + (1 − ρ) y. */
function average(a: ProgramReference, y: ProgramValue, smoothing: ProgramValue): void {
  a.update("multiply", smoothing);
  a.update("add", smoothing.negative().add(1).multiply(y));
}

function rooted(
  square: ProgramValue | ProgramReference,
  epsilon: ProgramOperand,
  place: EpsilonPlace,
): ProgramValue {
  return place === "outside" ? square.sqrt().add(epsilon) : square.add(epsilon).sqrt();
}
