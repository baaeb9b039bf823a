import { describe, expect, test } from "vitest";
import { type Algebra, at, expand, type Program, program } from "../../../spec/index.ts";
import { type Dual, dual } from "../../algebras/dual.ts";
import { float64 } from "../../algebras/float.ts";
import { type Rational, rational } from "../../algebras/rational.ts";
import { interpret } from "../../interpret.ts";
import { backpropSparse } from "../../sweep.ts";
import { execute, record } from "../execute.ts";
import { argumentsOf, contentsOf, minus, type Named, plus, q, times } from "./calls.test.kit.ts";
import {
  byAdam,
  byGradientDescent,
  byMomentum,
  byNesterovAhead,
  cosine,
  type Schedule,
  type StepRule,
  stepDecay,
  warmUp,
} from "./index.ts";
import { scopeOf } from "./rule.ts";

/** ½ a x² after some steps of a rule, with a = 3/2: a program of the rule's inputs. */
function trained(
  rule: StepRule,
  steps: number,
  { schedule, place = "x" }: { readonly schedule?: Schedule; readonly place?: string } = {},
): Program {
  return program((builder) => {
    const scope = scopeOf(builder);
    const x = builder.state("x");
    const rate = scope.given("rate");
    const ahead = place === "x" ? x : builder.state(place);
    const remembered = (name: string): typeof x => (name === place ? ahead : scope.remembered(name));
    builder.for_(steps, () => {
      const now = schedule === undefined ? rate : schedule(scope, rate);
      rule({ ...scope, remembered, x, gradient: ahead.multiply(1.5), rate: now });
    });
    return [x.multiply(x).multiply(0.75)];
  });
}

function inputsOf(trainedProgram: Program): string[] {
  return [...(trainedProgram.procedures[0]?.parameters ?? []), ...trainedProgram.state].map(
    ({ name }) => name,
  );
}

/** Returns the derivative of the result by each input and initial content, by a sweep of the recording. */
function backwards<S, B>(
  algebra: Algebra<S, B>,
  trainedProgram: Program,
  state: Named<S>,
  given: Named<S>,
): Map<string, S | undefined> {
  const parameters = argumentsOf(trainedProgram, given);
  const start = { parameters, state: contentsOf(algebra, trainedProgram, state), ...still };
  const recording = record(algebra, trainedProgram, start);
  if (!recording.ok) throw new Error(JSON.stringify(recording.error));
  const { graph, ids } = expand(recording.value.graph);
  const meaning = interpret(graph, algebra);
  if (!meaning.ok) throw new Error("no meaning");
  const one = algebra.levels.semiring?.one ?? expect.unreachable("no one");
  const seed = new Map([[at(ids, at(recording.value.outcome.results, 0)), { shape: [], data: [one] }]]);
  const inputs = [...parameters, ...start.state];
  const { environment } = recording.value;
  const bars = backpropSparse(algebra.additive, meaning.value, inputs, environment, seed);
  const byId = new Map<number, S | undefined>([...bars].map(([id, { data }]) => [id, data[0]]));
  return new Map(inputsOf(trainedProgram).map((name, id) => [name, byId.get(id)]));
}

const still = {
  environment: new Map(),
  generator: { key: [0, 0] as const, drawn: 0 },
  world: new Map(),
};

/** Computes the same derivative by one input, by dual numbers that are overwritten in place. */
function forwards(
  trainedProgram: Program,
  state: Named<Rational>,
  given: Named<Rational>,
  wrt: string,
): Rational | undefined {
  const along = (named: Named<Rational>): Named<Dual<Rational>> =>
    Object.fromEntries(
      Object.entries(named).map(([name, data]) => [
        name,
        data.map((x): Dual<Rational> => ({ x, xDot: q(name === wrt ? 1 : 0) })),
      ]),
    );
  const duals = dual(rational);
  const run = execute(duals, trainedProgram, {
    parameters: argumentsOf(trainedProgram, along(given)),
    state: contentsOf(duals, trainedProgram, along(state)),
    ...still,
  });
  if (!run.ok) throw new Error(JSON.stringify(run.error));
  return run.value.results[0]?.data[0]?.xDot;
}

const a = q(3, 2);
const start = q(5);
const [eta, mu, lambda, tau] = [q(1, 4), q(2, 3), q(1, 7), q(1, 5)];

function product(...factors: readonly Rational[]): Rational {
  return factors.reduce(times, q(1));
}

function expectSame(found: Rational | undefined, closed: Rational): void {
  expect(found && rational.format(found)).toBe(rational.format(closed));
}

