import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import { wasmEngine } from "../../engines/compile/wasm_engine.ts";
import {
  type Accumulation,
  type DataType,
  type Engine,
  interpreterEngine,
  javascriptEngine,
} from "../../engines/index.ts";
import { type FlatTensor, formats, type PrimitiveName, primitiveNames } from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import type { Case } from "../case/case.ts";
import { type CaseProfile, caseAt, longProfile, tensorProfile } from "../generate/index.ts";
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

describe("what our engines declare of their sums", () => {
  const engines = [interpreterEngine(), javascriptEngine("bit_exact"), wasmEngine("bit_exact")];

  test.each(
    sampled("sums", engines, 1).map((engine) => ({ name: engine.describe().name, engine })),
  )("is true of $name", async ({ engine }) => {
    expect(engine.describe().accumulation).toMatchObject({ sum: { order: "sequential" } });
    for (const dtype of ["float64", "float32"] as const)
      expect(await verdicts(engine, dtype)).toEqual({ agrees: 65, others: 0 });
  });

  test("would be seen to be false of an engine that adds up in its precision", async () => {
    const narrow = await verdicts(declaring(interpreterEngine(), { width: "float64" }), "float32");
    expect(narrow.others).toBeGreaterThan(20);
  });
});
