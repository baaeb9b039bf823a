import { describe, expect, test } from "vitest";
import {
  byAdagrad,
  byAdam,
  byLamb,
  byMomentum,
  byRmsprop,
  cosine,
  type Dual,
  dual,
  execute,
  float64,
  type PolicyOrNone,
  type Schedule,
  type StepRule,
  type Tensor,
} from "../../../reference/package.ts";
import { contentsOf } from "../../../reference/state/optimisers/calls.test.kit.ts";
import { scopeOf } from "../../../reference/state/optimisers/rule.ts";
import { at, nodeId, type Program, type ProgramCase, program } from "../../../spec/index.ts";
import { flatten, unflatten } from "../../case/reference_run.ts";
import { truthOf } from "../../truth/index.ts";
import { referenceStandard } from "../../truth/standard/standard.ts";
import { onesLike, questionOf, sweptCase } from "../question.ts";

/*
 * Roots give no rational numbers, so derivatives of training are judged by the truth about the run's graph: a
 * tape's sweep and dual numbers in place must both be within the bounds, at every input.
 */

const STEPS = 4;
const standard = referenceStandard("float64");

const numbers: Readonly<Record<string, number>> = {
  rate: 0.1,
  momentum: 0.75,
  beta1: 0.75,
  beta2: 0.875,
  epsilon: 0.0625,
  epsilonRoot: 0.03125,
  smoothing: 0.875,
  decay: 0.125,
  period: 6,
  least: 0.01,
};

/** Trains Σ x² along sin x in one call; if `isDetached`, a tape is told that no gradient depends on x. */
function trained(rule: StepRule, schedule: Schedule | undefined, isDetached = false): ProgramCase {
  const written = program((builder) => {
    const scope = scopeOf(builder);
    const x = builder.state("x", [2]);
    const rate = scope.given("rate");
    builder.for_(STEPS, () => {
      const now = schedule === undefined ? rate : schedule(scope, rate);
      const gradient = x.sin();
      rule({ ...scope, x, gradient: isDetached ? gradient.detach() : gradient, rate: now });
    });
    return [x.multiply(x).sum({ axes: [0], keepdims: false })];
  });
  const given = parametersOf(written).map((name) => ({ shape: [], data: [numbers[name] ?? Number.NaN] }));
  const inputs = [...given, ...contentsOf(float64, written, { x: [1.25, -0.5] })].map(flatten);
  return {
    program: written,
    point: { inputs, environment: new Map() },
    generator: { key: [0, 0], drawn: 0 },
    received: new Map(),
    seeds: [{ id: nodeId(0), cotangent: flatten({ shape: [], data: [1] }) }],
  };
}

function parametersOf(written: Program): string[] {
  return (written.procedures[0]?.parameters ?? []).map(({ name }) => name);
}

/** Finds where numbers lie: all within the bounds of the truth about a training, or outside here. */
function outside(question: ProgramCase, answers: readonly (Tensor<number> | undefined)[]): number[] {
  const asked = questionOf(question);
  if (!asked.ok) throw new Error(JSON.stringify(asked.error));
  const truth = truthOf(asked.value.case, standard);
  return question.point.inputs.flatMap((_, id) => {
    const judged = truth.cotangent(nodeId(id)).map((component, element) => {
      const answer = answers[id] === undefined ? 0 : at([...answers[id].data], element);
      return component.judge(answer);
    });
    expect(judged).not.toContain("undecided");
    return judged.includes("outside") ? [id] : [];
  });
}

function swept(question: ProgramCase, policy: PolicyOrNone): readonly (Tensor<number> | undefined)[] {
  const found = sweptCase(question, policy);
  if (!found.ok || found.value.kind === "refused") throw new Error(JSON.stringify(found));
  return found.value.cotangents;
}

/** Returns the tangent of the loss along one input, by dual numbers that are overwritten in place. */
function forwards({ program: written, point, generator }: ProgramCase, wrt: number): number {
  const inputs = point.inputs.map(unflatten).map(
    ({ shape, data }, place): Tensor<Dual<number>> => ({
      shape,
      data: data.map((x) => ({ x, xDot: place === wrt ? 1 : 0 })),
    }),
  );
  const count = parametersOf(written).length;
  const run = execute(dual(float64), written, {
    parameters: inputs.slice(0, count),
    state: inputs.slice(count),
    environment: new Map(),
    generator,
    world: new Map(),
  });
  if (!run.ok) throw new Error(JSON.stringify(run.error));
  return run.value.results[0]?.data[0]?.xDot ?? Number.NaN;
}

function judgedAlong(question: ProgramCase, wrt: number): string | undefined {
  const tangents = onesLike(question.point.inputs).map(({ shape, data }, place) => ({
    shape,
    data: data.map(() => (place === wrt ? 1 : 0)),
  }));
  const asked = questionOf(question, { tangents });
  if (!asked.ok) throw new Error(JSON.stringify(asked.error));
  const loss = at(asked.value.recording.outcome.results, 0);
  return truthOf(asked.value.case, standard).tangent(loss)[0]?.judge(forwards(question, wrt));
}

const rules: readonly { readonly name: string; readonly rule: StepRule; readonly schedule?: Schedule }[] = [
  { name: "Nesterov with a cosine", rule: byMomentum({ isNesterov: true }), schedule: cosine() },
  { name: "Adagrad", rule: byAdagrad({ decay: "coupled" }) },
  { name: "RMSProp with ε inside", rule: byRmsprop({ epsilonPlace: "inside" }) },
  { name: "Adam", rule: byAdam() },
  { name: "AdamW with ε at both places", rule: byAdam({ decay: "decoupled", epsilonPlace: "both" }) },
  { name: "Adam with ε before the correction", rule: byAdam({ epsilonPlace: "uncorrected" }) },
  { name: "AMSGrad", rule: byAdam({ greatest: "ofMoment" }) },
  { name: "LAMB", rule: byLamb({ hasDecay: true }) },
];

describe.each(rules)("the derivative of training with $name", ({ rule, schedule }) => {
  const question = trained(rule, schedule);

  test("is within the bounds at every input, swept under two policies and by dual numbers in place", () => {
    for (const policy of ["copy", "recompute"] as const)
      expect(outside(question, swept(question, policy))).toEqual([]);
    for (const wrt of parametersOf(question.program).keys())
      expect([wrt, judgedAlong(question, wrt)]).toEqual([wrt, "within"]);
  });

  test("is outside where gradients are taken as constants, and where a tape reads what was overwritten", () => {
    const rate = parametersOf(question.program).indexOf("rate");
    expect(outside(question, swept(trained(rule, schedule, true), "copy"))).toContain(rate);
    expect(outside(question, swept(question, "none"))).not.toEqual([]);
  });
});
