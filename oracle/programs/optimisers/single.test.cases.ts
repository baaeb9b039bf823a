import {
  byAdagrad,
  byAdam,
  byGradientDescent,
  byLamb,
  byMomentum,
  byRmsprop,
  cosine,
  type Schedule,
  type StepRule,
  stepDecay,
  training,
  warmUp,
} from "../../../reference/package.ts";
import type { Named } from "../../../reference/state/optimisers/calls.test.kit.ts";
import {
  adagradByHand,
  adamByHand,
  type HandRule,
  lambByHand,
  momentumByHand,
  rmspropByHand,
  type Vector,
} from "./by_hand.test.kit.ts";
import {
  adams,
  asAdam,
  asOptaxAdam,
  CALLS,
  epsilon,
  epsilonRoot,
  type LibraryQuestion,
  momentum,
  type OptimiserCase,
  prefixed,
  rate,
  smoothing,
  stream,
  tau,
  weight,
} from "./case.test.kit.ts";

interface Description {
  readonly title: string;
  readonly rule: StepRule;
  readonly hand: HandRule;
  /** The group is given this. */
  readonly given: Readonly<Record<string, number>>;
  readonly torch?: Omit<LibraryQuestion, "options"> & {
    readonly options?: LibraryQuestion["options"][string];
  };
  readonly optax?: Omit<LibraryQuestion, "options"> & {
    readonly options?: LibraryQuestion["options"][string];
  };
  readonly start?: Vector;
  readonly contents?: Named<number>;
  readonly isCorrectlyRounded?: boolean;
  readonly schedule?: Schedule;
  readonly rateAt?: (t: number) => number;
}

/** Returns one parameter of three elements. */
function single(description: Description): OptimiserCase {
  const {
    title,
    rule,
    hand,
    given,
    start = [1.5, -0.7, 0.3],
    contents = {},
    schedule,
    torch,
    optax,
  } = description;
  const { rateAt = () => given.rate ?? Number.NaN, isCorrectlyRounded = false } = description;
  const draw = stream(1);
  const gradients: { readonly w: Vector }[] = Array.from({ length: CALLS }, () => ({ w: start.map(draw) }));
  const group = { name: "all", rule, parameters: [{ name: "w", shape: [3] }] };
  const groups = [schedule === undefined ? group : { ...group, schedules: [schedule] }];
  const program = training(groups);
  const call = prefixed("all", given);
  const step = hand();
  let x: Vector = start;
  const byHand = gradients.map((gradient, t) => {
    x = step(x, gradient.w, rateAt(t));
    return { w: x };
  });
  const withOptions = (question: Description["torch"]): LibraryQuestion | undefined =>
    question && { ...question, options: { all: question.options ?? {} } };
  const asked = { torch: withOptions(torch), optax: withOptions(optax) };
  return {
    title,
    program,
    parameters: { w: start },
    contents,
    isCorrectlyRounded,
    groups: { all: ["w"] },
    calls: gradients.map((gradient) => ({ ...call, "w.gradient": gradient.w })),
    gradients,
    byHand,
    ...(asked.torch && { torch: asked.torch }),
    ...(asked.optax && { optax: asked.optax }),
  };
}

