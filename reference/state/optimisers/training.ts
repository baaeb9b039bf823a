import {
  type ProgramBuilder,
  type ProgramReference,
  type ProgramValue,
  program,
} from "../../../spec/program_builder/index.ts";
import type { Program } from "../../../spec/programs/index.ts";
import type { Shape } from "../../../spec/shapes/index.ts";
import { type Clipping, clipped } from "./clipping.ts";
import { type Scope, type StepRule, scopeOf } from "./rule.ts";
import type { Schedule } from "./schedules.ts";

/** A parameter of a training step. */
export interface TrainedParameter {
  readonly name: string;
  readonly shape: Shape;
  /** The model has it at so many places. It has a gradient for each, and moves once, by their sum. */
  readonly uses?: number;
  /** A call may lack its gradient; then the parameter, its memory and its count take no step. */
  readonly mayBeAbsent?: boolean;
}

/** Parameters with a rule, a rate and a decay of their own. */
export interface ParameterGroup {
  readonly name: string;
  readonly rule: StepRule;
  readonly parameters: readonly TrainedParameter[];
  /** These schedules change the given rate at each step, one after the other. */
  readonly schedules?: readonly Schedule[];
}

/** Gradients are treated so before a rule sees them. */
export interface TrainingOptions {
  /**
   * A step may gather the gradients of several calls: their `sum` (PyTorch), their `mean` (optax), or
   * `weighted` by their counts of examples, which is the gradient of the mean over all.
   */
  readonly accumulation?: "none" | "sum" | "mean" | "weighted";
  /** Is true if the loss was multiplied by the input `scale`, which is undone before clipping. */
  readonly isScaled?: boolean;
  readonly clipping?: Clipping;
}

/**
 * A step of all parameters: gradients are summed over uses, gathered over calls, unscaled, clipped, and given
 * to the group's rule. Names: a parameter is the location of that name, with its memories behind `name.`; its
 * gradient is `name.gradient`, or `name.gradient1` and on; `name.present` says whether there is one. A
 * group's inputs are behind `group.`. With an accumulation, `last` says whether the call steps, `size` how
 * many examples it has, and `seen` counts them. Law: over an exact field, `weighted` micro-batches make the
 * step of the whole batch; `mean` does if they are equal.
 */
export function training(groups: readonly ParameterGroup[], options: TrainingOptions = {}): Program {
  return program((builder) => {
    const scope = scopeOf(builder);
    const trained = groups.flatMap((group) => {
      const own = scopeOf(builder, `${group.name}.`);
      return group.parameters.map((parameter) => declared(builder, group, own, parameter));
    });
    const step = (gradients: readonly ProgramValue[]): void => {
      const rates = new Map(groups.map((group) => [group, rateOf(builder, group, trained)]));
      for (const [i, gradient] of prepared(scope, gradients, options).entries())
        stepped(builder, trained[i], gradient, rates);
    };
    const { accumulation = "none" } = options;
    if (accumulation === "none") step(trained.map(({ gradient }) => gradient));
    else gathered(scope, trained, accumulation, step);
    return [];
  });
}

/** A parameter within its group, as a program has it. */
interface Trained {
  readonly group: ParameterGroup;
  readonly scope: Scope;
  readonly parameter: TrainedParameter;
  readonly x: ProgramReference;
  readonly gradient: ProgramValue;
  readonly isPresent: ProgramValue | undefined;
}

function declared(
  builder: ProgramBuilder,
  group: ParameterGroup,
  scope: Scope,
  parameter: TrainedParameter,
): Trained {
  const { name, shape, uses = 1, mayBeAbsent = false } = parameter;
  const numbers = uses === 1 ? [""] : Array.from({ length: uses }, (_, i) => `${i + 1}`);
  const x = builder.state(name, shape);
  const gradients = numbers.map((number) => builder.input(`${name}.gradient${number}`, shape));
  const gradient = gradients.reduce((sum, other) => sum.add(other));
  const isPresent = mayBeAbsent ? builder.input(`${name}.present`) : undefined;
  return { group, scope, parameter, x, gradient, isPresent };
}

/** Gathers until the last call of a step, which begins anew afterwards. */
function gathered(
  { builder, given, remembered }: Scope,
  trained: readonly Trained[],
  accumulation: "sum" | "mean" | "weighted",
  step: (gradients: readonly ProgramValue[]) => void,
): void {
  const weight = accumulation === "weighted" ? given("size") : undefined;
  const seen = remembered("seen");
  seen.update("add", weight ?? 1);
  const sums = trained.map(({ parameter: { name, shape }, gradient }) => {
    const sum = remembered(`${name}.sum`, shape);
    sum.update("add", weight === undefined ? gradient : weight.multiply(gradient));
    return sum;
  });
  builder.if_(given("last"), () => {
    step(sums.map((sum) => (accumulation === "sum" ? sum.read() : sum.divide(seen))));
    for (const sum of [...sums, seen]) sum.write(0);
  });
}

/** Returns the gradients unscaled, then clipped. */
function prepared(
  scope: Scope,
  gradients: readonly ProgramValue[],
  { isScaled = false, clipping }: TrainingOptions,
): readonly ProgramValue[] {
  const unscaled = isScaled ? gradients.map((gradient) => gradient.divide(scope.given("scale"))) : gradients;
  return clipping === undefined ? unscaled : clipped(scope, unscaled, clipping);
}

function rateOf(builder: ProgramBuilder, group: ParameterGroup, trained: readonly Trained[]): ProgramValue {
  const scope = trained.find((one) => one.group === group)?.scope ?? scopeOf(builder, `${group.name}.`);
  const { schedules = [] } = group;
  return schedules.reduce((rate, schedule) => schedule(scope, rate), scope.given("rate"));
}

function stepped(
  builder: ProgramBuilder,
  one: Trained | undefined,
  gradient: ProgramValue,
  rates: ReadonlyMap<ParameterGroup, ProgramValue>,
): void {
  const rate = one && rates.get(one.group);
  if (one === undefined || rate === undefined) return;
  const { group, scope, parameter, x, isPresent } = one;
  const { remembered } = scopeOf(builder, `${parameter.name}.`);
  const step = (): void => group.rule({ builder, given: scope.given, remembered, x, gradient, rate });
  if (isPresent === undefined) step();
  else builder.if_(isPresent, step);
}
