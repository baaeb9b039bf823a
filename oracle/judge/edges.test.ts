import { describe, expect, test } from "vitest";
import {
  type Description,
  type Engine,
  interpreterEngine,
  type LoadedGraph,
  type Reply,
} from "../../engines/index.ts";
import { withKernel } from "../../engines/mutants/mutant.ts";
import { unaryForward, unaryVjp } from "../../engines/mutants/rules.ts";
import type { FlatTensor } from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { caseAt, edgesProfile } from "../generate/index.ts";
import { survey } from "./survey.ts";

/** Maps each number of the interpreter's values, and what it declares of zeros. */
function mapping(
  name: string,
  f: (x: number) => number,
  zeros: Description["conventions"]["zeros"] = "unsigned",
): Engine {
  const inner = interpreterEngine(name);
  const description = { ...inner.describe(), conventions: { ...inner.describe().conventions, zeros } };
  const mapped = (reply: Reply<readonly FlatTensor[]>): Reply<readonly FlatTensor[]> =>
    reply.kind === "result"
      ? { kind: "result", value: reply.value.map(({ shape, data }) => ({ shape, data: data.map(f) })) }
      : reply;
  return {
    describe: () => description,
    async load(graph, dtype): Promise<Reply<LoadedGraph>> {
      const loaded = await inner.load(graph, dtype);
      if (loaded.kind !== "result") return loaded;
      const program = loaded.value;
      const evaluate: LoadedGraph["evaluate"] = async (point) => mapped(await program.evaluate(point));
      return { kind: "result", value: { ...program, evaluate } };
    },
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  };
}

const INF = Number.POSITIVE_INFINITY;

const planted: readonly Engine[] = [
  mapping("NaN is 0", (x) => (Number.isNaN(x) ? 0 : x)),
  mapping("an infinity is the largest number", (x) =>
    Math.max(-Number.MAX_VALUE, Math.min(x, Number.MAX_VALUE)),
  ),
  mapping("an infinity loses its sign", (x) => (x === -INF ? INF : x)),
  mapping("subnormal numbers are flushed", (x) => (Math.abs(x) < 2 ** -1022 ? 0 : x)),
  mapping("subnormal numbers are doubled", (x) => (Math.abs(x) < 2 ** -1022 ? 2 * x : x)),
  mapping("−0 is 0", (x) => x + 0, "signed"),
  mapping("0 is −0", (x) => (x === 0 ? -0 : x), "signed"),
  interpreterEngine(
    "relu has a slope of 10⁹ at 0",
    withKernel("relu", { vjp: unaryVjp((c, x) => (0 < x ? c : x === 0 ? 1e9 : 0)) }),
  ),
  interpreterEngine(
    "relu has a slope of NaN at 0",
    withKernel("relu", { vjp: unaryVjp((c, x) => (0 < x ? c : x === 0 ? Number.NaN : 0)) }),
  ),
  interpreterEngine(
    "√ has a slope of 10⁹ at 0",
    withKernel("sqrt", { vjp: unaryVjp((c, x) => (x === 0 ? 1e9 * c : c / (2 * Math.sqrt(x)))) }),
  ),
  interpreterEngine(
    "sin is wrong above 10⁵",
    withKernel("sin", {
      forward: unaryForward((x) => Math.sin(Math.abs(x) > 1e5 ? Math.fround(x % 6.2831853) : x)),
    }),
  ),
  interpreterEngine(
    "exp is 0 below 10⁻³⁰⁰",
    withKernel("exp", { forward: unaryForward((x) => (Math.exp(x) < 1e-300 ? 0 : Math.exp(x))) }),
  ),
];

/** Counts the first cases at the edges that have a number outside. */
async function outside(engine: Engine, cases: number): Promise<number> {
  let found = 0;
  for (let index = 0; index < cases && found < 3; index++) {
    const surveyed = await survey(engine, caseAt(edgesProfile, 7, index), "float64", []);
    if (surveyed.kind === "surveyed" && surveyed.outside.length > 0) found += 1;
  }
  return found;
}

describe("a search at the edges", () => {
  const engines = planted.map((engine) => ({ name: engine.describe().name, engine }));

  test.each(sampled("edges", engines, 4))("finds that $name", async ({ engine }) => {
    expect(await outside(engine, 5000)).toBeGreaterThan(0);
  });

  test.each([
    mapping("−0 is 0", (x) => x + 0),
    mapping("0 is −0", (x) => (x === 0 ? -0 : x)),
  ])("accuses nobody of the signs of zeros that does not declare them", async (engine) => {
    expect(await outside(engine, 400)).toBe(0);
  });

  test.each(
    sampled("nothing", ["float64", "float32"] as const, 1),
  )("accuses the interpreter of nothing in %s", async (dtype) => {
    for (let index = 0; index < 400; index++) {
      const surveyed = await survey(interpreterEngine(), caseAt(edgesProfile, 7, index), dtype, []);
      expect([index, surveyed.kind === "surveyed" ? surveyed.outside : surveyed]).toEqual([index, []]);
    }
  });
});