const singles: readonly Description[] = [
  {
    title: "gradient descent",
    rule: byGradientDescent(),
    hand: momentumByHand({}),
    given: { rate },
    torch: { optimiser: "SGD", options: { lr: rate } },
    optax: { optimiser: "sgd", options: { learning_rate: rate } },
  },
  {
    title: "gradient descent with decay",
    rule: byGradientDescent({ decay: "coupled" }),
    hand: momentumByHand({ decay: "coupled", weight }),
    given: { rate, decay: weight },
    torch: { optimiser: "SGD", options: { lr: rate, weight_decay: weight } },
    optax: { optimiser: "sgd", options: { learning_rate: rate, coupled_decay: weight } },
  },
  {
    title: "momentum",
    rule: byMomentum(),
    hand: momentumByHand({ momentum }),
    given: { rate, momentum },
    torch: { optimiser: "SGD", options: { lr: rate, momentum } },
    optax: { optimiser: "sgd", options: { learning_rate: rate, momentum } },
  },
  {
    title: "scaled momentum",
    rule: byMomentum({ form: "scaled" }),
    hand: momentumByHand({ momentum, isScaled: true }),
    given: { rate, momentum },
  },
  {
    title: "momentum with coupled decay",
    rule: byMomentum({ decay: "coupled" }),
    hand: momentumByHand({ momentum, decay: "coupled", weight }),
    given: { rate, momentum, decay: weight },
    torch: { optimiser: "SGD", options: { lr: rate, momentum, weight_decay: weight } },
    optax: { optimiser: "sgd", options: { learning_rate: rate, momentum, coupled_decay: weight } },
  },
  {
    title: "Nesterov",
    rule: byMomentum({ isNesterov: true }),
    hand: momentumByHand({ momentum, isNesterov: true }),
    given: { rate, momentum },
    torch: { optimiser: "SGD", options: { lr: rate, momentum, nesterov: true } },
    optax: { optimiser: "sgd", options: { learning_rate: rate, momentum, nesterov: true } },
  },
  {
    title: "momentum damped after the first step",
    rule: byMomentum({ dampening: "afterFirst" }),
    hand: momentumByHand({ momentum, dampening: tau, isSpared: true }),
    given: { rate, momentum, dampening: tau },
    torch: { optimiser: "SGD", options: { lr: rate, momentum, dampening: tau } },
  },
  {
    title: "momentum that is always damped",
    rule: byMomentum({ dampening: "always" }),
    hand: momentumByHand({ momentum, dampening: tau }),
    given: { rate, momentum, dampening: tau },
  },
  {
    title: "Adagrad",
    rule: byAdagrad({ decay: "coupled" }),
    hand: adagradByHand({ epsilon, weight }),
    given: { rate, epsilon, decay: weight },
    torch: { optimiser: "Adagrad", options: { lr: rate, eps: epsilon, weight_decay: weight } },
  },
  {
    title: "Adagrad with ε inside",
    rule: byAdagrad({ epsilonPlace: "inside" }),
    hand: adagradByHand({ epsilon, isInside: true, begin: 0.1 }),
    given: { rate, epsilon },
    contents: { "w.s": [0.1, 0.1, 0.1] },
    optax: {
      optimiser: "adagrad",
      options: { learning_rate: rate, eps: epsilon, initial_accumulator_value: 0.1 },
    },
  },
  {
    title: "RMSProp",
    rule: byRmsprop(),
    hand: rmspropByHand({ smoothing, epsilon }),
    given: { rate, smoothing, epsilon },
    torch: { optimiser: "RMSprop", options: { lr: rate, alpha: smoothing, eps: epsilon } },
    optax: {
      optimiser: "rmsprop",
      options: { learning_rate: rate, decay: smoothing, eps: epsilon, eps_in_sqrt: false },
    },
  },
  {
    title: "RMSProp with ε inside",
    rule: byRmsprop({ epsilonPlace: "inside" }),
    hand: rmspropByHand({ smoothing, epsilon, isInside: true }),
    given: { rate, smoothing, epsilon },
    optax: { optimiser: "rmsprop", options: { learning_rate: rate, decay: smoothing, eps: epsilon } },
  },
  {
    title: "RMSProp with decay",
    rule: byRmsprop({ decay: "coupled" }),
    hand: rmspropByHand({ smoothing, epsilon, weight }),
    given: { rate, smoothing, epsilon, decay: weight },
    torch: {
      optimiser: "RMSprop",
      options: { lr: rate, alpha: smoothing, eps: epsilon, weight_decay: weight },
    },
  },
  {
    title: "centred RMSProp",
    rule: byRmsprop({ isCentred: true }),
    hand: rmspropByHand({ smoothing, epsilon, isCentred: true }),
    given: { rate, smoothing, epsilon },
    torch: { optimiser: "RMSprop", options: { lr: rate, alpha: smoothing, eps: epsilon, centered: true } },
  },
  {
    title: "centred RMSProp with ε inside",
    rule: byRmsprop({ isCentred: true, epsilonPlace: "inside" }),
    hand: rmspropByHand({ smoothing, epsilon, isCentred: true, isInside: true }),
    given: { rate, smoothing, epsilon },
    optax: {
      optimiser: "rmsprop",
      options: { learning_rate: rate, decay: smoothing, eps: epsilon, centered: true },
    },
  },
  {
    title: "Adam",
    rule: byAdam(),
    hand: adamByHand(adams),
    given: { rate, ...adams },
    torch: { optimiser: "Adam", options: asAdam },
    optax: { optimiser: "adam", options: asOptaxAdam },
  },
  {
    title: "Adam with ε inside",
    rule: byAdam({ epsilonPlace: "inside" }),
    hand: adamByHand({ ...adams, epsilonPlace: "inside" }),
    given: { rate, ...adams },
    optax: { optimiser: "adam", options: { ...asOptaxAdam, eps: 0, eps_root: epsilon } },
  },
  {
    title: "Adam with ε at both places",
    rule: byAdam({ epsilonPlace: "both" }),
    hand: adamByHand({ ...adams, epsilonRoot, epsilonPlace: "both" }),
    given: { rate, ...adams, epsilonRoot },
    optax: { optimiser: "adam", options: { ...asOptaxAdam, eps_root: epsilonRoot } },
  },
  {
    title: "Adam with ε before the correction",
    rule: byAdam({ epsilonPlace: "uncorrected" }),
    hand: adamByHand({ ...adams, epsilonPlace: "uncorrected" }),
    given: { rate, ...adams },
  },
  {
    title: "Adam without a correction",
    rule: byAdam({ isCorrected: false }),
    hand: adamByHand({ ...adams, isCorrected: false }),
    given: { rate, ...adams },
  },
  {
    title: "Adam with coupled decay",
    rule: byAdam({ decay: "coupled" }),
    hand: adamByHand({ ...adams, decay: "coupled", weight }),
    given: { rate, ...adams, decay: weight },
    torch: { optimiser: "Adam", options: { ...asAdam, weight_decay: weight } },
    optax: { optimiser: "adam", options: { ...asOptaxAdam, coupled_decay: weight } },
  },
  {
    title: "AdamW",
    rule: byAdam({ decay: "decoupled" }),
    hand: adamByHand({ ...adams, decay: "decoupled", weight }),
    given: { rate, ...adams, decay: weight },
    torch: { optimiser: "AdamW", options: { ...asAdam, weight_decay: weight } },
    optax: { optimiser: "adamw", options: { ...asOptaxAdam, weight_decay: weight } },
  },
  {
    title: "AMSGrad of the moment",
    rule: byAdam({ greatest: "ofMoment", decay: "coupled" }),
    hand: adamByHand({ ...adams, greatest: "ofMoment", decay: "coupled", weight }),
    given: { rate, ...adams, decay: weight },
    torch: { optimiser: "Adam", options: { ...asAdam, amsgrad: true, weight_decay: weight } },
  },
  {
    title: "AMSGrad of the corrected moment",
    rule: byAdam({ greatest: "ofCorrected" }),
    hand: adamByHand({ ...adams, greatest: "ofCorrected" }),
    given: { rate, ...adams },
    optax: { optimiser: "amsgrad", options: asOptaxAdam },
  },
  {
    title: "LAMB",
    rule: byLamb({ hasDecay: true }),
    hand: lambByHand({ ...adams, weight }),
    given: { rate, ...adams, decay: weight },
    optax: { optimiser: "lamb", options: { ...asOptaxAdam, weight_decay: weight } },
  },
  {
    title: "LAMB from 0",
    rule: byLamb(),
    hand: lambByHand(adams),
    given: { rate, ...adams },
    start: [0, 0, 0],
    isCorrectlyRounded: true,
    optax: { optimiser: "lamb", options: { ...asOptaxAdam, weight_decay: 0 } },
  },
  {
    title: "a step decay",
    rule: byGradientDescent(),
    hand: momentumByHand({}),
    schedule: stepDecay,
    rateAt: (t) => rate * 0.7 ** Math.floor(t / 8),
    given: { rate, every: 8, factor: 0.7 },
    torch: {
      optimiser: "SGD",
      options: { lr: rate },
      schedule: { kind: "step", every: 8, factor: 0.7 },
    },
    optax: {
      optimiser: "sgd",
      options: { learning_rate: rate },
      schedule: { kind: "step", every: 8, factor: 0.7 },
      isNarrow: true,
    },
  },
  {
    title: "a cosine that turns",
    rule: byGradientDescent(),
    hand: momentumByHand({}),
    schedule: cosine({ afterwards: "turns" }),
    rateAt: (t) => 0.01 + (rate - 0.01) * 0.5 * (1 + Math.cos((Math.PI * t) / 40)),
    given: { rate, period: 40, least: 0.01 },
    torch: {
      optimiser: "SGD",
      options: { lr: rate },
      schedule: { kind: "cosine", period: 40, least: 0.01 },
    },
  },
  {
    title: "a cosine that holds",
    rule: byGradientDescent(),
    hand: momentumByHand({}),
    schedule: cosine(),
    rateAt: (t) => 0.0125 + (rate - 0.0125) * 0.5 * (1 + Math.cos((Math.PI * Math.min(t, 40)) / 40)),
    given: { rate, period: 40, least: 0.0125 },
    optax: {
      optimiser: "sgd",
      options: { learning_rate: rate },
      schedule: { kind: "cosine", period: 40, share: 0.125 },
    },
  },
  {
    title: "a warm-up from 0",
    rule: byGradientDescent(),
    hand: momentumByHand({}),
    schedule: warmUp(),
    rateAt: (t) => rate * Math.min(1, t / 12),
    given: { rate, warmUp: 12 },
    torch: { optimiser: "SGD", options: { lr: rate }, schedule: { kind: "lambda", warmUp: 12 } },
    optax: {
      optimiser: "sgd",
      options: { learning_rate: rate },
      schedule: { kind: "linear", warmUp: 12 },
      isNarrow: true,
    },
  },
  {
    title: "a warm-up from one step",
    rule: byGradientDescent(),
    hand: momentumByHand({}),
    schedule: warmUp({ from: "one" }),
    rateAt: (t) => rate * Math.min(1, (t + 1) / 12),
    given: { rate, warmUp: 12 },
    torch: { optimiser: "SGD", options: { lr: rate }, schedule: { kind: "linear", warmUp: 12 } },
  },
  {
    title: "no steps of warming up",
    rule: byGradientDescent(),
    hand: momentumByHand({}),
    schedule: warmUp(),
    given: { rate, warmUp: 0 },
  },
];

/** One parameter under each rule, convention and schedule. */
export const singleCases: readonly OptimiserCase[] = singles.map(single);
