import { describe, expect, test } from "vitest";
import { cEngine, cScalarEngine, findCompiler } from "../engines/compile/c_engine.ts";
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
import { type CaseProfile, campaignOn, caseAt, profiles } from "./index.ts";

const dtypes = ["float64", "float32"] as const;
const scalars = ["scalar20", "chain"];
const compiler = findCompiler();
/** Every program of the engine in C costs a call of the compiler, so that fewer are asked for. */
const inC =
  compiler === undefined
    ? []
    : [
        { name: "c", engineOf: (regime: Regime) => cEngine(compiler, regime), only: [], most: 2 },
        {
          name: "c, scalars by runs",
          engineOf: (regime: Regime) => cScalarEngine(compiler, regime),
          only: scalars,
          most: 2,
        },
      ];
const engines = [
  { name: "javascript", engineOf: javascriptEngine, only: [], most: 12 },
  { name: "wasm", engineOf: wasmEngine, only: [], most: 12 },
  { name: "javascript, scalars by runs", engineOf: javascriptScalarEngine, only: scalars, most: 12 },
  { name: "wasm, scalars by runs", engineOf: wasmScalarEngine, only: scalars, most: 12 },
  {
    name: "javascript, scalars by steps",
    engineOf: (regime: Regime) => javascriptScalarEngine(regime, Number.POSITIVE_INFINITY),
    only: scalars,
    most: 12,
  },
  ...inC,
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
    const question = caseAt(profile, 20261121, index);
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
function kinds(question: string, names: readonly string[], most: number) {
  const all = [...profiles]
    .filter(([name]) => names.length === 0 || names.includes(name))
    .flatMap(([name, profile]) => dtypes.map((dtype) => ({ name, profile, dtype })));
  return sampled(question, all, most < 12 ? 2 : 4);
}

describe.each(engines)("$name", ({ name: engine, engineOf, only, most }) => {
  test.each(
    kinds(`bits of ${engine}`, only, most),
  )("is the interpreter to the bit in its bit-exact regime, on $name graphs in $dtype", async ({
    profile,
    dtype,
  }) => {
    expect(await differing(engineOf("bit_exact"), profile, dtype, Math.min(casesOf(profile), most))).toEqual(
      [],
    );
  });

  test.each(
    kinds(`truth of ${engine}`, only, most),
  )("agrees with the truth where it may rewrite as it likes, on $name graphs in $dtype", async ({
    profile,
    dtype,
  }) => {
    // The first two chains are undecided in float32, whoever is asked.
    const cases = Math.min(casesOf(profile), profile.isChain ? 4 : most);
    const options = { profile, seed: 20261121, cases, dtype, lawsEvery: 5 };
    const counts = new Map<string, number>();
    for await (const { index, verdict } of campaignOn(engineOf("fast"), options)) {
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
    expect(findCompiler()).toBeUndefined();
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
