import { describe, expect, test } from "vitest";
import { type Case, campaignOn, drawings, judge, type Verdict } from "../../oracle/index.ts";
import { tapeMutants } from "../../reference/package.ts";
import { graph, isCoarse, nodeId, present } from "../../spec/index.ts";
import { chooseEngine, everyEngine } from "./choice.ts";
import { type FloatTape, floatTapes, tapeEngine } from "./tapes.ts";

const mix = present(drawings.get("mix"), "a drawing");

/** Returns the verdicts on random cases, until one is harmful or so many are asked. */
async function verdictsOn(
  tape: FloatTape,
  dtype: "float64" | "float32",
  cases: number,
): Promise<readonly Verdict["kind"][]> {
  const verdicts: Verdict["kind"][] = [];
  const asked = { profile: mix, seed: 18, cases, dtype, lawsEvery: 0 };
  for await (const { verdict } of campaignOn(tapeEngine(tape), asked)) {
    verdicts.push(verdict.kind);
    if (verdict.kind === "disagrees" || verdict.kind === "crashed") break;
  }
  return verdicts;
}

const flat = (...data: number[]): { readonly shape: readonly number[]; readonly data: Float64Array } => ({
  shape: [],
  data: Float64Array.from(data),
});

describe("a tape as an engine", () => {
  test.each(floatTapes)("agrees with the truth in both precisions: $name", async (tape) => {
    for (const dtype of ["float64", "float32"] as const) {
      const verdicts = await verdictsOn(tape, dtype, 12);
      expect(verdicts).toHaveLength(12);
      expect(verdicts.filter((kind) => kind !== "agrees" && kind !== "undecided")).toEqual([]);
      // What 4 bits keep proves nothing where it moves a cotangent.
      const least = tape.saved !== undefined && isCoarse(tape.saved) ? 4 : 8;
      expect(verdicts.filter((kind) => kind === "agrees").length).toBeGreaterThanOrEqual(least);
    }
  });

  const plain = ["slot-overwritten", "first-to-last", "buffer-reused", "second-sweep-stale", "one-short"];
  test.each(
    tapeMutants.filter(({ name }) => plain.some((fault) => name.endsWith(fault))),
  )("random cases expose that $name $says", async (mutant) => {
    expect(["disagrees", "crashed"]).toContain((await verdictsOn(mutant, "float64", 200)).at(-1));
  });

  test.each([
    ["bfloat16", "float16"],
    ["float16", "float32"],
    ["float32", undefined],
    ["posit16", "posit32"],
    ["posit8", "float16"],
    ["sym16", "float32"],
    ["sym8", "sym16"],
    ["sym4", "sym8"],
    ["asym8", "asym16"],
  ] as const)("is told where it keeps values in %s and declares %s", async (format, declared) => {
    const { system } = present(
      floatTapes.find(({ saved }) => saved === format),
      "a tape that rounds",
    );
    const tape = {
      name: "declares too much",
      system,
      ...(declared === undefined ? {} : { saved: declared }),
    };
    expect((await verdictsOn(tape, "float64", 100)).at(-1)).toBe("disagrees");
  });

  test("is not accused of a value that overflows its format", async () => {
    const root = graph(({ input }) => input("x", []).sqrt());
    const at = (x: number): Case => ({
      graph: root,
      point: { inputs: [flat(x)], environment: new Map() },
      tangents: [flat(1)],
      seeds: [{ id: nodeId(1), cotangent: flat(3) }],
    });
    const narrow = present(
      floatTapes.find(({ saved }) => saved === "float16"),
      "a tape that rounds",
    );
    const verdict = async (x: number): Promise<string> =>
      (await judge(tapeEngine(narrow), at(x), { dtype: "float64" })).kind;
    // 2⁴⁰ is kept as an infinity, though it has one digit.
    expect([await verdict(3), await verdict(2 ** 40)]).toEqual(["agrees", "undecided"]);
  });

  test.each([
    ["float32", 2 ** -149],
    ["float64", 2 ** -1074],
  ] as const)("has no NaN of x to the power 0 in %s where 1/x is too large a number", async (dtype, x) => {
    const power = graph(({ input }) => input("x").pow(input("y")));
    for (const tape of floatTapes) {
      const loaded = await tapeEngine(tape).load(power, dtype);
      if (loaded.kind !== "result") return expect.unreachable(tape.name);
      const point = { inputs: [flat(x), flat(0)], environment: new Map() };
      const reply = await loaded.value.vjp(point, [{ id: nodeId(2), cotangent: flat(3) }]);
      expect([tape.name, reply.kind === "result" && reply.value[0]?.data[0]]).toEqual([tape.name, 0]);
    }
  });

  test("declares the format in which it keeps values", () => {
    const said = floatTapes.map((tape) => [tape.name, tapeEngine(tape).describe().saved]);
    expect(said.filter(([, saved]) => saved !== undefined)).toEqual([
      ["compressed-float32", "float32"],
      ["compressed-float16", "float16"],
      ["compressed-bfloat16", "bfloat16"],
      ["compressed-posit32", "posit32"],
      ["compressed-posit16", "posit16"],
      ["compressed-posit8", "posit8"],
      ["compressed-sym16", "sym16"],
      ["compressed-sym8", "sym8"],
      ["compressed-sym4", "sym4"],
      ["compressed-asym8", "asym8"],
    ]);
  });

  test("answers a second question at a point with a second sweep, and another point with another tape", async () => {
    const square = graph(({ input }) => {
      const x = input("x", []);
      return x.multiply(x);
    });
    for (const tape of floatTapes) {
      const engine = tapeEngine(tape);
      const loaded = await engine.load(square, "float64");
      if (loaded.kind !== "result") return expect.unreachable(tape.name);
      const asked = async (x: number, c: number): Promise<unknown> => {
        const point = { inputs: [flat(x)], environment: new Map() };
        const reply = await loaded.value.vjp(point, [{ id: nodeId(1), cotangent: flat(c) }]);
        return reply.kind === "result" ? reply.value[0]?.data[0] : reply;
      };
      expect([await asked(3, 1), await asked(3, 10), await asked(-2, 1), await asked(3, 1)]).toEqual([
        6, 60, -4, 6,
      ]);
      await loaded.value.unload();
    }
  });

  test("declines float16 arithmetic, and refuses a seed at a missing id", async () => {
    const engine = tapeEngine(present(floatTapes[0], "a system"));
    const negative = graph(({ input }) => input("x", []).negative());
    expect((await engine.load(negative, "float16")).kind).toBe("unsupported");
    const loaded = await engine.load(negative, "float64");
    if (loaded.kind !== "result") return expect.unreachable("it loads");
    const point = { inputs: [flat(1)], environment: new Map() };
    expect((await loaded.value.vjp(point, [{ id: nodeId(9), cotangent: flat(1) }])).kind).toBe("error");
  });

  test("is asked by its name alone", () => {
    const every = everyEngine().map(({ label }) => label);
    for (const { name } of floatTapes) {
      expect(chooseEngine(`tape:${name}`)).toMatchObject({ ok: true, value: { label: `tape:${name}` } });
      expect(every).not.toContain(`tape:${name}`);
    }
  });
});
