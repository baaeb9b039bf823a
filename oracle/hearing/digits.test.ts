import { describe, expect, test } from "vitest";
import { type Engine, interpreterEngine, type LoadedGraph, type Reply } from "../../engines/index.ts";
import { caseOf, type FlatTensor, type Graph, graph, present } from "../../spec/index.ts";
import type { Case } from "../case/case.ts";
import { type JudgeOptions, judge } from "../judge/judge.ts";
import { laws } from "../laws/index.ts";
import type { Digits } from "./digits.ts";
import { type Heard, nothingHeard, plusHeard } from "./heard.ts";

/** Changes the interpreter's calls, and lets it declare so large an error of sine. */
function changed(change: (loaded: LoadedGraph) => Partial<LoadedGraph>, ulps = 1): Engine {
  const engine = interpreterEngine();
  const load = async (...[of, dtype]: Parameters<Engine["load"]>): Promise<Reply<LoadedGraph>> => {
    const loaded = await engine.load(of, dtype);
    return loaded.kind === "result"
      ? { kind: "result", value: { ...loaded.value, ...change(loaded.value) } }
      : loaded;
  };
  return { ...engine, load, describe: () => ({ ...engine.describe(), accuracy: { sin: ulps } }) };
}

/** Multiplies every number of an answer. */
function scaled(reply: Reply<readonly FlatTensor[]>, factor: number): Reply<readonly FlatTensor[]> {
  if (reply.kind !== "result") return reply;
  return {
    ...reply,
    value: reply.value.map(({ shape, data }) => ({ shape, data: data.map((x) => x * factor) })),
  };
}

function questionOf(of: Graph, x: readonly number[]): Case {
  const question = caseOf(of, { point: { x } });
  return present(question.ok ? question.value : undefined, "a case");
}

async function heardOf(engine: Engine, question: Case, options: Partial<JudgeOptions> = {}): Promise<Heard> {
  let heard = nothingHeard;
  const hear = (all: Heard): void => {
    heard = all;
  };
  await judge(engine, question, { dtype: "float64", laws: [], shrinkBudget: 0, ...options, hear });
  return heard;
}

const sine = questionOf(
  graph(({ input }) => void input("x", [2]).sin()),
  [1, 2],
);
const honest = changed(() => ({}));

describe("the digits of what agrees", () => {
  test("are 17 where the answer is the true number, and are counted for the operators that read an id where it is a cotangent", async () => {
    const product = graph(({ input }) => {
      const x = input("x", [3]);
      x.multiply(x).add(x);
    });
    const { digits } = await heardOf(honest, questionOf(product, [1, 0, 0.5]));
    const all = (count: number) => ({ right: { 17: count }, asked: { 17: count } });
    // The square of 0 is 0, and so are its sum and their tangents, save that of the sum.
    expect(Object.fromEntries(digits)).toEqual({
      multiply: { evaluate: all(2), jvp: all(2), vjp: all(3), backward_dense: all(3) },
      add: { evaluate: all(2), jvp: all(3), vjp: all(3), backward_dense: all(6) },
    });
  });

  test("are those of the error, where the bound leaves room", async () => {
    const off = 1 + 2 ** -20;
    const engine = changed(
      (loaded) => ({ evaluate: async (point) => scaled(await loaded.evaluate(point), off) }),
      2 ** 40,
    );
    const { digits } = await heardOf(engine, sine);
    // 2⁻²⁰ is 9.5e-7; 2⁴⁰ ulps of numbers between ½ and 1 are at most 2.4e-4 of them.
    expect(digits.get("sin")?.evaluate).toEqual({ right: { 6: 2 }, asked: { 3: 2 } });
    const exact = (await heardOf(honest, sine)).digits.get("sin")?.evaluate?.right ?? {};
    expect(Object.keys(exact).every((digit) => Number(digit) >= 15)).toBe(true);
  });

  test("are told of the modes that agree alone, and not where a policy allows more", async () => {
    const wrong = changed((loaded) => ({
      jvp: async (point, tangents) => scaled(await loaded.jvp(point, tangents), 1.5),
    }));
    expect(Object.keys((await heardOf(wrong, sine)).digits.get("sin") ?? {})).toEqual(["evaluate"]);
    const allowed = { values: [], tangents: [], cotangents: [] };
    expect((await heardOf(honest, sine, { allowed })).digits.size).toBe(0);
  });

  test("are none where the true number is 0 or nothing is known of it", async () => {
    const { digits } = await heardOf(
      honest,
      questionOf(
        graph(({ input }) => void input("x", [2]).log()),
        [1, -1],
      ),
    );
    expect(digits.get("log")?.evaluate).toBeUndefined();
  });
});

describe("the laws", () => {
  test("hold, follow from what the truth has decided, or are broken", async () => {
    const names = (engine: Engine) =>
      heardOf(engine, sine, { laws }).then((heard) => Object.fromEntries(heard.laws));
    const once = (what: string) => ({ holds: 0, follows: 0, undecided: 0, broken: 0, [what]: 1 });
    expect(await names(honest)).toEqual({
      repeatability: once("holds"),
      linearity: once("holds"),
      "order independence": once("holds"),
      adjointness: once("follows"),
      "forward = reverse": once("follows"),
    });
    let calls = 0;
    const forgetful = changed((loaded) => ({
      evaluate: async (point) => {
        calls += 1;
        return calls === 1 ? loaded.evaluate(point) : scaled(await loaded.evaluate(point), 2);
      },
    }));
    expect(await names(forgetful)).toEqual({ repeatability: once("broken") });
  });
});

describe("what was heard of parts", () => {
  const some: Digits = new Map([
    ["sin", { evaluate: { right: { 15: 2, 16: 1 }, asked: { 14: 3 } }, vjp: { right: { 3: 1 }, asked: {} } }],
  ]);
  const more: Digits = new Map([
    ["sin", { evaluate: { right: { 15: 1 }, asked: { 14: 1 } } }],
    ["add", { jvp: { right: { 17: 4 }, asked: { 17: 4 } } }],
  ]);

  test("is the sum of them, in either order", () => {
    const sum = {
      sin: { evaluate: { right: { 15: 3, 16: 1 }, asked: { 14: 4 } }, vjp: { right: { 3: 1 }, asked: {} } },
      add: { jvp: { right: { 17: 4 }, asked: { 17: 4 } } },
    };
    const law = { holds: 1, follows: 2, undecided: 3, broken: 4 };
    const laws = new Map([["linearity", law]] as const);
    const once: Heard = {
      ...nothingHeard,
      digits: some,
      laws,
      varied: { cases: 1, most: 2 ** -50 },
      excused: 1,
    };
    const never: Heard = { ...nothingHeard, digits: more, laws };
    for (const both of [plusHeard(once, never), plusHeard(never, once)]) {
      expect(Object.fromEntries(both.digits)).toEqual(sum);
      expect(both.laws.get("linearity")).toEqual({ holds: 2, follows: 4, undecided: 6, broken: 8 });
      expect(both).toMatchObject({ varied: { cases: 1, most: 2 ** -50 }, excused: 1 });
    }
  });
});
