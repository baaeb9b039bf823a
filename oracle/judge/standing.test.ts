import { describe, expect, test } from "vitest";
import { type Engine, interpreterEngine, type LoadedGraph, type Reply } from "../../engines/index.ts";
import { type Graph, type OperatorName, operatorNames } from "../../spec/index.ts";
import { mix } from "../generate/index.ts";
import { campaignOn } from "./campaign.ts";
import { type Account, answeredIn, brokenPromises, isEnough, standingOf } from "./standing.ts";
import { emptyTally, noCounts, tallied } from "./tally.ts";

const declined = { kind: "unsupported", reason: "too difficult" } as const;

/** Makes the interpreter decline the graphs that are `difficult`. */
function declining(difficult: (graph: Graph) => boolean): Engine {
  const engine = interpreterEngine();
  return {
    ...engine,
    load: async (graph, dtype) => (difficult(graph) ? declined : engine.load(graph, dtype)),
  };
}

/** Makes the interpreter decline some of a program's calls. */
function without(calls: Partial<LoadedGraph>): Engine {
  const engine = interpreterEngine();
  const load = async (...[graph, dtype]: Parameters<Engine["load"]>): Promise<Reply<LoadedGraph>> => {
    const loaded = await engine.load(graph, dtype);
    return loaded.kind === "result" ? { kind: "result", value: { ...loaded.value, ...calls } } : loaded;
  };
  return { ...engine, load };
}

async function accountOf(engine: Engine, cases: number): Promise<Account> {
  const description = engine.describe();
  let tally = emptyTally;
  const asked = { profile: mix, seed: 5, cases, dtype: "float64", lawsEvery: 0 } as const;
  for await (const judged of campaignOn(engine, asked)) tally = tallied(tally, judged, judged.index);
  const operators = new Set(tally.promises.keys());
  const extent = { cases, operators, ended: "all", seconds: 1 } as const;
  return { description, promised: description.operators, tally, extent };
}

describe("standingOf", () => {
  test("is green for a right engine that answers all, and for one that promises and answers less", async () => {
    expect(standingOf(await accountOf(interpreterEngine(), 40))).toEqual({ kind: "agrees" });
    const less = interpreterEngine();
    const modest: Engine = {
      ...less,
      describe: () => ({ ...less.describe(), operators: ["multiply", "sin"], modes: ["evaluate", "vjp"] }),
    };
    expect(standingOf(await accountOf(modest, 20))).toEqual({ kind: "agrees" });
  });

  test("is a broken promise of every mode where only graphs of one node are granted", async () => {
    const account = await accountOf(
      declining(({ nodes }) => nodes.length > 1),
      60,
    );
    expect(standingOf(account).kind).toBe("broken promises");
    const { modes } = account.description;
    expect(brokenPromises(account).map(({ mode, operator }) => [mode, operator])).toEqual(
      modes.map((mode) => [mode, undefined]),
    );
  });

  test("is a broken promise of the derivatives where `evaluate` alone is answered", async () => {
    const decline = async (): Promise<typeof declined> => declined;
    const account = await accountOf(without({ jvp: decline, vjp: decline, backwardDense: decline }), 20);
    expect(brokenPromises(account).map(({ mode }) => mode)).toEqual(["jvp", "vjp", "backward_dense"]);
    const { asked, answered } = answeredIn("evaluate", account.tally);
    expect(answered).toBe(asked);
    expect(answeredIn("vjp", account.tally).answered).toBeLessThan(asked / 2);
  });

  test("charges an operator that is declined, and not those beside it", async () => {
    const account = await accountOf(
      declining(({ nodes }) => nodes.some(({ op }) => op === "maximum")),
      60,
    );
    expect(account.tally.counts.unsupported).toBeGreaterThan(5);
    const broken = brokenPromises(account);
    expect(new Set(broken.map(({ operator }) => operator))).toEqual(new Set(["maximum"]));
    expect(broken.every((promise) => promise.declined === promise.asked)).toBe(true);
  });

  test("is green where only the odd case is declined", async () => {
    const account = await accountOf(
      declining(({ nodes }) => nodes.length === 9),
      60,
    );
    expect(account.tally.counts.unsupported).toBeGreaterThan(0);
    expect(brokenPromises(account)).toEqual([]);
  });

  const operators: ReadonlySet<OperatorName> = new Set(["sin", "cos"]);
  const description = { ...interpreterEngine().describe(), operators: operatorNames };
  const account = (
    agrees: number,
    cases: number,
    asked: readonly OperatorName[],
    undecided = 0,
  ): Account => ({
    description,
    promised: operatorNames,
    tally: { ...emptyTally, counts: { ...noCounts, agrees, undecided }, asked: new Set(asked) },
    extent: { cases, operators, ended: "time", seconds: 15 },
  });

  test("is too little where the time was over before it meant anything", () => {
    expect(standingOf(account(4, 300, ["sin", "cos"]))).toMatchObject({ kind: "too little", decided: 4 });
    expect(standingOf(account(99, 300, ["sin", "cos"])).kind).toBe("too little");
    expect(standingOf(account(100, 300, ["sin", "cos"])).kind).toBe("agrees");
    expect(standingOf(account(10, 20, ["sin", "cos"])).kind).toBe("agrees");
  });

  test("is too little where an operator of the cases was never answered", () => {
    expect(standingOf(account(300, 300, ["sin"]))).toEqual({
      kind: "too little",
      decided: 300,
      unanswered: ["cos"],
    });
  });

  test("is not green where nothing was decided, and nothing where nothing was promised", () => {
    expect(standingOf(account(0, 20, ["sin", "cos"], 20))).toEqual({ kind: "undecided" });
    const { tally, ...rest } = account(0, 20, []);
    expect(standingOf({ ...rest, tally: { ...tally, foreign: 20 } })).toEqual({ kind: "nothing" });
  });
});

test("half of the cases, or a hundred, are enough; none never are", () => {
  expect([isEnough(0, 0), isEnough(1, 2), isEnough(1, 3), isEnough(100, 10_000)]).toEqual([
    false,
    true,
    false,
    true,
  ]);
});
