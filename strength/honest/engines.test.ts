import { describe, expect, test } from "vitest";
import { type Engine, interpreterEngine, type LoadedGraph } from "../../engines/index.ts";
import type { Case } from "../../oracle/case/case.ts";
import { caseAt, mix, tensorProfile } from "../../oracle/generate/index.ts";
import { type Heard, nothingHeard } from "../../oracle/hearing/index.ts";
import { judge } from "../../oracle/judge/judge.ts";
import { laws } from "../../oracle/laws/index.ts";
import { type FlatTensor, graph, nodeId, present } from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { type AlarmOrders, searchAlarms } from "../alarms/run.ts";
import { honestEngines } from "./engines.ts";

const orders: Omit<AlarmOrders, "dtype"> = {
  profile: mix,
  seed: 11,
  first: 0,
  components: 4000,
  cases: 500,
  lawsEvery: 1,
  onesEvery: 2,
};

const inEach = honestEngines.flatMap(({ name, engine }) =>
  engine()
    .describe()
    .dtypes.map((dtype) => ({ name, engine, dtype })),
);

function named(name: string): Engine {
  return present(
    honestEngines.find((honest) => honest.name === name),
    name,
  ).engine();
}

/** Judges an engine on small tensors, and says what was heard of its answers. */
async function heardOf(engine: Engine, cases: number): Promise<readonly [kinds: Set<string>, Heard[]]> {
  const [kinds, all] = [new Set<string>(), [] as Heard[]];
  for (let index = 0; index < cases; index++) {
    let heard = nothingHeard;
    const hear = (told: Heard): void => {
      heard = told;
    };
    const question = caseAt(tensorProfile, 3, index);
    const { kind } = await judge(engine, question, { dtype: "float64", laws, shrinkBudget: 0, hear });
    kinds.add(kind);
    all.push(heard);
  }
  return [kinds, all];
}

describe("an honest engine", () => {
  test.each(
    sampled("engines", inEach, 6),
  )("is accused neither by the truth nor by a law: $name, $dtype", async ({ engine, dtype }) => {
    const { alarms, judged } = await searchAlarms(engine(), { ...orders, dtype });
    expect(alarms.flatMap(({ findings }) => findings)).toEqual([]);
    expect(judged).toBeGreaterThan(3999);
  });

  test("that adds in an order of each call is said to differ from call to call, and by how much", async () => {
    const [kinds, all] = await heardOf(named("adds in an order that changes from call to call"), 60);
    expect(kinds).not.toContain("disagrees");
    const most = Math.max(...all.map(({ varied }) => varied.most));
    expect(all.filter(({ varied }) => varied.cases > 0).length).toBeGreaterThan(0);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(1e-13);
  });

  test("that promises to repeat itself is accused where it does not", async () => {
    const engine = named("adds in an order that changes from call to call");
    const description = { ...engine.describe(), repeatable: true };
    const [kinds] = await heardOf({ ...engine, describe: () => description }, 60);
    expect(kinds).toContain("disagrees");
  });

  test("that repeats itself is not said to differ", async () => {
    const [, all] = await heardOf(named("adds in an order that depends on values"), 40);
    expect(all.filter(({ varied }) => varied.cases > 0)).toEqual([]);
  });
});

const scalar = (x: number): FlatTensor => ({ shape: [], data: Float64Array.of(x) });

/** Asks for the gradient of √(x² + 1). */
function rootOfSquare(x: number, seed: number): Case {
  const program = graph(({ input }) => {
    const x = input("x");
    x.multiply(x).add(1).sqrt();
  });
  return {
    graph: program,
    point: { inputs: [scalar(x)], environment: new Map() },
    tangents: [scalar(1)],
    seeds: [{ id: nodeId(program.nodes.length), cotangent: scalar(seed) }],
  };
}

async function gradient(engine: Engine, { graph: program, point, seeds }: Case): Promise<number> {
  const loaded = await engine.load(program, "float64");
  if (loaded.kind !== "result") throw new Error(loaded.kind);
  const answer = await loaded.value.vjp(point, seeds);
  return answer.kind === "result" ? present(answer.value[0]?.data[0], "a gradient") : Number.NaN;
}

describe("an engine that folds the seed 1 into its formulas", () => {
  const engine = named("folds constant seeds");

  test("gives −2 times another gradient for the seed −2, and no law accuses it", async () => {
    const points = Array.from({ length: 40 }, (_, i) => 1 + i / 7);
    let unlike = 0;
    for (const x of points) {
      const [one, two] = [rootOfSquare(x, 1), rootOfSquare(x, -2)];
      if ((await gradient(engine, two)) !== -2 * (await gradient(engine, one))) unlike += 1;
      for (const question of [one, two])
        expect(await judge(engine, question, { dtype: "float64" })).toEqual({ kind: "agrees" });
    }
    expect(unlike).toBeGreaterThan(5);
  });
});

/** Lets an engine round the numbers of seeds, as drawn ones are not changed by. */
function rounding(inner: Engine, round: (c: number) => number): Engine {
  return {
    ...inner,
    async load(program, dtype) {
      const loaded = await inner.load(program, dtype);
      if (loaded.kind !== "result") return loaded;
      const vjp: LoadedGraph["vjp"] = (point, seeds) =>
        loaded.value.vjp(
          point,
          seeds.map(({ id, cotangent: { shape, data } }) => ({
            id,
            cotangent: { shape, data: data.map(round) },
          })),
        );
      return { kind: "result", value: { ...loaded.value, vjp } };
    },
  };
}

describe("an engine that takes seeds for other ones", () => {
  const said = async (round: (c: number) => number): Promise<Set<string>> => {
    const engine = rounding(interpreterEngine(), round);
    const questions = new Set<string>();
    for (let index = 0; index < 20; index++) {
      const question = caseAt(tensorProfile, 4, index);
      const verdict = await judge(engine, question, { dtype: "float64", shrinkBudget: 0 });
      if (verdict.kind === "disagrees") questions.add(verdict.witness.question);
    }
    return questions;
  };

  test("is told by linearity where it rounds them to eighths, as all drawn ones are", async () => {
    expect([...(await said((c) => Math.round(8 * c) / 8))]).toEqual(["linearity"]);
  });
});
