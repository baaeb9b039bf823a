import { describe, expect, test } from "vitest";
import { type Engine, interpreterEngine, type LoadedGraph, type Reply } from "../../engines/index.ts";
import { caseOf, type FlatTensor, graph, present, type Value } from "../../spec/index.ts";
import type { Case } from "../case/case.ts";
import { judge } from "../judge/judge.ts";
import { standingOf } from "../judge/standing.ts";
import { emptyTally, tallied } from "../judge/tally.ts";
import { type Heard, nothingHeard } from "./heard.ts";

/** Makes an engine of graphs of one node `tanh`, whose slope is `slope` of the operand. */
function sloped(slope: (x: number) => number, isDeclared: boolean): Engine {
  const engine = interpreterEngine();
  const load = async (...[of, dtype]: Parameters<Engine["load"]>): Promise<Reply<LoadedGraph>> => {
    const loaded = await engine.load(of, dtype);
    if (loaded.kind !== "result") return loaded;
    const scaled = (x: FlatTensor | undefined, by: FlatTensor | undefined): Reply<readonly FlatTensor[]> => {
      const { shape, data } = present(x, "the operand");
      const numbers = data.map((element, place) => slope(element) * (by?.data[place] ?? 0));
      return { kind: "result", value: [{ shape, data: numbers }] };
    };
    const value: LoadedGraph = {
      ...loaded.value,
      jvp: async ({ inputs: [x] }, [along]) => scaled(x, along),
      vjp: async ({ inputs: [x] }, [seed]) => scaled(x, seed?.cotangent),
    };
    return { kind: "result", value };
  };
  const { slopes: _, ...description } = engine.describe();
  const declared = { ...description, operators: ["tanh"], modes: ["evaluate", "jvp", "vjp"] } as const;
  return { ...engine, load, describe: () => (isDeclared ? { ...declared, slopes: "accurate" } : declared) };
}

const fromValue = (x: number): number => 1 - Math.tanh(x) ** 2;
const accurate = (x: number): number => Math.cosh(x) ** -2;

function questionOf(points: readonly number[], write: (x: Value) => Value = (x) => x.tanh()): Case {
  const asked = graph(({ input }) => void write(input("x", [points.length])));
  const question = caseOf(asked, { point: { x: points } });
  return present(question.ok ? question.value : undefined, "a case");
}

async function judged(
  engine: Engine,
  question: Case,
): Promise<{ readonly kind: string; readonly heard: Heard }> {
  let heard = nothingHeard;
  const hear = (all: Heard): void => {
    heard = all;
  };
  const { kind } = await judge(engine, question, { dtype: "float64", laws: [], shrinkBudget: 0, hear });
  return { kind, heard };
}

describe("a slope that is taken from the value", () => {
  test("agrees where nothing is declared, and its numbers without a right digit are counted", async () => {
    const { kind, heard } = await judged(sloped(fromValue, false), questionOf([1, 6, 20, 30]));
    expect(kind).toBe("agrees");
    // At 20 and 30 nothing is left; 6 keeps digits. Both modes answer.
    expect(heard.imprecise.get("tanh")).toEqual({
      numbers: 4,
      first: { mode: "jvp", answer: expect.any(String), expected: expect.stringMatching(/^0x1\..*p-\d+$/) },
    });
  });

  test("disagrees where accurate slopes are declared, also where digits are left", async () => {
    for (const x of [6, 18])
      expect((await judged(sloped(fromValue, true), questionOf([x]))).kind).toBe("disagrees");
  });

  test("is no matter where it has digits, or the slope is too small for any number", async () => {
    const { kind, heard } = await judged(sloped(fromValue, false), questionOf([0, 1, 6, 400]));
    expect([kind, heard.imprecise.size]).toEqual(["agrees", 0]);
  });
});

test("an engine with accurate slopes is never imprecise, whatever it declares", async () => {
  for (const isDeclared of [true, false]) {
    const { kind, heard } = await judged(sloped(accurate, isDeclared), questionOf([1, 6, 18, 40, 300]));
    expect([kind, heard.imprecise.size]).toEqual(["agrees", 0]);
  }
});

test("a derivative that cancels on its own is not imprecise: no slope was taken from a value", async () => {
  const { slopes: _, ...description } = interpreterEngine().describe();
  const engine = { ...interpreterEngine(), describe: () => description };
  // The derivative of (x + 1) tanh x − x tanh x − tanh x is 0, and rounding leaves some 10⁻¹⁷ of it.
  const question = questionOf([0.3, 0.7, 1.9], (x) =>
    x.add(1).multiply(x.tanh()).subtract(x.multiply(x.tanh())).subtract(x.tanh()),
  );
  const { kind, heard } = await judged(engine, question);
  expect([kind, heard.imprecise.size]).toEqual(["agrees", 0]);
});

test("a strict run is not green with such numbers, and any other is", async () => {
  const engine = sloped(fromValue, false);
  const question = questionOf([20, 25]);
  const { heard } = await judged(engine, question);
  const verdict = { kind: "agrees" } as const;
  const tally = [0, 1].reduce((sum, n) => tallied(sum, { case: question, verdict, heard }, n), emptyTally);
  expect(tally.imprecise.get("tanh")).toMatchObject({ numbers: 8, cases: 2, first: { case: 0 } });
  const { operators } = engine.describe();
  const extent = { cases: 2, operators: new Set(operators), ended: "all", seconds: 1 } as const;
  const account = { description: engine.describe(), promised: operators, tally, extent };
  expect(standingOf(account)).toEqual({ kind: "agrees" });
  expect(standingOf({ ...account, isStrict: true })).toEqual({ kind: "imprecise" });
  expect(standingOf({ ...account, tally: { ...tally, imprecise: new Map() }, isStrict: true })).toEqual({
    kind: "agrees",
  });
});
