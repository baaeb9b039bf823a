import {
  byAdagrad,
  byAdam,
  byGradientDescent,
  byLamb,
  byMomentum,
  byRmsprop,
  cosine,
  type ParameterGroup,
  type Schedule,
  type StepRule,
  stepDecay,
  type TrainingOptions,
  training,
  warmUp,
} from "../../reference/index.ts";
import type { Named } from "../../reference/state/optimisers/calls.test.kit.ts";
import { at, type Program } from "../../spec/index.ts";
import {
  adagradByHand,
  adamByHand,
  type HandRule,
  lambByHand,
  momentumByHand,
  norm,
  rmspropByHand,
  type Vector,
  zip,
} from "./by_hand.test.kit.ts";

/** What a library is asked: its optimiser by name, and options under the library's own names. */
interface LibraryQuestion {
  readonly optimiser: string;
  /** By group. */
  readonly options: Readonly<Record<string, Readonly<Record<string, number | boolean | readonly number[]>>>>;
  readonly clip?: { readonly kind: "value" | "norm"; readonly limit: number };
  readonly schedule?: { readonly kind: string } & Readonly<Record<string, number | string>>;
  /** Micro-batches that make one step, whether they are averaged, and the type that optax gathers them in, which is else its default. */
  readonly every?: { readonly calls: number; readonly isMean: boolean; readonly accumulator?: "float64" };
  /** Whether the library computes something of it in float32, though it is asked in float64: a finding [docs/findings.md]. */
  readonly isNarrow?: boolean;
}

/** A run of so many calls, in three writings: a program, by hand, and as libraries are asked. */
export interface OptimiserCase {
  readonly title: string;
  readonly program: Program;
  /** The parameters, with where they begin. */
  readonly parameters: Named<number>;
  /** Other contents that do not begin empty. */
  readonly contents: Named<number>;
  /** Whether all operations are held to correct rounding: where a product is exactly 0, no other bound says so. */
  readonly isCorrectlyRounded?: boolean;
  readonly groups: Readonly<Record<string, readonly string[]>>;
  readonly calls: readonly Named<number>[];
  /** The gradients of each call, by parameter; none where a call has none. */
  readonly gradients: readonly Named<number>[];
  /** The parameters after each call, by hand. */
  readonly byHand: readonly Named<number>[];
  readonly torch?: LibraryQuestion;
  readonly optax?: LibraryQuestion;
}

/** How many calls each case has. */
export const CALLS = 60;

/** A stream of numbers between −2 and 2, the same for a seed: mulberry32. */
function stream(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 30 - 2;
  };
}

