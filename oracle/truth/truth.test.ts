import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import { referenceConventions } from "../../engines/index.ts";
import { backpropSparse, dense, erf, evaluate, interpret, jvpCtx } from "../../reference/index.ts";
import {
  type Algebra,
  checkGraph,
  expand,
  type FlatTensor,
  type Graph,
  type Need,
  nodeId,
  type OrderedReal,
  present,
  shapesOf,
} from "../../spec/index.ts";
import type { Case } from "../case.ts";
import { caseAt, chainProfile, exactProfile, scalar20Profile, tensorProfile } from "../generate/index.ts";
import { flatten, floatEnvironment, unflatten } from "../reference_run.ts";
import { truthOf } from "./expanded.ts";
import { forwardUlps, type Profile, profileOf, referenceProfile } from "./profile.ts";

/**
 * Floats where every operation errs at random by up to `share` of what the profile allows. Float64 has no room
 * beside its own rounding where correct rounding is asked for, and V8's functions take up to 2 of the ulps.
 */
function sloppy(profile: Profile, random: Random, share: number): Algebra<number, boolean> {
  const err = (x: number, ulps: number): number => {
    const room = profile.dtype === "float32" || share > 1 ? ulps : Math.max(0, ulps - 2.5);
    const delta = (2 * random.nextDouble() - 1) * 2 * room * profile.unitRoundoff * share;
    return x + x * delta;
  };
  const all: OrderedReal<number, boolean> = {
    zero: 0,
    one: 1,
    add: (x, y) => (x === 0 || y === 0 ? x + y : err(x + y, 0.5)),
    detach: (x) => x,
    multiply: (x, y) => err(x * y, 0.5),
    literal: (x) => (profile.dtype === "float32" ? Math.fround(x) : x),
    negative: (x) => -x,
    divide: (x, y) => err(x / y, 0.5),
    exp: (x) => err(Math.exp(x), forwardUlps(profile, "exp")),
    log: (x) => err(Math.log(x), forwardUlps(profile, "log")),
    sin: (x) => err(Math.sin(x), forwardUlps(profile, "sin")),
    cos: (x) => err(Math.cos(x), forwardUlps(profile, "cos")),
    tanh: (x) => err(Math.tanh(x), forwardUlps(profile, "tanh")),
    sqrt: (x) => err(Math.sqrt(x), 0.5),
    expm1: (x) => err(Math.expm1(x), forwardUlps(profile, "expm1")),
    log1p: (x) => err(Math.log1p(x), forwardUlps(profile, "log1p")),
    log2: (x) => err(Math.log2(x), forwardUlps(profile, "log2")),
    tan: (x) => err(Math.tan(x), forwardUlps(profile, "tan")),
    asin: (x) => err(Math.asin(x), forwardUlps(profile, "asin")),
    acos: (x) => err(Math.acos(x), forwardUlps(profile, "acos")),
    atan: (x) => err(Math.atan(x), forwardUlps(profile, "atan")),
    sinh: (x) => err(Math.sinh(x), forwardUlps(profile, "sinh")),
    cosh: (x) => err(Math.cosh(x), forwardUlps(profile, "cosh")),
    asinh: (x) => err(Math.asinh(x), forwardUlps(profile, "asinh")),
    acosh: (x) => err(Math.acosh(x), forwardUlps(profile, "acosh")),
    atanh: (x) => err(Math.atanh(x), forwardUlps(profile, "atanh")),
    erf: (x) => err(erf(x), forwardUlps(profile, "erf")),
    atan2: (y, x) => err(Math.atan2(y, x), forwardUlps(profile, "atan2")),
    hypot: (x, y) => err(Math.hypot(x, y), forwardUlps(profile, "hypot")),
    pow: (x, y) => err(x ** y, forwardUlps(profile, "pow")),
    less: (x, y) => x < y,
    equal: (x, y) => x === y,
    select: (condition, x, y) => (condition ? x : y),
    floor: Math.floor,
  };
  const levels: { readonly [N in Need]: typeof all } = {
    additive: all,
    semiring: all,
    ring: all,
    field: all,
    real: all,
    ordered: all,
    orderedField: all,
    orderedReal: all,
  };
  return { name: "sloppy", additive: all, levels, isSame: Object.is, format: String, parse: Number };
}

