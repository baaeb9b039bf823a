import { describe, expect, it } from "vitest";
import { interpreterEngine } from "../../engines/index.ts";
import { mix } from "../../oracle/generate/index.ts";
import type { Verdict } from "../../oracle/hearing/index.ts";
import type { Engine } from "../../spec/contract/index.ts";
import { defaultBudget } from "../../spec/expansion/index.ts";
import { type Graph, nodeId, type OperatorName } from "../../spec/index.ts";
import { agendaOf, type Questions } from "./agenda.ts";
import { type Ending, Postponing } from "./postponing.ts";
import { everything } from "./selection.ts";

const fine: Ending = { kind: "agrees" };
const crashed: Ending = {
  kind: "crashed",
  message: "request 4 (load of program 2): the engine was killed by SIGSEGV",
};
const hung: Ending = { kind: "crashed", message: "request 4: the engine did not answer within 30000 ms" };

function alone(op: OperatorName): Ending {
  const graph: Graph = {
    format: "adjudge.graph.v1",
    inputs: [{ name: "x", shape: [] }],
    environment: [],
    nodes: [JSON.parse(JSON.stringify({ op, attributes: {}, parents: [nodeId(0)] }))],
  };
  return { ...crashed, case: { graph } };
}

describe("an operator that an engine breaks down over", () => {
  it("waits after three breakdowns, and what was survived does not", () => {
    const postponing = new Postponing();
    postponing.note(["add", "exp"], fine);
    expect(postponing.note(["add", "det"], crashed)).toEqual([]);
    expect(postponing.note(["exp", "det"], crashed)).toEqual([]);
    expect(postponing.note(["add", "exp", "det"], crashed)).toEqual(["det"]);
    expect(postponing.waits(["add", "exp"])).toBe(false);
    expect(postponing.waits(["add", "det"])).toBe(true);
  });

  it("waits after one question and one more if the engine breaks down over it alone", () => {
    const postponing = new Postponing();
    expect(postponing.note(["add", "exp", "det"], alone("det"))).toEqual([]);
    expect(postponing.note(["add", "exp", "det"], crashed)).toEqual(["det"]);
    expect(postponing.waits(["add", "exp"])).toBe(false);
  });

  it("waits at once if the engine hung over it and never survived it", () => {
    const postponing = new Postponing();
    postponing.note(["add", "exp"], fine);
    expect(postponing.note(["add", "exp", "diagonal"], hung)).toEqual(["diagonal"]);
    expect(postponing.note(["add", "exp"], hung)).toEqual([]);
  });

  it("does not wait if the engine mostly survives it", () => {
    const postponing = new Postponing();
    for (let times = 0; times < 20; times++) postponing.note(["add"], fine);
    for (let times = 0; times < 5; times++) expect(postponing.note(["add"], crashed)).toEqual([]);
  });

  it("is not told by errors, or by an engine that is not started again", () => {
    const postponing = new Postponing();
    for (let times = 0; times < 5; times++) {
      expect(postponing.note(["det"], { kind: "crashed", message: "error: no rule" })).toEqual([]);
      expect(postponing.note(["exp"], { kind: "crashed", message: "gave up: 5 restarts" })).toEqual([]);
    }
  });
});

const questions: Questions = {
  ...{ profile: mix, seed: 5, cases: 60, lawsEvery: 0, suite: [], selection: everything },
};

/** An engine dies of a product of matrices, and of nothing else. */
function dying(): { readonly engine: Engine; deaths(): number } {
  const sound = interpreterEngine();
  let deaths = 0;
  const engine: Engine = {
    ...sound,
    load: async (graph, dtype) => {
      if (!graph.nodes.some(({ op }) => op === "matmul")) return sound.load(graph, dtype);
      deaths += 1;
      return { kind: "crashed", message: `request ${deaths}: the engine was killed by SIGSEGV` };
    },
    [Symbol.asyncDispose]: () => sound[Symbol.asyncDispose](),
  };
  return { engine, deaths: () => deaths };
}

type Asked = { readonly place: number | string; readonly verdict: Verdict };

async function askedFrom(
  first: number,
  earlier: readonly Asked[],
): Promise<{ readonly asked: readonly Asked[]; readonly told: readonly OperatorName[] }> {
  const { engine } = dying();
  const told: OperatorName[] = [];
  const limits = { budget: defaultBudget, isOver: () => false };
  const course = {
    earlier: earlier.map(({ place, verdict }) => ({ case: place, verdict })),
    postponed: (operators: readonly OperatorName[]) => void told.push(...operators),
  };
  const asked: Asked[] = [];
  const answers = agendaOf(questions, engine).ask(engine, "float64", limits, first, course);
  for await (const { place, judged } of answers) asked.push({ place, verdict: judged.verdict });
  return { asked, told };
}

describe("a run of an engine that dies of one operator", () => {
  it("asks everything, that operator last, and says so", async () => {
    const { asked, told } = await askedFrom(0, []);
    expect(told).toEqual(["matmul"]);
    expect(new Set(asked.map(({ place }) => place))).toEqual(
      new Set(Array.from({ length: 60 }, (_, i) => i)),
    );
    const deaths = asked.flatMap(({ verdict }, turn) => (verdict.kind === "crashed" ? [turn] : []));
    expect(deaths.length).toBeGreaterThan(4);
    // Those that came before it was postponed; all others are the last.
    const early = deaths.filter((turn) => turn < asked.length - deaths.length + 3);
    expect(early.length).toBeLessThanOrEqual(3);
    expect(deaths.slice(early.length)).toEqual(
      Array.from(
        { length: deaths.length - early.length },
        (_, i) => asked.length - deaths.length + early.length + i,
      ),
    );
  });

  it("goes on after an interruption with what was not asked", async () => {
    const { asked } = await askedFrom(0, []);
    for (const cut of [1, 20, 45, 58]) {
      const earlier = asked.slice(0, cut).filter(({ verdict }) => verdict.kind !== "agrees");
      const rest = await askedFrom(cut, earlier);
      expect(rest.asked.map(({ place }) => place)).toEqual(asked.slice(cut).map(({ place }) => place));
    }
  });
});
