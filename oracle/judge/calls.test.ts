import { describe, expect, test } from "vitest";
import { interpreterEngine, javascriptEngine } from "../../engines/index.ts";
import {
  type Call,
  callText,
  checkCase,
  encodeCase,
  type FlatTensor,
  graph,
  idCount,
  nodeId,
  type Value,
} from "../../spec/index.ts";
import { changed } from "../calls/changed.ts";
import type { Case } from "../case/case.ts";
import { searchedCase } from "../generate/index.ts";
import { ask } from "../hearing/ask.ts";
import type { Witness } from "../hearing/verdict.ts";
import { type Forgetful, forgetful, forgetfulEngine } from "./calls.test.kit.ts";
import { faultOf } from "./fault.ts";
import { judge } from "./judge.ts";

const SEED = 1;

/** Each of the forgetful engines is told within so many cases. */
const MOST = 1000;

/** The cases that are asked calls. */
const sessions: readonly number[] = Array.from({ length: MOST / 20 }, (_, index) => 20 * index + 1);

async function witnessOf(wrong: Forgetful, question: Case): Promise<Witness | undefined> {
  const verdict = await judge(forgetfulEngine(wrong), question, { dtype: "float64", laws: [] });
  return verdict.kind === "disagrees" ? verdict.witness : undefined;
}

async function firstWitness(wrong: Forgetful): Promise<Witness> {
  for (const index of sessions) {
    const question = searchedCase(SEED, index);
    if ((await ask(forgetfulEngine(wrong), question, "float64", [])).kind !== "differs") continue;
    const witness = await witnessOf(wrong, question);
    if (witness !== undefined) return witness;
  }
  throw new Error(`${wrong.name} survives`);
}

const scalar = (x: number): FlatTensor => ({ shape: [], data: Float64Array.of(x) });

function caseOf(build: (x: Value) => void, calls: readonly Call[]): Case {
  const program = graph(({ input }) => build(input("x")));
  return {
    graph: program,
    point: { inputs: [scalar(3)], environment: new Map() },
    tangents: [scalar(2)],
    seeds: [{ id: nodeId(idCount(program) - 1), cotangent: scalar(5) }],
    calls,
  };
}

describe("the calls of a case", () => {
  test("are drawn for one case in twenty, each mode at least once", () => {
    const drawn = Array.from({ length: 200 }, (_, index) => searchedCase(SEED, index));
    expect(drawn.flatMap(({ calls }, index) => (calls === undefined ? [] : [index]))).toEqual(
      sessions.slice(0, 10),
    );
    for (const { calls = [] } of drawn.filter((question) => question.calls !== undefined))
      expect(new Set(calls.flatMap(({ mode, change }) => (change === undefined ? [mode] : []))).size).toBe(4);
  });

  test.each(forgetful)(`tell within ${MOST} cases that $name`, async (wrong) => {
    const { case: smallest, question, blame } = await firstWitness(wrong);
    const { calls = [] } = smallest;
    expect(calls.at(-1)?.mode).toBe(question);
    expect(blame.op).toBeUndefined();
    expect(faultOf({ ...{ blame, question }, case: smallest, expected: "" })).toEqual({
      place: question,
      attributes: "after other calls",
    });
    // Written and read back, the sequence still convicts a fresh engine; the interpreter is cleared.
    const again = checkCase(JSON.parse(JSON.stringify(encodeCase(smallest))));
    if (!again.ok) throw new Error(JSON.stringify(again.error));
    expect(again.value.calls).toEqual(smallest.calls);
    expect((await ask(interpreterEngine(), again.value, "float64", [])).kind).toBe("agrees");
    // A third load of a graph is one only if the engine has not seen that graph.
    if (wrong.spoils === undefined) {
      expect(calls.length).toBeLessThanOrEqual(2);
      expect(smallest.graph.nodes.length).toBeLessThanOrEqual(2);
    }
    expect((await ask(forgetfulEngine(wrong), again.value, "float64", [])).kind).toBe("differs");
  });

  test("accuse no right engine", async () => {
    for (const [engine, some] of [
      [interpreterEngine(), sessions],
      [javascriptEngine(), sessions.slice(0, 8)],
    ] as const) {
      const { operators } = engine.describe();
      for (const index of some) {
        const question = searchedCase(SEED + 1, index);
        if (!question.graph.nodes.every(({ op }) => operators.includes(op))) continue;
        for (const dtype of ["float64", "float32"] as const)
          expect(["agrees", "undecided"]).toContain((await ask(engine, question, dtype, [])).kind);
      }
    }
  });

  test("leave a fault that needs no calls to the node that is wrong", async () => {
    const question = caseOf(
      (x) => x.exp().multiply(x),
      [{ mode: "vjp", change: "inputs" }, { mode: "jvp" }, { mode: "vjp" }],
    );
    const right = interpreterEngine();
    const doubling = forgetfulEngine({
      name: "exp",
      around: ({ graph: { nodes }, program }) => ({
        async vjp(point, seeds) {
          const reply = await program.vjp(point, seeds);
          if (reply.kind !== "result" || !nodes.some(({ op }) => op === "exp")) return reply;
          return {
            kind: "result",
            value: reply.value.map(({ shape, data }) => ({ shape, data: data.map((x) => 2 * x) })),
          };
        },
      }),
    });
    expect((await judge(right, question, { dtype: "float64" })).kind).toBe("agrees");
    for (const shrinkBudget of [0, 100]) {
      const verdict = await judge(doubling, question, { dtype: "float64", laws: [], shrinkBudget });
      if (verdict.kind !== "disagrees") throw new Error(verdict.kind);
      expect(verdict.witness.case.calls).toBeUndefined();
      expect(verdict.witness.blame.op).toBe("exp");
    }
  });

  test("are blamed where each mode is asked once and a mode is right as the first", async () => {
    const afterEvaluation = forgetfulEngine({
      name: "vjp after jvp",
      around: ({ program }) => {
        let isLate = false;
        return {
          jvp(point, tangents) {
            isLate = true;
            return program.jvp(point, tangents);
          },
          vjp: (point, seeds) => program.vjp(point, isLate ? [] : seeds),
        };
      },
    });
    const { calls: _, ...plain } = caseOf((x) => x.exp(), [{ mode: "vjp" }]);
    const verdict = await judge(afterEvaluation, plain, { dtype: "float64", laws: [], shrinkBudget: 0 });
    if (verdict.kind !== "disagrees") throw new Error(verdict.kind);
    expect(verdict.witness.case.calls?.map(callText)).toEqual(["jvp", "vjp"]);
    expect(verdict.witness.blame.sentence).toBe(
      "the answer depends on what was asked before: vjp is right as the first call, and wrong after jvp.",
    );
  });
});