/** What an engine over `algebra` answers to a case, judged component by component. */
function judged(question: Case, profile: Profile, algebra: Algebra<number, boolean>): Record<string, number> {
  const truth = truthOf(question, profile);
  const graph = interpret(expand(question.graph).graph, algebra);
  if (!graph.ok) throw new Error("float algebras offer everything");
  const x = question.point.inputs.map(unflatten);
  const environment = floatEnvironment(question);
  const seed = new Map(question.seeds.map(({ id, cotangent }) => [id, unflatten(cotangent)]));
  const cotangents = backpropSparse(algebra.additive, graph.value, x, environment, seed);
  const answers: Record<"value" | "tangent" | "cotangent", FlatTensor[]> = {
    value: evaluate(graph.value, x, environment).map(flatten),
    tangent: jvpCtx(graph.value, x, question.tangents.map(unflatten), environment).map(flatten),
    cotangent: dense(algebra.additive, shapesOf(question.graph), cotangents).map(flatten),
  };
  const counts = { within: 0, outside: 0, undecided: 0 };
  for (const part of ["value", "tangent", "cotangent"] as const) {
    for (const [id, answer] of answers[part].entries()) {
      for (const [element, component] of truth[part](nodeId(id)).entries()) {
        counts[component.judge(answer.data[element] ?? Number.NaN)] += 1;
      }
    }
  }
  return counts;
}

function total(
  profiles: readonly (typeof tensorProfile)[],
  cases: number,
  dtype: "float64" | "float32",
  share: number,
): Record<string, number> {
  const random = new Random(xoroshiro128plus(2024));
  const profile = referenceProfile(dtype);
  const sum = { within: 0, outside: 0, undecided: 0, casesWithOutside: 0 };
  for (const drawn of profiles) {
    for (let index = 0; index < cases; index++) {
      const counts = judged(caseAt(drawn, 5, index), profile, sloppy(profile, random, share));
      sum.within += counts.within ?? 0;
      sum.outside += counts.outside ?? 0;
      sum.undecided += counts.undecided ?? 0;
      if ((counts.outside ?? 0) > 0) sum.casesWithOutside += 1;
    }
  }
  return sum;
}

describe("the bound", () => {
  const everything = [tensorProfile, exactProfile, scalar20Profile];

  test.each([
    "float64",
    "float32",
  ] as const)("holds for any engine that errs within its profile (%s)", (dtype) => {
    const counts = total(everything, 1500, dtype, 1);
    expect(counts.outside).toBe(0);
    expect(counts.within).toBeGreaterThan(100_000);
    expect(counts.undecided ?? 0).toBeLessThan((counts.within ?? 0) / 50);
  });

  test("holds on long chains too", () => {
    expect(total([chainProfile], 100, "float64", 1).outside).toBe(0);
  });

  test.each(["float64", "float32"] as const)("catches an engine that errs 64 times as much (%s)", (dtype) => {
    const counts = total([tensorProfile], 500, dtype, 64);
    expect(counts.casesWithOutside).toBeGreaterThan(200);
  });
});

/** One operator applied to scalars. */
function scalarCase(op: string, inputs: readonly number[], cotangent: number): Case {
  const graph = checkGraph({
    format: "adjudge.graph.v1",
    inputs: inputs.map((_, i) => ({ name: `x${i}`, shape: [] })),
    environment: [],
    nodes: [{ op, attributes: {}, parents: inputs.map((_, i) => i) }],
  });
  if (!graph.ok) throw new Error(JSON.stringify(graph.error));
  const scalar = (x: number): FlatTensor => ({ shape: [], data: Float64Array.of(x) });
  const checked: Graph = graph.value;
  return {
    graph: checked,
    point: { inputs: inputs.map(scalar), environment: new Map() },
    tangents: inputs.map(() => scalar(1)),
    seeds: [{ id: nodeId(inputs.length), cotangent: scalar(cotangent) }],
  };
}

