import {
  byAdam,
  byGradientDescent,
  byMomentum,
  type ParameterGroup,
  type TrainingOptions,
  training,
} from "../../../reference/package.ts";
import type { Named } from "../../../reference/state/optimisers/calls.test.kit.ts";
import { at } from "../../../spec/index.ts";
import { adamByHand, type HandRule, momentumByHand, norm, type Vector, zip } from "./by_hand.test.kit.ts";
import {
  adams,
  asAdam,
  asOptaxAdam,
  beta2,
  CALLS,
  epsilon,
  type LibraryQuestion,
  momentum,
  type OptimiserCase,
  prefixed,
  rate,
  stream,
  weight,
} from "./case.test.kit.ts";

interface Together {
  readonly title: string;
  readonly groups: readonly (ParameterGroup & {
    readonly hand: HandRule;
    readonly given: Readonly<Record<string, number>>;
  })[];
  readonly options?: TrainingOptions;
  /** The step is given this beside what groups are. */
  readonly given?: Named<number>;
  /** Tells which parameters have a gradient in a call. */
  readonly isPresent?: (name: string, call: number) => boolean;
  /** All gradients of this call are 0. */
  readonly zeroAt?: number;
  /** Says how many examples a call has, and whether it ends a step. */
  readonly batch?: (call: number) => { readonly size: number; readonly isLast: boolean };
  /** Computes by hand what becomes of the gradients of a step's calls. */
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

/** Several parameters, and what is done to gradients before a rule sees them. */
export const togetherCases: readonly OptimiserCase[] = several.map(together);
