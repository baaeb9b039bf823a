import { describe, expect, test } from "vitest";
import { type Engine, interpreterEngine, type Mutant, mutants } from "../../engines/index.ts";
import type { Case } from "../../oracle/case/case.ts";
import { type FlatTensor, graph, nodeId, present } from "../../spec/index.ts";
import { documentedSettings, isAccused, type Settings } from "./gradcheck.ts";
import { type Trial, tried, unsoundCases } from "./trial.ts";

const named = (name: string): Mutant =>
  present(
    mutants.find((mutant) => mutant.name === name),
    name,
  );

const tensor = (...data: number[]): FlatTensor => ({
  shape: [data.length],
  data: Float64Array.from(data),
});

/** Asks for relu(x) · sin(x), with a seed on the product. */
function sineAt(...x: number[]): Case {
  const program = graph(({ input }) => {
    const operand = input("x", [x.length]);
    operand.relu().multiply(operand.sin());
  });
  return {
    graph: program,
    point: { inputs: [tensor(...x)], environment: new Map() },
    tangents: [tensor(...x.map(() => 1))],
    seeds: [{ id: nodeId(3), cotangent: tensor(...x.map(() => 1)) }],
  };
}

/** Makes an interpreter that changes its gradients from the second on. */
function restless(change: (x: number) => number): Engine {
  const inner = interpreterEngine();
  let asked = 0;
  return {
    ...inner,
    async load(program, dtype) {
      const loaded = await inner.load(program, dtype);
      if (loaded.kind !== "result") return loaded;
      const { value } = loaded;
      return {
        kind: "result",
        value: {
          ...value,
          async vjp(point, seeds) {
            const reply = await value.vjp(point, seeds);
            asked += 1;
            if (reply.kind !== "result" || asked === 1) return reply;
            return {
              kind: "result",
              value: reply.value.map(({ shape, data }) => ({ shape, data: data.map(change) })),
            };
          },
        },
      };
    },
  };
}

const ask = (engine: Engine, question: Case, settings: Partial<Settings> = {}): Promise<boolean> =>
  isAccused(engine, question, { ...documentedSettings, ...settings });

describe("finite differences", () => {
  test("accuse a wrong slope, and not the right one", async () => {
    expect(await ask(interpreterEngine(), sineAt(1, -2, 3))).toBe(false);
    expect(await ask(named("operand_dropped").engine(), sineAt(1, -2, 3))).toBe(true);
  });

  test("accuse nobody of a slope when the tolerance is 1", async () => {
    const dropped = named("operand_dropped").engine();
    expect(await ask(dropped, sineAt(1, -2, 3), { atol: 1, rtol: 1 })).toBe(false);
  });

  test("accuse the sound interpreter at a kink", async () => {
    const kinked: Case = { ...sineAt(0), seeds: [{ id: nodeId(1), cotangent: tensor(1) }] };
    expect(await ask(interpreterEngine(), kinked)).toBe(true);
  });

  test("move inputs far enough apart that the quotient has the slope, and no farther", async () => {
    expect(await ask(interpreterEngine(), sineAt(1), { eps: 1e-15 })).toBe(true);
    expect(await ask(interpreterEngine(), sineAt(1), { eps: 1 })).toBe(true);
  });

  test("accuse a gradient that is not the same when it is asked again", async () => {
    expect(
      await ask(
        restless((x) => x),
        sineAt(1),
      ),
    ).toBe(false);
    expect(
      await ask(
        restless((x) => x + 1e-12),
        sineAt(1),
      ),
    ).toBe(true);
  });

  test("accuse an engine that does not answer", async () => {
    const silent: Engine = {
      ...interpreterEngine(),
      load: () => Promise.resolve({ kind: "error", message: "no" }),
    };
    expect(await ask(silent, sineAt(1))).toBe(true);
  });
});

describe("a trial by finite differences", () => {
  const cases = 20;
  const trial = async (name: string, settings: Settings): Promise<Trial["cases"]> => {
    const unsound = await unsoundCases(1, cases, settings);
    const by = { kind: "differences", settings, unsound } as const;
    return (await tried(named(name), { seed: 1, cases, by })).cases;
  };

  test("finds a wrong slope", async () => {
    expect(await trial("operand_dropped", documentedSettings)).toBeLessThanOrEqual(cases);
  });

  test.each([
    ["whose tangents alone are wrong", "tangent_of_ones"],
    ["that computes another function, with its derivative", "mean_by_all_elements"],
    ["whose values have lost a digit", "cos_wrong_literal"],
  ])("misses a mutant %s", async (_, name) => {
    expect(await trial(name, documentedSettings)).toBeUndefined();
  });

  test("counts no case in which the sound interpreter is accused", async () => {
    const all = new Set(Array.from({ length: cases }, (_, index) => index));
    const by = { kind: "differences", settings: documentedSettings, unsound: all } as const;
    const { cases: found } = await tried(named("operand_dropped"), { seed: 1, cases, by });
    expect(found).toBeUndefined();
  });
});
