import { describe, expect, test } from "vitest";
import { type CCompiler, cScalarEngine } from "../engines/compile/c_engine.ts";
import { wasmEngine, wasmScalarEngine } from "../engines/compile/wasm_engine.ts";
import {
  type Engine,
  interpreterEngine,
  javascriptEngine,
  javascriptScalarEngine,
  type Regime,
  type Reply,
} from "../engines/index.ts";
import type { DataType, FlatTensor } from "../spec/index.ts";
import { sampled } from "../spec/sampled.test.kit.ts";
import { agreeToTheBit } from "./bits.test.kit.ts";
import { compiler, engineInC } from "./in_c.test.kit.ts";
import { type Case, type CaseProfile, campaignOn, caseAt, drawnAt, profiles } from "./index.ts";

const dtypes = ["float64", "float32"] as const;
const scalars = ["scalar20", "chain"];
const seed = 20261121;

/** Makes an engine, which may compile what these cases need beforehand. */
type Make = (regime: Regime, questions: readonly Case[], dtype: DataType) => Engine | Promise<Engine>;

interface Row {
  readonly name: string;
  readonly engineOf: Make;
  readonly only: readonly string[];
  /** At most so many cases are asked, and so many kinds of graph in `npm test`. */
  readonly most: number;
  readonly kinds: number;
}

/** A compiler takes its time, so that fewer kinds and cases are asked. */
const inC = (by: CCompiler): readonly Row[] => [
  {
    name: "c",
    engineOf: (regime, questions, dtype) => engineInC(questions, dtype, { regime, by }),
    only: [],
    most: 6,
    kinds: 2,
  },
  {
    name: "c, scalars by runs",
    engineOf: (regime) => cScalarEngine(by, regime),
    only: scalars,
    most: 2,
    kinds: 2,
  },
];
const usual = { most: 12, kinds: 4 };
const engines: readonly Row[] = [
  { ...usual, name: "javascript", engineOf: javascriptEngine, only: [] },
  { ...usual, name: "wasm", engineOf: wasmEngine, only: [] },
  {
    ...usual,
    name: "javascript, scalars by runs",
    engineOf: (regime) => javascriptScalarEngine(regime),
    only: scalars,
  },
  { ...usual, name: "wasm, scalars by runs", engineOf: (regime) => wasmScalarEngine(regime), only: scalars },
  {
    ...usual,
    name: "javascript, scalars by steps",
    engineOf: (regime) => javascriptScalarEngine(regime, Number.POSITIVE_INFINITY),
    only: scalars,
  },
  ...(compiler === undefined ? [] : inC(compiler)),
];

/** Collects the cases of a profile whose answers differ from the interpreter's in some bit; NaNs are one. */
async function differing(
  engine: Engine,
  profile: CaseProfile,
  dtype: DataType,
  cases: number,
): Promise<number[]> {
  const interpreter = interpreterEngine();
  const indices: number[] = [];
  for (let index = 0; index < cases; index++) {
    const question = caseAt(profile, seed, index);
    if (!(await agreeToTheBit(engine, interpreter, question, dtype))) indices.push(index);
  }
  return indices;
}

/** A chain has as many nodes as forty other graphs, a long axis more elements, so fewer cases are asked. */
function casesOf({ name, isChain }: CaseProfile): number {
  if (isChain) return 4;
  return ["long", "windows", "corners", "pair", "network"].includes(name) ? 6 : 12;
}

/** Returns every kind of graph, or the kinds whose values are all scalars; a few of them in `npm test`. */
function kinds(question: string, names: readonly string[], count: number) {
  const all = [...profiles]
    .filter(([name]) => names.length === 0 || names.includes(name))
    .flatMap(([name, profile]) => dtypes.map((dtype) => ({ name, profile, dtype })));
  return sampled(question, all, count);
}

describe.each(engines)("$name", ({ name: engine, engineOf, only, most, kinds: count }) => {
  test.each(
    kinds(`bits of ${engine}`, only, count),
  )("is the interpreter to the bit in its bit-exact regime, on $name graphs in $dtype", async ({
    profile,
    dtype,
  }) => {
    const cases = Math.min(casesOf(profile), most);
    const questions = Array.from({ length: cases }, (_, index) => caseAt(profile, seed, index));
    expect(await differing(await engineOf("bit_exact", questions, dtype), profile, dtype, cases)).toEqual([]);
  });

  test.each(
    kinds(`truth of ${engine}`, only, count),
  )("agrees with the truth where it may rewrite as it likes, on $name graphs in $dtype", async ({
    profile,
    dtype,
  }) => {
    // The first two chains are undecided in float32, whoever is asked.
    const cases = Math.min(casesOf(profile), profile.isChain ? 4 : most);
    const options = { profile, seed, cases, dtype, lawsEvery: 5 };
    const counts = new Map<string, number>();
    const description = (await engineOf("fast", [], dtype)).describe();
    const questions = Array.from({ length: cases }, (_, index) =>
      drawnAt(profile, description.operators, seed, index, description),
    );
    for await (const { index, verdict } of campaignOn(await engineOf("fast", questions, dtype), options)) {
      expect([index, verdict.kind]).not.toEqual([
        index,
        expect.stringMatching(/disagrees|crashed|unsupported/),
      ]);
      counts.set(verdict.kind, (counts.get(verdict.kind) ?? 0) + 1);
    }
    // In float32 roundings add up in every deep chain, until no bound tells anything.
    const least = profile.name === "deep" ? (dtype === "float64" ? 1 : 0) : cases / 2;
    expect(counts.get("agrees") ?? 0).toBeGreaterThanOrEqual(least);
  });
});

test.skipIf(compiler !== undefined)(
  "there is no C compiler here, so that the engine in C is not asked",
  () => {
    expect(compiler).toBeUndefined();
  },
);

test("an engine that loses the sign of zeros is not the interpreter to the bit", async () => {
  const unsigned = await differing(
    withoutSignedZeros(javascriptEngine("bit_exact")),
    profiled("tensor"),
    "float64",
    40,
  );
  expect(unsigned).not.toEqual([]);
});

function profiled(name: string): CaseProfile {
  const profile = profiles.get(name);
  if (profile === undefined) throw new Error(name);
  return profile;
}

/** Turns every −0 that the engine answers into +0. */
function withoutSignedZeros(engine: Engine): Engine {
  const cleared = (reply: Reply<readonly FlatTensor[]>): Reply<readonly FlatTensor[]> =>
    reply.kind === "result"
      ? {
          kind: "result",
          value: reply.value.map(({ shape, data }) => ({ shape, data: data.map((x) => x + 0) })),
        }
      : reply;
  return {
    ...engine,
    load: async (graph, dtype) => {
      const loaded = await engine.load(graph, dtype);
      if (loaded.kind !== "result") return loaded;
      const { value } = loaded;
      return {
        kind: "result",
        value: {
          ...value,
          evaluate: async (point) => cleared(await value.evaluate(point)),
          vjp: async (point, seeds) => cleared(await value.vjp(point, seeds)),
        },
      };
    },
  };
}
