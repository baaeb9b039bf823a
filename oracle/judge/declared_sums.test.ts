import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import { wasmEngine } from "../../engines/compile/wasm_engine.ts";
import {
  type Accumulation,
  type DataType,
  type Description,
  type Engine,
  interpreterEngine,
  javascriptEngine,
} from "../../engines/index.ts";
import { interpret } from "../../reference/index.ts";
import { floats } from "../../reference/package.ts";
import { definitionOrder } from "../../spec/contract/index.ts";
import { type FlatTensor, formats, type PrimitiveName, primitiveNames } from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import type { Case } from "../case/case.ts";
import { type CaseProfile, caseAt, drawnAt, longProfile, mix, tensorProfile } from "../generate/index.ts";
import { longSums } from "../generate/long_sums.ts";
import { addingUp, shuffled } from "../truth/standard/accumulation.test.kit.ts";
import { accumulating } from "../truth/standard/index.ts";
import { algebraEngine } from "./algebra_engine.test.kit.ts";
import { campaignOn } from "./campaign.ts";
import { judge } from "./judge.ts";

const adding: readonly PrimitiveName[] = [
  "sum",
  "broadcast_to",
  "take",
  "take_along_axis",
  "gather",
  "scatter_add",
  "cumulative_sum",
];

/** These draw sums of few numbers, matrix products among them, and sums of a thousand. */
const profiles: readonly (readonly [CaseProfile, number])[] = [
  [{ ...tensorProfile, operators: [...adding, "matmul", "multiply"] }, 60],
  [{ ...longProfile, operators: [...adding, "multiply"] }, 5],
];

/** Gives a case numbers of all the precision's digits, since drawn ones have few and exact sums. */
function withDigits(question: Case, dtype: DataType, random: Random): Case {
  const full = ({ shape, data }: FlatTensor): FlatTensor => ({
    shape,
    data: data.map(() => formats[dtype].round(2 * random.nextDouble() - 1)),
  });
  return {
    ...question,
    point: { ...question.point, inputs: question.point.inputs.map(full) },
    tangents: question.tangents.map(full),
    seeds: question.seeds.map(({ id, cotangent }) => ({ id, cotangent: full(cotangent) })),
  };
}

/** Counts the cases in which an engine agrees, and the others. */
async function verdicts(engine: Engine, dtype: DataType): Promise<Record<"agrees" | "others", number>> {
  const random = new Random(xoroshiro128plus(41));
  const counts = { agrees: 0, others: 0 };
  for (const [profile, cases] of profiles) {
    for (let index = 0; index < cases; index++) {
      const question = withDigits(caseAt(profile, 8, index), dtype, random);
      const { kind } = await judge(engine, question, { dtype, laws: [], shrinkBudget: 0 });
      counts[kind === "agrees" ? "agrees" : "others"] += 1;
    }
  }
  return counts;
}