interface Description {
  readonly title: string;
  readonly rule: StepRule;
  readonly hand: HandRule;
  /** What the group is given. */
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

/** One parameter of three elements. */
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

function prefixed(group: string, given: Readonly<Record<string, number>>): Named<number> {
  return Object.fromEntries(Object.entries(given).map(([name, x]) => [`${group}.${name}`, [x]]));
}

const [rate, momentum, weight, tau] = [0.1, 0.9, 0.02, 0.25];
const [beta1, beta2, epsilon, epsilonRoot, smoothing] = [0.9, 0.99, 1e-3, 1e-2, 0.95];
const adams = { beta1, beta2, epsilon };
const asAdam = { lr: rate, betas: [beta1, beta2], eps: epsilon };
const asOptaxAdam = { learning_rate: rate, b1: beta1, b2: beta2, eps: epsilon };

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

interface Together {
  readonly title: string;
  readonly groups: readonly (ParameterGroup & {
    readonly hand: HandRule;
    readonly given: Readonly<Record<string, number>>;
  })[];
  readonly options?: TrainingOptions;
  /** What the step is given beside what groups are. */
  readonly given?: Named<number>;
  /** Which parameters have a gradient in a call. */
  readonly isPresent?: (name: string, call: number) => boolean;
  /** How many examples a call has, and whether it ends a step. */
  /** A call whose gradients are all 0. */
  readonly zeroAt?: number;
  readonly batch?: (call: number) => { readonly size: number; readonly isLast: boolean };
  /** What becomes of the gradients of a step's calls, by hand. */
  readonly prepare: (
    calls: readonly { readonly size: number; readonly gradients: Named<number> }[],
  ) => Named<number>;
  readonly torch?: LibraryQuestion;
  readonly optax?: LibraryQuestion;
}

const alone: Together["prepare"] = (calls) => at([...calls], 0).gradients;

function scaledBy(share: number, gradients: Named<number>): Named<number> {
  return Object.fromEntries(Object.entries(gradients).map(([name, g]) => [name, g.map((x) => share * x)]));
}

function weighed(
  calls: readonly { readonly size: number; readonly gradients: Named<number> }[],
  shareOf: (size: number, total: number) => number,
): Named<number> {
  const total = calls.reduce((sum, { size }) => sum + size, 0);
  const parts = calls.map(({ size, gradients }) => scaledBy(shareOf(size, total), gradients));
  return parts.reduce((sum, part) =>
    Object.fromEntries(
      Object.entries(sum).map(([name, g]) => [name, zip(g, part[name] ?? [], (a, b) => a + b)]),
    ),
  );
}

/** Several parameters, which begin at the same numbers in every case. */
function together(description: Together): OptimiserCase {
  const { title, groups, options, given = {}, prepare, torch, optax } = description;
  const { isPresent = () => true, batch = () => ({ size: 1, isLast: true }), zeroAt } = description;
  const draw = stream(2);
  const members = groups.flatMap((group) => group.parameters.map((parameter) => ({ group, parameter })));
  const parameters: Named<number> = Object.fromEntries(
    members.map(({ parameter: { name, shape } }) => [name, Array.from({ length: shape[0] ?? 1 }, draw)]),
  );
  const calls: Named<number>[] = [];
  const gradients: Named<number>[] = [];
  for (let call = 0; call < CALLS; call++) {
    const { size, isLast } = batch(call);
    const drawn: Record<string, readonly number[]> = {};
    const shown: Record<string, readonly number[]> = {};
    for (const { parameter } of members) {
      const { name, uses = 1, mayBeAbsent = false } = parameter;
      const zero = (parameters[name] ?? []).map(() => 0);
      const parts: Vector[] = Array.from({ length: uses }, () => (call === zeroAt ? zero : zero.map(draw)));
      const whole = parts.reduce((sum, part) => zip(sum, part, (a, b) => a + b));
      for (const [i, part] of parts.entries()) shown[`${name}.gradient${uses === 1 ? "" : i + 1}`] = part;
      const present = isPresent(name, call);
      if (mayBeAbsent) shown[`${name}.present`] = [present ? 1 : 0];
      if (present) drawn[name] = whole;
    }
    const ownGiven = groups.map((group) => prefixed(group.name, group.given));
    calls.push(Object.assign({ ...given, size: [size], last: [isLast ? 1 : 0] }, ...ownGiven, shown));
    gradients.push(drawn);
  }
  return {
    title,
    program: training(groups, options),
    parameters,
    contents: {},
    groups: Object.fromEntries(groups.map((group) => [group.name, group.parameters.map(({ name }) => name)])),
    calls,
    gradients,
    byHand: followed(groups, parameters, gradients, batch, prepare),
    ...(torch && { torch }),
    ...(optax && { optax }),
  };
}

function followed(
  groups: Together["groups"],
  parameters: Named<number>,
  gradients: readonly Named<number>[],
  batch: NonNullable<Together["batch"]>,
  prepare: Together["prepare"],
): Named<number>[] {
  const steps = new Map(
    groups.flatMap(({ hand, given, parameters: own }) =>
      own.map(({ name }) => [name, { step: hand(), rate: given.rate ?? Number.NaN }] as const),
    ),
  );
  let now = parameters;
  let waiting: { readonly size: number; readonly gradients: Named<number> }[] = [];
  return gradients.map((drawn, call) => {
    const { size, isLast } = batch(call);
    waiting.push({ size, gradients: drawn });
    if (!isLast) return now;
    const ready = prepare(waiting);
    waiting = [];
    now = Object.fromEntries(
      Object.entries(now).map(([name, x]) => {
        const [known, g] = [steps.get(name), ready[name]];
        return [name, known === undefined || g === undefined ? x : known.step(x, g, known.rate)];
      }),
    );
    return now;
  });
}

const w = { name: "w", shape: [3] };
const b = { name: "b", shape: [2] };
const plain = {
  name: "all",
  rule: byGradientDescent(),
  hand: momentumByHand({}),
  given: { rate },
  parameters: [w, b],
};
const heavy = {
  ...plain,
  rule: byMomentum(),
  hand: momentumByHand({ momentum }),
  given: { rate, momentum },
};
const sgd = { optimiser: "SGD", options: { all: { lr: rate } } };
const optaxSgd = { optimiser: "sgd", options: { all: { learning_rate: rate } } };
const limit = 2;

function shortened(gradients: Named<number>, padding: number): Named<number> {
  const length = norm(...Object.values(gradients));
  return scaledBy(length + padding > limit ? limit / (length + padding) : 1, gradients);
}

function cut(gradients: Named<number>, at: number): Named<number> {
  return Object.fromEntries(
    Object.entries(gradients).map(([name, g]) => [name, g.map((x) => Math.max(-at, Math.min(at, x)))]),
  );
}

const several: readonly Together[] = [
  {
    title: "groups, and gradients that are absent",
    groups: [
      {
        name: "weights",
        rule: byAdam({ decay: "decoupled" }),
        hand: adamByHand({ ...adams, decay: "decoupled", weight }),
        given: { rate, ...adams, decay: weight },
        parameters: [{ ...w, mayBeAbsent: true }],
      },
      {
        name: "biases",
        rule: byAdam(),
        hand: adamByHand({ ...adams, beta1: 0.75 }),
        given: { ...adams, rate: 0.03, beta1: 0.75 },
        parameters: [{ ...b, mayBeAbsent: true }],
      },
    ],
    isPresent: (name, call) => (name === "w" ? call % 3 !== 1 : call % 5 !== 0),
    prepare: alone,
    torch: {
      optimiser: "AdamW",
      options: {
        weights: { ...asAdam, weight_decay: weight },
        biases: { lr: 0.03, betas: [0.75, beta2], eps: epsilon, weight_decay: 0 },
      },
    },
  },
  {
    title: "groups",
    groups: [
      {
        name: "weights",
        rule: byAdam({ decay: "decoupled" }),
        hand: adamByHand({ ...adams, decay: "decoupled", weight }),
        given: { rate, ...adams, decay: weight },
        parameters: [w],
      },
      {
        name: "biases",
        rule: byAdam(),
        hand: adamByHand({ ...adams, beta1: 0.75 }),
        given: { ...adams, rate: 0.03, beta1: 0.75 },
        parameters: [b],
      },
    ],
    prepare: alone,
    optax: {
      optimiser: "adamw",
      options: {
        weights: { ...asOptaxAdam, weight_decay: weight },
        biases: { learning_rate: 0.03, b1: 0.75, b2: beta2, eps: epsilon, weight_decay: 0 },
      },
    },
  },
  {
    title: "a tied parameter",
    groups: [{ ...heavy, parameters: [{ ...w, uses: 2 }, b] }],
    prepare: alone,
    torch: { optimiser: "SGD", options: { all: { lr: rate, momentum } } },
    optax: { optimiser: "sgd", options: { all: { learning_rate: rate, momentum } } },
  },
  {
    title: "micro-batches that are summed",
    groups: [heavy],
    options: { accumulation: "sum" },
    batch: (call) => ({ size: 1, isLast: call % 3 === 2 }),
    prepare: (calls) => weighed(calls, () => 1),
    torch: {
      optimiser: "SGD",
      options: { all: { lr: rate, momentum } },
      every: { calls: 3, isMean: false },
    },
    optax: {
      optimiser: "sgd",
      options: { all: { learning_rate: rate, momentum } },
      every: { calls: 3, isMean: false, accumulator: "float64" },
    },
  },
  {
    title: "micro-batches that are averaged",
    groups: [heavy],
    options: { accumulation: "mean" },
    batch: (call) => ({ size: 1, isLast: call % 3 === 2 }),
    prepare: (calls) => weighed(calls, (_, total) => 1 / total),
    optax: {
      optimiser: "sgd",
      options: { all: { learning_rate: rate, momentum } },
      every: { calls: 3, isMean: true, accumulator: "float64" },
    },
  },
  {
    title: "micro-batches that are averaged, in optax' own accumulator",
    groups: [heavy],
    options: { accumulation: "mean" },
    batch: (call) => ({ size: 1, isLast: call % 3 === 2 }),
    prepare: (calls) => weighed(calls, (_, total) => 1 / total),
    optax: {
      optimiser: "sgd",
      options: { all: { learning_rate: rate, momentum } },
      every: { calls: 3, isMean: true },
      isNarrow: true,
    },
  },
  {
    title: "micro-batches of unequal sizes",
    groups: [heavy],
    options: { accumulation: "weighted" },
    batch: (call) => ({ size: 1 + (call % 4), isLast: call % 3 === 2 }),
    prepare: (calls) => weighed(calls, (size, total) => size / total),
  },
  {
    title: "clipping by value",
    groups: [plain],
    options: { clipping: "value" },
    zeroAt: 3,
    given: { limit: [0.75] },
    prepare: (calls) => cut(alone(calls), 0.75),
    torch: { ...sgd, clip: { kind: "value", limit: 0.75 } },
    optax: { ...optaxSgd, clip: { kind: "value", limit: 0.75 } },
  },
  {
    title: "clipping by the global norm",
    groups: [plain],
    options: { clipping: "globalNorm" },
    zeroAt: 3,
    given: { limit: [limit] },
    prepare: (calls) => shortened(alone(calls), 0),
    optax: { ...optaxSgd, clip: { kind: "norm", limit } },
  },
  {
    title: "clipping by the padded norm",
    groups: [plain],
    options: { clipping: "paddedNorm" },
    zeroAt: 3,
    given: { limit: [limit] },
    prepare: (calls) => shortened(alone(calls), 1e-6),
    torch: { ...sgd, clip: { kind: "norm", limit } },
  },
  {
    title: "a scaled loss that is clipped",
    groups: [plain],
    options: { isScaled: true, clipping: "value" },
    given: { limit: [0.05], scale: [12] },
    prepare: (calls) => cut(scaledBy(1 / 12, alone(calls)), 0.05),
  },
];

export const optimiserCases: readonly OptimiserCase[] = [...singles.map(single), ...several.map(together)];
