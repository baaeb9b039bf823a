import { describe, expect, test } from "vitest";
import { type Engine, interpreterEngine, mutants } from "../../engines/index.ts";
import { graph, nodeId, present } from "../../spec/index.ts";
import type { Case } from "../case/case.ts";
import { caseAt, tensorProfile } from "../generate/index.ts";
import { laws } from "../laws/index.ts";
import { declaring } from "./asked_text.test.kit.ts";
import { judge } from "./judge.ts";
import { survey } from "./survey.ts";

/** Returns an engine with another last value. */
function answering(engine: Engine, change: (x: number) => number): Engine {
  return {
    ...engine,
    async load(program, dtype) {
      const loaded = await engine.load(program, dtype);
      if (loaded.kind !== "result") return loaded;
      const { value } = loaded;
      const evaluate: typeof value.evaluate = async (point) => {
        const reply = await value.evaluate(point);
        if (reply.kind !== "result") return reply;
        const last = present(reply.value.at(-1), "a value");
        const other = { ...last, data: last.data.map(change) };
        return { ...reply, value: reply.value.with(-1, other) };
      };
      return { ...loaded, value: { ...value, evaluate } };
    },
  };
}

/**
 * Counts what became of each number of the answer of a scalar graph `y = f(x)` at a point, y being changed.
 */
async function openness(
  x: number,
  write: Parameters<typeof graph>[0],
  change: (x: number) => number = (y) => y,
): Promise<Record<string, number>> {
  const program = graph(write);
  const scalar = (value: number) => ({ shape: [], data: Float64Array.of(value) });
  const question: Case = {
    graph: program,
    point: { inputs: [scalar(x)], environment: new Map() },
    tangents: [scalar(1)],
    seeds: [{ id: nodeId(program.nodes.length), cotangent: scalar(1) }],
  };
  const engine = answering(declaring(interpreterEngine(), {}), change);
  const surveyed = await survey(engine, question, "float64", laws);
  if (surveyed.kind !== "surveyed") throw new Error(surveyed.kind);
  const counts: Record<string, number> = {};
  for (const { part, judgement } of surveyed.numbers) {
    const key = `${part} ${judgement}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

function mutant(name: string): Engine {
  return present(
    mutants.find((candidate) => candidate.name === name),
    name,
  ).engine();
}

describe("survey", () => {
  test("says outside of exactly the cases that the judge disagrees on", async () => {
    const [engine, outcomes] = [mutant("operands_swapped"), new Set<string>()];
    for (let index = 0; index < 40; index++) {
      const question = caseAt(tensorProfile, 3, index);
      const verdict = await judge(engine, question, { dtype: "float64", shrinkBudget: 0 });
      const surveyed = await survey(engine, question, "float64", laws);
      const isOutside = surveyed.kind === "surveyed" && surveyed.outside.length > 0;
      expect(isOutside, `case ${index}`).toBe(verdict.kind === "disagrees");
      outcomes.add(verdict.kind);
    }
    expect(outcomes).toContain("agrees");
    expect(outcomes).toContain("disagrees");
  });

  test("goes on where the judge stops: every number of a wrong answer is outside", async () => {
    const program = graph(({ input }) => input("x", [3]).cos());
    const vector = (...data: number[]) => ({ shape: [3], data: Float64Array.from(data) });
    const question: Case = {
      graph: program,
      point: { inputs: [vector(1, 2, 3)], environment: new Map() },
      tangents: [vector(1, 1, 1)],
      seeds: [{ id: nodeId(1), cotangent: vector(1, -2, 4) }],
    };
    const surveyed = await survey(mutant("cos_sign_lost"), question, "float64", []);
    const findings = surveyed.kind === "surveyed" ? surveyed.outside : [];
    const elements = findings.filter((finding) => finding.question === "vjp").map(({ element }) => element);
    expect(elements).toEqual([0, 1, 2]);
  });

  test("counts a number without a bound apart, where the engine answers as the reference", async () => {
    expect(await openness(0, ({ input }) => input("x").log().relu())).toMatchObject({ "value within": 2 });
    expect(await openness(0, ({ input }) => input("x").log().sqrt().relu())).toMatchObject({
      "value within": 2,
      "value reference": 1,
    });
    expect(await openness(0, ({ input }) => input("x").sqrt())).toMatchObject({ "tangent reference": 1 });
  });

  test("tells a bound that is lost from a true value that is none, where the answer is another", async () => {
    const above = (x: number): number => x + 1;
    const lost = await openness(0.1, ({ input }) => input("x").multiply(3).subtract(0.3).log(), above);
    expect(lost["value lost"] ?? 0).toBeGreaterThan(0);
    expect(lost["value singular"]).toBeUndefined();
  });
});