/** Lets an engine declare that it adds in this way wherever it adds. */
function declaring(engine: Engine, how: Accumulation): Engine {
  return {
    describe: () => ({
      ...engine.describe(),
      accumulation: Object.fromEntries(primitiveNames.map((name) => [name, how])),
    }),
    load: (graph, dtype) => engine.load(graph, dtype),
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

/** Makes an engine that adds up in this order, in its precision or a wider one. */
function summingEngine(ordered: (terms: readonly number[]) => readonly number[], width?: "float64"): Engine {
  const { accumulation: _, slopes: __, ...description } = interpreterEngine().describe();
  return algebraEngine<number>(description, (program, dtype) => {
    const { round } = formats[dtype];
    const { round: rounded } = formats[width ?? dtype];
    const algebra = floats[dtype];
    const meaning = interpret(program.graph, algebra);
    if (!meaning.ok) throw new Error("floats offer everything");
    const question = { ...program, point: { inputs: [], environment: new Map() }, tangents: [], seeds: [] };
    const graph = addingUp(question, meaning.value, accumulating, {
      multiply: (x, y) => rounded(x * y),
      add: (terms) => round(ordered(terms).reduce((x, y) => rounded(x + y), 0)),
      meet: (x, y) => round(x + y),
      isApart: () => false,
    });
    return { additive: algebra.additive, graph, lift: round, lower: (x) => x };
  });
}

describe("what our engines declare of their sums", () => {
  const engines = [interpreterEngine(), javascriptEngine("bit_exact"), wasmEngine("bit_exact")];

  test.each(
    sampled("sums", engines, 1).map((engine) => ({ name: engine.describe().name, engine })),
  )("is true of $name", async ({ engine }) => {
    expect(engine.describe().accumulation).toMatchObject({ sum: { order: "sequential" } });
    for (const dtype of ["float64", "float32"] as const)
      expect(await verdicts(engine, dtype)).toEqual({ agrees: 65, others: 0 });
  });

  /** Lists the first cases of the mix, of 500, that are drawn for what is declared of sums. */
  const drawn = Array.from({ length: 25 }, (_, turn) => 20 * turn + 11);

  /** Lists the kinds of verdict on these cases. */
  async function kindsOf(engine: Engine, dtype: DataType): Promise<Set<string>> {
    const kinds = new Set<string>();
    const asked = { profile: mix, seed: 3, cases: 500, indexes: drawn, dtype, lawsEvery: 0 };
    for await (const { verdict } of campaignOn(engine, asked)) {
      kinds.add(verdict.kind);
      if (verdict.kind === "disagrees") break;
    }
    return kinds;
  }

  /** Lets an engine declare so much of its sums, and no more. */
  function saying(engine: Engine, accumulation: NonNullable<Description["accumulation"]>): Engine {
    const description = { ...engine.describe(), accumulation };
    return { ...engine, describe: () => description };
  }

  const adders = [...adding, "matmul"] as const;

  test.each(
    sampled("false widths", adders, 3),
  )("is told within 500 cases where it is a width that %s has not, of this operator alone", async (op) => {
    const { accumulation: _, ...plain } = interpreterEngine().describe();
    const engine = { ...interpreterEngine(), describe: () => plain };
    expect(await kindsOf(saying(engine, { [op]: { width: "exact" } }), "float64")).toContain("disagrees");
    expect(await kindsOf(saying(engine, { [op]: { width: "float64" } }), "float32")).toContain("disagrees");
    expect(await kindsOf(saying(engine, { [op]: {} }), "float64")).toEqual(new Set(["agrees"]));
  });

  /** Tells whether an engine that declares a width of a composite alone is seen to disagree in 500 cases. */
  async function isTold(engine: Engine, op: string, dtype: DataType): Promise<boolean> {
    const width = dtype === "float64" ? "exact" : "float64";
    const { operators, ...description } = engine.describe();
    const accumulation = { [op]: { width } } as const;
    const declared = { ...engine, describe: () => ({ ...description, operators, accumulation }) };
    for (const index of drawn) {
      const question = drawnAt(mix, operators, 3, index, { accumulation });
      const { kind } = await judge(declared, question, { dtype, laws: [], shrinkBudget: 0 });
      if (kind === "disagrees") return true;
    }
    return false;
  }

  test.each(
    sampled("widths of composites", [...longSums.keys()], 2),
  )("is told where it is a width that %s has not, a composite, and believed where it is true", async (op) => {
    for (const dtype of ["float64", "float32"] as const)
      expect(await isTold(interpreterEngine(), op, dtype), dtype).toBe(true);
    expect(
      await isTold(
        summingEngine((terms) => terms, "float64"),
        op,
        "float32",
      ),
    ).toBe(false);
  });

  test("is told where it is an order that an engine has not, though its sums are no worse", async () => {
    const random = new Random(xoroshiro128plus(7));
    const engines = [
      summingEngine((terms) => shuffled(terms, random)),
      summingEngine((terms) => terms.toSorted((x, y) => Math.abs(x) - Math.abs(y))),
      summingEngine((terms) => terms.toReversed()),
    ];
    for (const engine of engines) {
      expect(await kindsOf(saying(engine, definitionOrder), "float64")).toContain("disagrees");
      const any = Object.fromEntries(adders.map((op) => [op, { order: "any" } as const]));
      expect(await kindsOf(saying(engine, any), "float64")).toEqual(new Set(["agrees"]));
    }
  });

  test("is believed where it is true", async () => {
    const inOrder = summingEngine((terms) => terms);
    expect(await kindsOf(saying(inOrder, definitionOrder), "float32")).toEqual(new Set(["agrees"]));
    const wide = summingEngine((terms) => terms, "float64");
    const declared = Object.fromEntries(adders.map((op) => [op, { width: "float64" } as const]));
    expect(await kindsOf(saying(wide, declared), "float32")).toEqual(new Set(["agrees"]));
  });

  test("would be seen to be false of an engine that adds up in its precision", async () => {
    const narrow = await verdicts(declaring(interpreterEngine(), { width: "float64" }), "float32");
    expect(narrow.others).toBeGreaterThan(20);
  });
});