describe("a single operator", () => {
  const float64 = referenceProfile("float64");
  const cotangentOf = (question: Case, profile: Profile, input: number) =>
    present(truthOf(question, profile).cotangent(nodeId(input))[0], "a component");

  test("has an exact centre where it is rational", () => {
    const truth = truthOf(scalarCase("divide", [1, 3], 1), float64);
    expect(truth.isExact).toBe(true);
    const quotient = present(truth.value(nodeId(2))[0], "a component");
    expect(quotient.expected).toBe("1/3");
    expect(quotient.judge(1 / 3)).toBe("within");
    expect(quotient.judge(1 / 3 + 2 ** -53)).toBe("outside");
    expect(quotient.judge(Number.NaN)).toBe("outside");
    expect(quotient.judge(Number.POSITIVE_INFINITY)).toBe("outside");
  });

  test("has the reference for a centre where it is not", () => {
    const truth = truthOf(scalarCase("exp", [1], 1), float64);
    expect(truth.isExact).toBe(false);
    const e = present(truth.value(nodeId(1))[0], "a component");
    expect(e.judge(Math.E)).toBe("within");
    expect(e.judge(Math.fround(Math.E))).toBe("outside");
    expect(
      present(truthOf(scalarCase("exp", [1], 1), referenceProfile("float32")).value(nodeId(1))[0], "").judge(
        Math.fround(Math.E),
      ),
    ).toBe("within");
  });

  test("is undecided where it has no value, and accuses nobody there", () => {
    for (const question of [
      scalarCase("divide", [1, 0], 1),
      scalarCase("log", [0], 1),
      scalarCase("sqrt", [-1], 1),
    ]) {
      const id = nodeId(question.graph.inputs.length);
      const component = present(truthOf(question, float64).value(id)[0], "a component");
      for (const answer of [0, 1, Number.NaN, Number.NEGATIVE_INFINITY])
        expect(component.judge(answer)).not.toBe("outside");
    }
  });

  test("accuses nobody of a choice between operands one of which is NaN", () => {
    for (const op of ["maximum", "relu"]) {
      const question = scalarCase(op, op === "relu" ? [Number.NaN] : [Number.NaN, 2], 3);
      const last = nodeId(question.graph.inputs.length);
      const truth = truthOf(question, float64);
      for (const answer of [0, 1, 2, 3, Number.NaN]) {
        expect(present(truth.value(last)[0], "").judge(answer)).not.toBe("outside");
        expect(present(truth.tangent(last)[0], "").judge(answer)).not.toBe("outside");
        expect(cotangentOf(question, float64, 0).judge(answer)).not.toBe("outside");
      }
    }
  });

  test("is judged by our convention at a tie unless the engine declares another", () => {
    const tie = scalarCase("maximum", [2, 2], 3);
    const ours = [cotangentOf(tie, float64, 0), cotangentOf(tie, float64, 1)];
    expect(ours.map((component) => component.judge(3))).toEqual(["within", "outside"]);
    expect(ours.map((component) => component.judge(1.5))).toEqual(["outside", "outside"]);
    const split = profileOf(
      { conventions: { ...referenceConventions, maximumAtTie: "split" }, accuracy: {} },
      "float64",
    );
    const theirs = [cotangentOf(tie, split, 0), cotangentOf(tie, split, 1)];
    for (const answer of [0, 1.5, 3]) {
      expect(theirs.map((component) => component.judge(answer))).toEqual(["within", "within"]);
    }
    expect(theirs.map((component) => component.judge(3.5))).toEqual(["outside", "outside"]);
  });

  test("is judged exactly at a kink unless the engine declares another convention", () => {
    const kink = scalarCase("relu", [0], 3);
    expect(cotangentOf(kink, float64, 0).judge(3)).toBe("outside");
    const one = profileOf(
      { conventions: { ...referenceConventions, reluAtZero: "one" }, accuracy: {} },
      "float64",
    );
    expect(cotangentOf(kink, one, 0).judge(3)).toBe("within");
    expect(cotangentOf(kink, one, 0).judge(-1)).toBe("outside");
  });

  test("is held to the accuracy that the engine declares", () => {
    const question = scalarCase("exp", [1], 1);
    const far = Math.E * (1 + 100 * 2 ** -52);
    const declared = profileOf({ conventions: referenceConventions, accuracy: { exp: 200 } }, "float64");
    expect(present(truthOf(question, float64).value(nodeId(1))[0], "").judge(far)).toBe("outside");
    expect(present(truthOf(question, declared).value(nodeId(1))[0], "").judge(far)).toBe("within");
  });
});
