import { describe, expect, test } from "vitest";
import { graph } from "../../spec/builder/index.ts";
import { derive } from "../../spec/expansion/index.ts";
import { at, nodeId, present } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { questionOf, written } from "./functions.test.kit.ts";
import { judgeFunction } from "./judge.ts";
import type { AskedFunction } from "./question.ts";

const functions = Object.entries(written);
const scalar = (x: number): FlatTensor => ({ shape: [], data: Float64Array.of(x) });
const given = ({ data }: FlatTensor): number => present(data[0], "an element");

/** A function of scalars whose value is right and whose gradient is given. */
function scalarFunction(
  value: (x: readonly number[]) => number,
  gradient: (x: readonly number[], bar: number) => readonly number[],
): AskedFunction {
  return {
    evaluate: async ({ inputs }) => ({ kind: "result", value: [scalar(value(inputs.map(given)))] }),
    vjp: async ({ inputs }, seeds) => ({
      kind: "result",
      value: gradient(inputs.map(given), given(at(seeds, 0).cotangent)).map(scalar),
    }),
    jvp: async () => ({ kind: "unsupported", reason: "no forward mode" }),
  };
}

describe("a function with a derivative of its own", () => {
  test.each(functions)("%s is right, at any point that is drawn", async (_, { question, make }) => {
    const verdict = await judgeFunction({ question: { ...question, points: 500 }, asked: make() });
    expect(verdict).toMatchObject({ kind: "agrees", points: 500 });
    expect(verdict.decided).toBeGreaterThan(0.8 * verdict.numbers);
  });

  test.each(functions)("%s is told within five points if it is slightly wrong", async (_, {
    question,
    make,
  }) => {
    for (const error of [1e-2, -1e-4, 1e-7]) {
      for (const place of [() => true, (i: number) => i === 4]) {
        const asked = make((i) => (place(i) ? error : 0));
        const verdict = await judgeFunction({ question: { ...question, points: 5 }, asked });
        expect(verdict).toMatchObject({ kind: "disagrees", witness: { question: "vjp" } });
      }
    }
  });

  test("is told in float32 if it is wrong by more than float32 can be", async () => {
    const { question, make } = present(written.squared_swish, "a function");
    const rounded = (asked: AskedFunction): AskedFunction => ({
      ...asked,
      evaluate: async (point) => inFloat32(await asked.evaluate(point)),
      vjp: async (point, seeds) => inFloat32(await asked.vjp(point, seeds)),
    });
    const narrow = { ...question, dtype: "float32" } as const;
    expect(await judgeFunction({ question: narrow, asked: rounded(make()) })).toMatchObject({
      kind: "agrees",
    });
    const wrong = { question: narrow, asked: rounded(make(() => 1e-4)) };
    expect(await judgeFunction(wrong)).toMatchObject({ kind: "disagrees" });
  });

  test("is not accused where its values are not the graph's: that is told as such", async () => {
    const product = graph(({ input }) => input("x").multiply(input("y")));
    const asked = scalarFunction(
      ([x = 0, y = 0]) => x * y + 1e-9,
      ([x = 0, y = 0], bar) => [y * bar, x * bar],
    );
    const verdict = await judgeFunction({ question: questionOf(product), asked });
    expect(verdict).toMatchObject({ kind: "differs", witness: { question: "evaluate" } });
  });

  test("has the part of the gradient named that is missing, or counted too often", async () => {
    const meaning = graph(({ input }) => {
      const [x, y] = [input("x"), input("y")];
      x.multiply(y).add(x.sin());
    });
    const question = questionOf(meaning, {
      sources: ["f.py:1: p = x * y", "f.py:2: s = sin(x)", "f.py:3: p + s"],
    });
    const value = ([x = 0, y = 0]: readonly number[]): number => x * y + Math.sin(x);
    const lacking = scalarFunction(value, ([x = 0, y = 0], bar) => [y * bar, x * bar]);
    const twice = scalarFunction(value, ([x = 0, y = 0], bar) => [(2 * y + Math.cos(x)) * bar, x * bar]);
    const blamed = async (asked: AskedFunction): Promise<string> => {
      const verdict = await judgeFunction({ question, asked });
      return "witness" in verdict ? verdict.witness.blame.sentence : verdict.kind;
    };
    expect(await blamed(lacking)).toBe(
      "What add at f.py:3: p + s hands back to operand 2 (sin) is missing from the gradient.",
    );
    expect(await blamed(twice)).toBe(
      "What multiply at f.py:1: p = x * y hands back to operand 1 (x) is counted 2 times.",
    );
    const whole = scalarFunction(value, ([x = 0, y = 0], bar) => [
      1.5 * (y + Math.cos(x)) * bar,
      1.5 * x * bar,
    ]);
    expect(await blamed(whole)).toBe("The whole gradient is 1.5 times the true one.");
  });

  test("is shown at a plain point of its domain", async () => {
    const logarithm = graph(({ input }) => input("x").log());
    const asked = scalarFunction(
      ([x = 1]) => Math.log(x),
      ([x = 1], bar) => [(1.01 * bar) / x],
    );
    const domain = { inputs: [{ low: 0.25, high: 1.4 }], environment: new Map() };
    const verdict = await judgeFunction({ question: questionOf(logarithm, { domain }), asked });
    expect(verdict).toMatchObject({ kind: "disagrees" });
    if (!("witness" in verdict)) throw new Error("there is no witness");
    const { point, seeds } = verdict.witness.case;
    expect([...at(point.inputs, 0).data, ...at(seeds, 0).cotangent.data]).toEqual([1, 3]);
  });

  test("whose answers change from call to call accuses nobody", async () => {
    const line = graph(({ input }) => input("x").multiply(2));
    let calls = 0;
    const asked = scalarFunction(
      ([x = 0]) => 2 * x,
      (_, bar) => [(calls++ % 2 === 0 ? 3 : 2) * bar],
    );
    expect(await judgeFunction({ question: questionOf(line), asked })).toMatchObject({
      kind: "undecided",
      cause: "the function answers otherwise when it is asked the same again",
    });
  });

  test("that raises, or declines, is told in its words", async () => {
    const line = graph(({ input }) => input("x").multiply(2));
    const asked = scalarFunction(
      ([x = 0]) => 2 * x,
      (_, bar) => [2 * bar],
    );
    const raising: AskedFunction = {
      ...asked,
      vjp: async () => ({ kind: "error", message: "ValueError: no" }),
    };
    expect(await judgeFunction({ question: questionOf(line), asked: raising })).toMatchObject({
      kind: "crashed",
      message: "ValueError: no",
    });
    const question = questionOf(line, { modes: ["jvp"] });
    expect(await judgeFunction({ question, asked })).toMatchObject({ kind: "unsupported" });
  });

  test("that returns too few tensors, or of other shapes, is wrong", async () => {
    const product = graph(({ input }) => input("x").multiply(input("y")));
    const few = scalarFunction(
      ([x = 0, y = 0]) => x * y,
      ([, y = 0], bar) => [y * bar],
    );
    expect(await judgeFunction({ question: questionOf(product), asked: few })).toMatchObject({
      kind: "disagrees",
      witness: { answer: "1 tensor", expected: "2 tensors" },
    });
  });

  test("is told where it has fewer digits than are demanded", async () => {
    const difference = graph(({ input }) => {
      const x = input("x");
      x.add(1e8).subtract(1e8);
    });
    const asked = scalarFunction(
      ([x = 0]) => x + 1e8 - 1e8,
      (_, bar) => [bar],
    );
    const verdict = await judgeFunction({ question: questionOf(difference, { digits: 9 }), asked });
    expect(verdict).toMatchObject({ kind: "imprecise", witness: { question: "evaluate" } });
    const enough = await judgeFunction({ question: questionOf(difference, { digits: 2 }), asked });
    expect(enough.kind).toBe("agrees");
  });

  test("asks nothing of inputs that are not differentiated", async () => {
    const product = graph(({ input }) => input("x").multiply(input("y")));
    const asked = scalarFunction(
      ([x = 0, y = 0]) => x * y,
      ([, y = 0], bar) => [y * bar, Number.NaN],
    );
    const question = questionOf(product, { wrt: [nodeId(0)] });
    expect(await judgeFunction({ question, asked })).toMatchObject({ kind: "agrees" });
  });
});