describe("a call that changes the case", () => {
  const question = caseOf((x) => x.exp(), [{ mode: "vjp" }]);

  test("raises the numbers that it is about, and no others", () => {
    expect(changed(question, "inputs").point.inputs).toEqual([scalar(4)]);
    expect(changed(question, "inputs").tangents).toEqual([scalar(2)]);
    expect(changed(question, "tangents").tangents).toEqual([scalar(3)]);
    expect(changed(question, "seeds").seeds[0]?.cotangent.data[0]).toBe(6);
    expect(changed(question, "load")).toEqual(changed(question, undefined));
    expect(changed(question, "load").calls).toBeUndefined();
  });

  test("counts indices from their end, and raises the rest of Δ", () => {
    const program = graph(({ input, parameter, indices }) => {
      const x = input("x", [4]);
      x.take({ indices: indices("i", [2]), axis: 0 }).add(parameter("c", [2]));
    });
    const asked: Case = {
      graph: program,
      point: {
        inputs: [{ shape: [4], data: Float64Array.of(1, 2, 3, 4) }],
        environment: new Map([
          ["i", { shape: [2], data: Float64Array.of(0, 2) }],
          ["c", { shape: [2], data: Float64Array.of(5, 7) }],
        ]),
      },
      tangents: [{ shape: [4], data: Float64Array.of(1, 1, 1, 1) }],
      seeds: [],
    };
    const { environment, inputs } = changed(asked, "entries").point;
    expect(environment.get("i")?.data).toEqual(Float64Array.of(3, 1));
    expect(environment.get("c")?.data).toEqual(Float64Array.of(6, 8));
    expect(inputs).toEqual(asked.point.inputs);
  });

  test("changes one attribute and no shape, where there is one to change", () => {
    const program = graph(({ input }) => input("x", [3, 3]).sum({ axes: [0], keepdims: false }));
    const asked: Case = { ...question, graph: program };
    const [node] = changed(asked, "attribute").graph.nodes;
    expect(node).toMatchObject({ op: "sum", attributes: { axes: [1], keepdims: false } });
    const none = { ...question, graph: graph(({ input }) => input("x").exp()) };
    expect(changed(none, "attribute").graph).toBe(none.graph);
  });
});
