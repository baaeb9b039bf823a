import { describe, expect, test } from "vitest";
import { suiteVectors } from "../conformance/index.ts";
import { judgedPosits } from "../conformance/testees/posits.ts";
import { wasmEngine } from "../engines/compile/wasm_engine.ts";
import { type DataType, type Engine, interpreterEngine, javascriptEngine } from "../engines/index.ts";
import { compiler, engineInC } from "../oracle/in_c.test.kit.ts";
import { judge } from "../oracle/index.ts";
import { checkVector, positTypes } from "../spec/index.ts";
import { sampled } from "../spec/sampled.test.kit.ts";

const vectors = [...suiteVectors()].map(([name, json]) => {
  const checked = checkVector(json);
  if (!checked.ok) throw new Error(`${name}: ${JSON.stringify(checked.error)}`);
  return { name, vector: checked.value };
});

const isPosit = (dtype: DataType): boolean => positTypes.some((name) => name === dtype);
const floats = vectors.filter(({ vector: { dtype } }) => !isPosit(dtype));

test("the suite has vectors, most of them of floats", () => {
  expect(vectors.length).toBeGreaterThan(800);
  expect(floats.length).toBeGreaterThan(700);
});

describe("a vector is decided for a right engine, which agrees:", () => {
  /** The sets of a vector hold in every precision: of a narrower float that nobody here has, in float32. */
  const dtypeFor = (dtype: DataType): DataType => (isPosit(dtype) || dtype === "float64" ? dtype : "float32");

  /** A product overflows within these, where what is expected at the end is decided. */
  const openWithin: readonly string[] = ["specials/rows_3"];

  test.each(sampled("vectors", vectors, 40))("$name", async ({ name, vector }) => {
    const { dtype, flags } = vector;
    const engine = isPosit(dtype) ? judgedPosits("quire") : interpreterEngine();
    const verdict = await judge(engine, vector.case, { dtype: dtypeFor(dtype) });
    // Beyond the ends of posits derivatives have no bound; the tests of posits check that values are decided.
    const isFlagged = flags.includes("undecided") || flags.includes("singular");
    const isOpen = isFlagged || isPosit(dtype) || openWithin.includes(name);
    expect(isOpen ? ["agrees", "undecided"] : ["agrees"]).toContain(verdict.kind);
  });
});

/** Lists the vectors whose verdicts are against an engine, and how many are for it. */
async function judged(engine: Engine, asked: typeof vectors, dtype: DataType) {
  const against: string[] = [];
  let agreeing = 0;
  for (const { name, vector } of asked) {
    const { kind } = await judge(engine, vector.case, { dtype, shrinkBudget: 0 });
    if (kind === "agrees") agreeing += 1;
    else if (kind !== "undecided") against.push(`${name} ${kind}`);
  }
  return { against, agreeing };
}

const engines = [
  { engine: "javascript", make: async () => javascriptEngine(), isThere: true },
  { engine: "wasm", make: async () => wasmEngine(), isThere: true },
  {
    engine: "c",
    make: (asked: typeof vectors, dtype: DataType) =>
      engineInC(
        asked.map(({ vector }) => vector.case),
        dtype,
      ),
    isThere: compiler !== undefined,
  },
];

describe.each(engines.filter(({ isThere }) => isThere))("no vector is told against the $engine engine", ({
  engine,
  make,
}) => {
  test.each(sampled(`vectors of ${engine}`, ["float64", "float32"] as const, 1))("in %s", async (dtype) => {
    const asked = sampled(`vectors of ${engine} in ${dtype}`, floats, 16);
    const { against, agreeing } = await judged(await make([...asked], dtype), [...asked], dtype);
    expect(against).toEqual([]);
    expect(agreeing).toBeGreaterThan(asked.length / 2);
  });
});

test.skipIf(compiler === undefined)("vectors are told against C whose loops lack a round", async () => {
  const asked = sampled("vectors of wrong loops", floats, 12);
  const fault = { text: (right: string): string => right.replaceAll(/(i0 < \d+);/g, "$1 - 1;") };
  const cases = asked.map(({ vector }) => vector.case);
  const engine = await engineInC(cases, "float64", { fault });
  expect((await judged(engine, [...asked], "float64")).against).not.toEqual([]);
});