type Answered = Awaited<ReturnType<AskedFunction["evaluate"]>>;

function inFloat32(reply: Answered): Answered {
  if (reply.kind !== "result") return reply;
  return { ...reply, value: reply.value.map(({ shape, data }) => ({ shape, data: data.map(Math.fround) })) };
}

describe("a function of symmetric matrices", () => {
  /** Sums what one half of a matrix has, the diagonal once: reads the lower half alone. */
  const meaning = graph(({ input }) => {
    const a = input("a", [2, 2]);
    const whole = a.add(a.permute_dims({ axes: [1, 0] })).divide(2);
    whole
      .tril({ offset: 0 })
      .square()
      .sum({ axes: [0, 1], keepdims: false });
  });
  const domain = { inputs: [{ values: "spd" }], environment: new Map() } as const;
  const halfRead = (slope: number): AskedFunction => ({
    evaluate: async ({ inputs }) => {
      const [a = 0, , c = 0, d = 0] = at(inputs, 0).data;
      return { kind: "result", value: [scalar(a * a + c * c + d * d)] };
    },
    vjp: async ({ inputs }, seeds) => {
      const [a = 0, , c = 0, d = 0] = at(inputs, 0).data;
      const bar = given(at(seeds, 0).cotangent);
      const data = Float64Array.of(2 * a * bar, 0, slope * c * bar, 2 * d * bar);
      return { kind: "result", value: [{ shape: [2, 2], data }] };
    },
    jvp: async () => ({ kind: "unsupported", reason: "no forward mode" }),
  });

  test("may have its gradient in either half, or in both", async () => {
    const question = questionOf(meaning, { domain });
    expect(await judgeFunction({ question, asked: halfRead(2) })).toMatchObject({ kind: "agrees" });
    expect(await judgeFunction({ question, asked: halfRead(2 + 1e-7) })).toMatchObject({ kind: "disagrees" });
  });
});

