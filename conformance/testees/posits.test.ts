import { describe, expect, test } from "vitest";
import { type Engine, type PositMutant, positMutants } from "../../engines/index.ts";
import { type Case, drawings, drawnAt, judge } from "../../oracle/index.ts";
import {
  type DataType,
  type FlatTensor,
  graph,
  nodeId,
  present,
  type Shape,
  type Value,
} from "../../spec/index.ts";
import { chooseEngine, everyEngine } from "./choice.ts";
import { judgedPosits, type PositSums } from "./posits.ts";

const sums: readonly PositSums[] = ["rounded", "quire"];

function flat(data: readonly number[], shape: Shape = [data.length]): FlatTensor {
  return { shape, data: Float64Array.from(data) };
}

/** One value of these operands, asked in no other mode. */
function asking(inputs: readonly FlatTensor[], result: (operands: readonly Value[]) => Value): Case {
  const written = graph((scope) => {
    result(inputs.map(({ shape }, place) => scope.input(`x${place}`, shape)));
  });
  return { graph: written, point: { inputs, environment: new Map() }, tangents: inputs, seeds: [] };
}

const unary = (of: (x: Value) => Value, x: readonly number[]): Case =>
  asking([flat(x)], ([a]) => of(present(a, "an operand")));

const binary = (of: (x: Value, y: Value) => Value, pairs: readonly (readonly [number, number])[]): Case =>
  asking([flat(pairs.map(([x]) => x)), flat(pairs.map(([, y]) => y))], ([a, b]) =>
    of(present(a, "an operand"), present(b, "an operand")),
  );

const inner = (pairs: readonly (readonly [number, number])[]): Case =>
  asking(
    [
      flat(
        pairs.map(([x]) => x),
        [1, pairs.length],
      ),
      flat(
        pairs.map(([, y]) => y),
        [pairs.length, 1],
      ),
    ],
    ([a, b]) => present(a, "a row").matmul(present(b, "a column")),
  );

const { NaN: NAR } = Number;

/** Where engines for posits go wrong: ties, thresholds that are no means, both ends, NaR, and quires. */
const cases: readonly Case[] = [
  // 17/16 and 19/16 lie on thresholds of posit8; 9 · 2¹⁶ between a threshold and a mean; the rest beyond both ends.
  binary(
    (x, y) => x.multiply(y),
    [
      [1.0625, 1],
      [1.125, 1.5],
      [1.375, 1.5],
      [1.625, 1.25],
      [2 ** 16, 9],
      [2 ** 18, 2 ** 18],
      [2 ** -18, 2 ** -18],
      [2 ** -18, 9],
      [2 ** 10, 3 * 2 ** 6],
      [1.25, 1.25],
      [NAR, 0],
      [0, NAR],
    ],
  ),
  binary(
    (x, y) => x.add(y),
    [
      [1, 0.0625],
      [1.125, 0.0625],
      [2, 0.125],
      [2 ** 18, 2 ** 17],
      [2 ** 16, 2 ** 10],
      [3, 1 / 64],
      [-1, -0.0625],
      [NAR, 1],
      [1, NAR],
    ],
  ),
  binary(
    (x, y) => x.divide(y),
    [
      [1, 0],
      [3, 0],
      [1, 3],
      [9, 7],
      [5, 3],
      [13, 11],
      [7, 6],
      [1.75, 3],
    ],
  ),
  unary((x) => x.sqrt(), [-4, -1, 2, 3, 3.75, 15, 2 ** 16]),
  unary((x) => x.negative(), [NAR, 1, 0]),
  unary((x) => x.floor(), [-1.5, -0.25, 1.75]),
  // A tie and something far below it; a term that is far below the sum it is added to, which then goes; 2 maxPos².
  inner([
    [1, 1],
    [0.0625, 1],
    [2 ** -20, 1],
  ]),
  inner([
    [4096, 1],
    [2 ** -20, 1],
    [-4096, 1],
  ]),
  inner([
    [1 + 2 ** -11, 1 + 2 ** -11],
    [-1, 1],
    [-(2 ** -10), 1],
  ]),
  inner([[2 ** -30, 2 ** -30]]),
  inner([
    [2 ** 24, 2 ** 24],
    [2 ** 24, 2 ** 24],
  ]),
  inner([
    [1, 2],
    [NAR, 1],
  ]),
  inner([
    [3, -5],
    [1, 2],
  ]),
];

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

describe.each(sums)("the posits' engine with %s sums", (how) => {
  const engine = judgedPosits(how);

  test.each(
    engine.describe().dtypes,
  )("is right in %s, in the cases for it and in random ones", async (dtype) => {
    const found = [
      ...(await verdicts(engine, dtype, cases)),
      ...(await verdicts(engine, dtype, random(engine, 25))),
    ];
    expect(found.filter((kind) => kind !== "agrees" && kind !== "undecided")).toEqual([]);
    expect(found.filter((kind) => kind === "agrees").length).toBeGreaterThan(15);
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
      value: [flat([2, root, NAR, 2 ** 28])],
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

/** What is planted in quires, for an engine that adds in one. */
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
  const dtype = engine.width === 8 ? "posit8" : "posit16";
  const how = inQuires.has(name) ? "quire" : "rounded";
  return [judgedPosits(how, { [dtype]: engine }, `mutant: ${name}`), dtype];
}

describe("an engine for posits that has a fault", () => {
  test.each(positMutants)("is accused in a case for posits: $name", async (planted) => {
    expect(await verdicts(...mutant(planted), cases)).toContain("disagrees");
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
