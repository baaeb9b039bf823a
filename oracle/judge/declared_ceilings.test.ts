import { describe, expect, test } from "vitest";
import {
  type Description,
  type Engine,
  interpreterEngine,
  type LoadedGraph,
  type Reply,
} from "../../engines/index.ts";
import { type FlatTensor, operatorNames, type SavedFormat } from "../../spec/index.ts";
import { mix } from "../generate/index.ts";
import { campaignOn } from "./campaign.ts";
import { type Account, standingOf } from "./standing.ts";
import { emptyTally, tallied } from "./tally.ts";

type Answer = Reply<readonly FlatTensor[]>;

/** Multiplies the numbers of values and tangents, or cotangents of inputs, and declares something. */
function off(
  by: { readonly values?: number; readonly cotangents?: number },
  declared: Partial<Description>,
): Engine {
  const inner = interpreterEngine();
  const { accumulation: _, ...described } = inner.describe();
  const description = { ...described, ...declared };
  const times = async (answer: Promise<Answer>, factor = 1): Promise<Answer> => {
    const given = await answer;
    if (given.kind !== "result") return given;
    const value = given.value.map(({ shape, data }) => ({ shape, data: data.map((x) => x * factor) }));
    return { kind: "result", value };
  };
  return {
    ...inner,
    describe: () => description,
    async load(graph, dtype) {
      const loaded = await inner.load(graph, dtype);
      if (loaded.kind !== "result") return loaded;
      const program = loaded.value;
      const value: LoadedGraph = {
        ...program,
        evaluate: (point) => times(program.evaluate(point), by.values),
        jvp: (point, tangents) => times(program.jvp(point, tangents), by.values),
        vjp: (point, seeds) => times(program.vjp(point, seeds), by.cotangents),
      };
      return { kind: "result", value };
    },
  };
}

/** Runs an engine on cases of elementary functions, and says what became of them. */
async function accountOf(engine: Engine, cases: number): Promise<Account> {
  const description = { ...engine.describe(), operators: ["exp", "sin", "tanh", "log"] } as const;
  let tally = emptyTally;
  const asked = { profile: mix, seed: 5, cases, dtype: "float64", lawsEvery: 0 } as const;
  const limited = { ...engine, describe: () => description };
  for await (const judged of campaignOn(limited, asked)) tally = tallied(tally, judged, judged.index);
  const extent = { cases, operators: new Set(tally.promises.keys()), ended: "all", seconds: 1 } as const;
  return { description, promised: description.operators, tally, extent };
}

const anything = Object.fromEntries(operatorNames.map((op) => [op, 1e12]));

describe("an accuracy that is declared beyond √u of the value", () => {
  test("is no green for an engine whose numbers need it, and says for how many cases", async () => {
    const account = await accountOf(off({ values: 1 + 1e-5 }, { accuracy: anything }), 40);
    const { counts, excused } = account.tally;
    expect(counts.disagrees).toBe(0);
    expect(counts.agrees).toBeGreaterThan(20);
    // The others have zeros and infinities alone.
    expect(excused).toBeGreaterThan(30);
    expect(standingOf(account)).toEqual({ kind: "excused", excused, agrees: counts.agrees });
  });

  test("excuses nothing in an engine whose numbers are right without it", async () => {
    const account = await accountOf(off({}, { accuracy: anything }), 40);
    expect(account.tally.excused).toBe(0);
    expect(standingOf(account)).toEqual({ kind: "agrees" });
  });

  test("is none where it is large, and half of the digits are still owed", async () => {
    const modest = Object.fromEntries(operatorNames.map((op) => [op, 1e7]));
    const account = await accountOf(off({ values: 1 + 1e-10 }, { accuracy: modest }), 40);
    expect(account.tally.counts.disagrees).toBe(0);
    expect(standingOf(account)).toEqual({ kind: "agrees" });
  });
});

describe("cotangents of values that are kept in few bits", () => {
  const kept = (saved: SavedFormat, cotangents: number) =>
    accountOf(off({ cotangents }, { saved }), 40).then(({ tally }) => tally.counts);

  test("are undecided in 4 bits where they need that, and wrong beyond", async () => {
    const moved = await kept("sym4", 1.04);
    // These have cotangents of 0 alone.
    expect(moved.agrees).toBeLessThan(4);
    expect(moved.undecided).toBeGreaterThan(0);
    expect((await kept("sym4", 30)).disagrees).toBeGreaterThan(20);
  });

  test("agree in 4 bits where they are right without it", async () => {
    const { agrees, disagrees } = await kept("sym4", 1);
    expect(disagrees).toBe(0);
    expect(agrees).toBeGreaterThan(35);
  });

  test("agree in 16 bits where they are off by less than that keeps", async () => {
    const moved = await kept("sym16", 1 + 1e-7);
    expect(moved.agrees).toBeGreaterThan(0);
  });
});