describe("a rule that is written with the value", () => {
  const logistic = (x: number): number => 1 / (1 + Math.exp(-x));
  // Written out, so that nothing tells that the slope may be taken from the value.
  const meaning = graph(({ input, divide }) => divide(1, input("x").negative().exp().add(1)));
  const byValue = (off: number): AskedFunction =>
    scalarFunction(
      ([x = 0]) => logistic(x),
      ([x = 0], bar) => {
        const y = logistic(x);
        return [y * (1 - y) * bar * (1 + off)];
      },
    );

  test("loses what the value has lost, and is right", async () => {
    const domain = { inputs: [{ low: -40, high: 40 }], environment: new Map() };
    const question = questionOf(meaning, { domain, points: 2000 });
    expect(await judgeFunction({ question, asked: byValue(0) })).toMatchObject({ kind: "agrees" });
  });

  test("is told where it is wrong all the same", async () => {
    const verdict = await judgeFunction({
      question: questionOf(meaning, { points: 5 }),
      asked: byValue(1e-7),
    });
    expect(verdict).toMatchObject({ kind: "disagrees" });
  });

  test("may lose so in a second derivative", async () => {
    const primal = graph(({ input }) => input("x").tanh());
    const [once, bar] = [nodeId(0), nodeId(1)];
    const derived = derive(primal, { mode: "vjp", of: [nodeId(1)], wrt: [once] });
    if (!derived.ok) throw new Error("there is no derivative");
    const { graph: slope, results } = derived.value;
    const question = questionOf(slope, {
      outputs: results,
      wrt: [once, bar],
      points: 500,
      primal: { graph: primal, outputs: [nodeId(1)] },
      domain: { inputs: [{ low: -12, high: 12 }, {}], environment: new Map() },
    });
    const second = (off: number): AskedFunction =>
      scalarFunction(
        ([x = 0, c = 0]) => c * (1 - Math.tanh(x) ** 2),
        ([x = 0, c = 0], seed) => {
          const y = Math.tanh(x);
          return [-2 * y * (1 - y * y) * c * seed * (1 + off), (1 - y * y) * seed];
        },
      );
    expect(await judgeFunction({ question, asked: second(0) })).toMatchObject({ kind: "agrees" });
    expect(await judgeFunction({ question, asked: second(1e-6) })).toMatchObject({ kind: "disagrees" });
  });
});

test("digits that a function has lost within its bound are told as demanded", async () => {
  const small = graph(({ input }) => input("x").exp().subtract(1));
  const asked = scalarFunction(
    ([x = 0]) => Math.exp(x) - 1,
    ([x = 0], bar) => [Math.exp(x) * bar],
  );
  const domain = { inputs: [{ low: 1e-9, high: 2e-9 }], environment: new Map() };
  const verdict = await judgeFunction({ question: questionOf(small, { digits: 12, domain }), asked });
  expect(verdict).toMatchObject({ kind: "imprecise", witness: { question: "evaluate" } });
});
