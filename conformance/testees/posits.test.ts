import { describe, expect, test } from "vitest";
import { type Engine, type PositMutant, positMutants } from "../../engines/index.ts";
import { type Case, drawings, drawnAt, judge, positsProfile } from "../../oracle/index.ts";
import {
  type DataType,
  type FlatTensor,
  graph,
  nodeId,
  positName,
  positTypes,
  present,
  type Shape,
  type VectorData,
} from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { suiteData } from "../corpus/suite.ts";
import { chooseEngine, everyEngine } from "./choice.ts";
import { judgedPosits, type PositSums } from "./posits.ts";

const sums: readonly PositSums[] = ["rounded", "quire"];

function flat(data: readonly number[], shape: Shape = [data.length]): FlatTensor {
  return { shape, data: Float64Array.from(data) };
}

/** The vectors for posits, each in its precision; other tests ask the vectors for floats. */
const vectors: readonly VectorData[] = [...suiteData()].flatMap(([path, vector]) =>
  path.startsWith("posits/") ? [vector] : [],
);

const casesIn = (dtype: DataType): readonly Case[] =>
  vectors.filter((vector) => vector.dtype === dtype).map((vector) => vector.case);

async function verdicts(engine: Engine, dtype: DataType, asked: Iterable<Case>): Promise<string[]> {
  const kinds: string[] = [];
  for (const question of asked)
    kinds.push((await judge(engine, question, { dtype, laws: [], shrinkBudget: 0 })).kind);
  return kinds;
}

function* random(engine: Engine, count: number): Generator<Case> {
  const mix = present(drawings.get("mix"), "the mix");
  const { operators } = engine.describe();
  for (let index = 0; index < count; index++) yield drawnAt(mix, operators, 5, index);
}

function* edged(engine: Engine, count: number): Generator<Case> {
  const { operators } = engine.describe();
  for (let index = 0; index < count; index++) yield drawnAt(positsProfile, operators, 5, index);
}

describe.each(sums)("the posits' engine with %s sums", (how) => {
  const engine = judgedPosits(how);

  test.each(
    sampled(`posits with ${how} sums`, engine.describe().dtypes, 1),
  )("is right in %s, in the cases for posits and in random ones", async (dtype) => {
    const all = vectors.map((vector) => vector.case);
    const found = [
      ...(await verdicts(engine, dtype, all)),
      ...(await verdicts(engine, dtype, random(engine, 25))),
      ...(await verdicts(engine, dtype, edged(engine, 200))),
    ];
    expect(found.filter((kind) => kind !== "agrees" && kind !== "undecided")).toEqual([]);
    expect(found.filter((kind) => kind === "agrees").length).toBeGreaterThan(60);
  });

  test("answers the numbers that codes stand for, in every mode, and NaN for NaR", async () => {
    const loaded = await engine.load(
      graph(({ input }) => input("x", [4]).sqrt()),
      "posit16",
    );
    if (loaded.kind !== "result") return expect.unreachable("it loads");
    const point = { inputs: [flat([4, 2, -1, 2 ** 60])], environment: new Map() };
    const seeds = [{ id: nodeId(1), cotangent: flat([4, 0, 0, 0]) }];
    const root = Math.round(Math.SQRT2 * 2 ** 11) / 2 ** 11;
    expect(await loaded.value.evaluate(point)).toEqual({
      kind: "result",
      value: [flat([2, root, Number.NaN, 2 ** 28])],
    });
    expect(await loaded.value.jvp(point, [flat([4, 0, 0, 0])])).toMatchObject({ kind: "result" });
    const swept = await loaded.value.backwardDense(point, seeds);
    expect(swept.kind === "result" ? swept.value.map(({ data }) => data[0]) : swept).toEqual([1, 4]);
    expect(await loaded.value.vjp(point, seeds)).toMatchObject({ kind: "result" });
    await loaded.value.unload();
  });

  test("has no floats, and says so", async () => {
    const square = graph(({ input }) => input("x", []).negative());
    expect(await engine.load(square, "float64")).toEqual({
      kind: "unsupported",
      reason: "no arithmetic in float64",
    });
  });
});

/** These faults of quires are planted in an engine that adds in one. */
const inQuires: ReadonlySet<string> = new Set([
  "quire_sticky",
  "far_addend",
  "rounded_terms",
  "rounded_products",
  "draft_quire",
  "no_guard",
  "lost_sign",
  "one_too_many",
  "nar_forgotten",
]);

function mutant({ name, engine }: PositMutant): readonly [Engine, DataType] {
  const dtype = present(
    positTypes.find((name) => name === positName(engine.format)),
    "a precision",
  );
  const how = inQuires.has(name) ? "quire" : "rounded";
  return [judgedPosits(how, { [dtype]: engine }, `mutant: ${name}`), dtype];
}

describe("an engine for posits that has a fault", () => {
  test.each(
    sampled("by the suite", positMutants, 8),
  )("is accused by the suite of posits alone: $name", async (planted) => {
    const [engine, dtype] = mutant(planted);
    expect(await verdicts(engine, dtype, casesIn(dtype))).toContain("disagrees");
  });

  test.each(
    sampled("by search", positMutants, 8),
  )("is accused by random search alone, of numbers for posits: $name", async (planted) => {
    const [engine, dtype] = mutant(planted);
    for (const question of edged(engine, 1500))
      if ((await verdicts(engine, dtype, [question]))[0] === "disagrees") return;
    expect.unreachable("1500 cases have nothing against it");
  });

  test.each([
    "ties_up",
    "truncation",
    "sticky_dropped",
    "rounded_twice",
    "draft_8",
    "draft_16",
    "lost_sign",
    "one_too_many",
  ])("is accused in one of six random cases: %s", async (name) => {
    const [engine, dtype] = mutant(
      present(
        positMutants.find((planted) => planted.name === name),
        name,
      ),
    );
    expect(await verdicts(engine, dtype, random(engine, 6))).toContain("disagrees");
  });
});

test("the engines are asked by their names alone", () => {
  const every = everyEngine().map(({ label }) => label);
  for (const name of ["posit", "posit-quire"]) {
    expect(chooseEngine(name)).toMatchObject({ ok: true, value: { label: name } });
    expect(every).not.toContain(name);
  }
});