describe("over the rationals, the derivative of a loss after steps on a quadratic", () => {
  test("by rate, decay and where it starts is the closed form of x₀² (1 − η (a + λ))²ᵏ", () => {
    const k = 3;
    const factor = minus(q(1), times(eta, plus(a, lambda)));
    const power = product(...Array(2 * k - 1).fill(factor));
    for (const decay of ["coupled", "decoupled"] as const) {
      const state = { x: [start] };
      const given = { rate: [eta], decay: [lambda] };
      const found = backwards(rational, trained(byGradientDescent({ decay }), k), state, given);
      expectSame(found.get("decay"), product(q(-k), a, eta, power, start, start));
      expectSame(found.get("rate"), product(q(-k), a, plus(a, lambda), power, start, start));
      expectSame(found.get("x"), product(a, power, factor, start));
    }
  });

  test("by the momentum, after two steps, is −η a² x₀ x₂", () => {
    const state = { x: [start], v: [q(0)] };
    const given = { rate: [eta], momentum: [mu] };
    const found = backwards(rational, trained(byMomentum(), 2), state, given);
    const x1 = minus(start, product(eta, a, start));
    const x2 = minus(x1, times(eta, plus(product(mu, a, start), times(a, x1))));
    expectSame(found.get("momentum"), product(q(-1), eta, a, a, start, x2));
  });

  test("by the factor and the rate of a step decay is that of x₀ (1 − η a)² (1 − η γ a)²", () => {
    const gamma = q(2, 5);
    const given = { rate: [eta], every: [q(2)], factor: [gamma] };
    const found = backwards(
      rational,
      trained(byGradientDescent(), 4, { schedule: stepDecay }),
      { x: [start] },
      given,
    );
    const [whole, fallen] = [minus(q(1), times(eta, a)), minus(q(1), product(eta, gamma, a))];
    const x = product(start, whole, whole, fallen, fallen);
    expectSame(found.get("factor"), product(a, x, start, whole, whole, q(-2), fallen, eta, a));
    const byRate = plus(product(whole, fallen, fallen), product(gamma, whole, whole, fallen));
    expectSame(found.get("rate"), product(a, x, start, q(-2), a, byRate));
  });

  test("by the rate of a warm-up is that of x₀ Π (1 − η a (t + 1) / n)", () => {
    const given = { rate: [eta], warmUp: [q(3)] };
    const schedule = warmUp({ from: "one" });
    const found = backwards(rational, trained(byGradientDescent(), 4, { schedule }), { x: [start] }, given);
    const parts = [q(1, 3), q(2, 3), q(1), q(1)];
    const factors = parts.map((part) => minus(q(1), product(eta, a, part)));
    const slope = factors.reduce((sum, _, i) => {
      const others = factors.filter((__, j) => j !== i);
      return minus(sum, product(a, at(parts, i), ...others));
    }, q(0));
    expectSame(found.get("rate"), product(a, start, ...factors, start, slope));
  });

  const withMemory = [
    ["momentum", byMomentum(), "x"],
    ["scaled momentum", byMomentum({ form: "scaled" }), "x"],
    ["Nesterov", byMomentum({ isNesterov: true, decay: "coupled" }), "x"],
    ["damped momentum", byMomentum({ dampening: "always", decay: "decoupled" }), "x"],
    ["momentum damped after the first step", byMomentum({ dampening: "afterFirst" }), "x"],
    ["Sutskever's Nesterov", byNesterovAhead(), "ahead"],
  ] as const;

  test.each(
    withMemory,
  )("with %s is what dual numbers say that are overwritten in place", (_, rule, place) => {
    const state = { x: [start], ...(place === "x" ? {} : { [place]: [start] }) };
    const given = {
      rate: [eta],
      momentum: [mu],
      dampening: [tau],
      decay: [lambda],
      every: [q(2)],
      factor: [q(2, 5)],
    };
    const run = trained(rule, 4, { schedule: stepDecay, place });
    const found = backwards(rational, run, state, given);
    const wanted = inputsOf(run).filter(
      (name) => Object.keys({ ...given, ...state }).includes(name) && name !== "every",
    );
    expect(wanted).toContain("momentum");
    for (const name of wanted) {
      const tangent = forwards(run, state, given, name) ?? q(0);
      expect(tangent).not.toEqual(q(0));
      expectSame(found.get(name), tangent);
    }
  });
});

describe("over float64", () => {
  test("a first step of Adam from 0 moves by the rate, and its derivative by the rate is the gradient's sign", () => {
    const given = { rate: [0.5], beta1: [0.5], beta2: [0.75], epsilon: [0] };
    const found = backwards(float64, trained(byAdam(), 1), { x: [4] }, given);
    // x₁ = 4 − 0.5, and ¾ x₁² falls by 1.5 x₁.
    expect(found.get("rate")).toBe(-1.5 * 3.5);
  });

  test("the derivative by the least rate of a cosine is that of the rates it makes", () => {
    const given = { rate: [0.5], period: [2], least: [0.25] };
    const found = backwards(
      float64,
      trained(byGradientDescent(), 3, { schedule: cosine() }),
      { x: [2] },
      given,
    );
    // The rates are 1/2, 3/8, 1/4: their derivatives by the least are 0, 1/2, 1.
    const [f, g, h] = [1 - 0.75, 1 - 0.5625, 1 - 0.375];
    const x = 2 * f * g * h;
    expect(found.get("least")).toBeCloseTo(1.5 * x * 2 * f * (-0.75 * h - 1.5 * g), 13);
  });
});
