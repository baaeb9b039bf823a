import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { caseAt, mix, profileIn } from "../../oracle/index.ts";
import { encodeCase, graph, validateLifetimes } from "../../spec/index.ts";
import { exampleOf } from "../../spec/text/example.test.kit.ts";
import { adjudge } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-lifetimes-"));
afterAll(() => rm(folder, { recursive: true }));

async function written(name: string, document: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(document));
  return path;
}

const product = await written(
  "product.json",
  graph(({ input }) => {
    const [x] = [input("x", [4]), input("unused", [2])];
    x.sin().multiply(x);
  }),
);

const chainOf = (length: number): Promise<string> =>
  written(
    `chain${length}.json`,
    graph(({ input }) => {
      let x = input("x");
      for (let i = 0; i < length; i++) x = x.sin();
    }),
  );

const taking = await written(
  "taking.json",
  graph(({ input, indices }) => {
    input("x", [3])
      .take({ axis: 0, indices: indices("k", [2]) })
      .abs();
  }),
);

describe("adjudge lifetimes", () => {
  test("prints values with their intervals and reasons, a chart, and what plans take", async () => {
    const { code, out } = await adjudge("lifetimes", product);
    expect(code).toBe(exitCodes.agrees);
    expect(out.split("\n")).toEqual([
      "5 steps: 2 forward, the turn, 2 in reverse.",
      "Inputs and Δ are the caller's, and not counted.",
      "",
      "value           elements  bytes  place  forward  reverse  kept for",
      "2 sin                  4     32      0  0–1      to 3     rule of 3",
      "3 multiply             4     32      4  1–1      to 4     result",
      "cotangent of 3         4     32      8           2–3",
      "cotangent of 2         4     32     12           3–4",
      "cotangent of 0         4     32     16           3–4      wanted",
      "",
      "                ff|rr",
      "2 sin           ==##.",
      "3 multiply      .=###",
      "cotangent of 3  ..##.",
      "cotangent of 2  ...##",
      "cotangent of 0  ...##",
      "",
      "nothing reused          20 elements       160 bytes",
      "lower bound             20 elements       160 bytes  at step 3",
      "best fit in time        20 elements       160 bytes  places above",
      "best fit by size        20 elements       160 bytes",
      "optimum                 20 elements       160 bytes",
    ]);
  });

  test.each([
    ["float32", "2 sin                  4     16 "],
    ["float16", "2 sin                  4      8 "],
    ["bfloat16", "2 sin                  4      8 "],
  ])("counts the bytes of %s", async (dtype, line) => {
    expect((await adjudge("lifetimes", product, "--dtype", dtype)).out).toContain(line);
  });

  test("takes what --of and --wrt name, and keeps for no other cotangent", async () => {
    const { out } = await adjudge("lifetimes", product, "--of", "2", "--wrt", "unused", "0");
    expect(out).toContain("2 sin                  4     32      0  0–1      to 3     result");
    expect(out).toContain("3 multiply             4     32      4  1–1\n");
    expect(out).not.toContain("cotangent of 1");
  });

  test("--count-given counts inputs and Δ", async () => {
    const { out } = await adjudge("lifetimes", taking, "--count-given");
    expect(out).toContain("Inputs and Δ are counted.");
    expect(out).toMatch(/^Δ k +2 +16 +\d+ {2}0–0 {6}to \d+ +rule of 1$/m);
    expect(out).toMatch(/^0 input x +3 +24 +\d+ {2}0–0$/m);
  });

  test("writes composites out, says so, and finds the ids that are asked for in what comes out", async () => {
    const { out, notes } = await adjudge("lifetimes", taking, "--of", "2", "--wrt", "1");
    expect(notes).toBe("Composites are written out: ids are those of adjudge show --expand.");
    const shown = await adjudge("show", "--expand", taking);
    const [, last = ""] = /%(\d+): /.exec(shown.out.split("\n").at(-1) ?? "") ?? [];
    expect(out).toMatch(new RegExp(`^${last} \\S+ .* result$`, "m"));
    expect(out).toMatch(/^cotangent of 1 .* wanted$/m);
  });

  test("takes a program case for its run, and the results that it gives cotangents for", async () => {
    const example = fileURLToPath(new URL("../../docs/examples/square_in_place.adj", import.meta.url));
    const { code, out } = await adjudge("lifetimes", example);
    expect(code).toBe(exitCodes.agrees);
    expect(out).toMatch(/^3 add .* result$/m);
    const recorded = await adjudge("record", example, "--json");
    expect((await adjudge("lifetimes", await written("run.json", JSON.parse(recorded.out)))).out).toBe(out);
    const { json } = exampleOf("square_in_place");
    const alone = "program" in json ? json.program : undefined;
    const refused = await adjudge("lifetimes", await written("alone.json", alone));
    expect(refused.code).toBe(exitCodes.badInput);
    expect(refused.notes).toContain("program/case");
  });

  test("--json has all of it", async () => {
    const { code, out } = await adjudge("lifetimes", product, "--json", "--plan", "optimum");
    expect(code).toBe(exitCodes.agrees);
    const whole: unknown = JSON.parse(out);
    expect(whole).toMatchObject({
      format: "adjudge.lifetimes.v1",
      dtype: "float64",
      of: [3],
      wrt: [0, 1],
      turn: 2,
      steps: [{ kind: "forward", id: 2 }, { kind: "forward", id: 3 }, { kind: "turn" }, { id: 3 }, { id: 2 }],
      lowerBound: { elements: 20, bytes: 160, step: 3 },
      plan: "optimum",
      peaks: { "best-fit": { elements: 20, isProved: true }, optimum: { bytes: 160, isProved: true } },
    });
    expect(validateLifetimes(whole)).toMatchObject({ ok: true });
    expect(whole).toHaveProperty("values.0", {
      ...{ kind: "primal", id: 2, born: 0, last: 3, lastForward: 1, neededBy: [3], isResult: false },
      ...{ says: "2 sin", elements: 4, bytes: 32, place: expect.any(Number) },
    });
  });

  test("keeps its lines within 80 columns, whatever the graph", async () => {
    for (let index = 0; index < 20; index++) {
      const { graph: drawn } = encodeCase(caseAt(profileIn(mix, index), 3, index));
      const { code, out } = await adjudge("lifetimes", await written(`drawn${index}.json`, drawn));
      expect(code).toBe(exitCodes.agrees);
      expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
    }
  });

  test("shows the first of many values, and joins the steps of many in a column", async () => {
    const { out } = await adjudge("lifetimes", await chainOf(1000));
    expect(out).toContain("… and 1601 more, which --json has");
    expect(out).toMatch(/each column is \d+ steps/);
    expect(out.split("\n").length).toBeLessThan(830);
    expect(out).not.toContain("optimum");
  });

  test.each([
    [["--wrt", "X"], "lifetimes/name at /wrt/0", 'did you mean "x"?'],
    [["--wrt", "0", "9"], "lifetimes/id at /wrt/1", "ids count the inputs first"],
    [["--of", "99999999999999999999"], "lifetimes/id at /of/0", "ids count the inputs first"],
    [["--plan", "first-fit"], "--plan", "best-fit, size, optimum"],
    [["--dtype", "float8"], "--dtype", "float64, float32"],
  ])("refuses %j with a place and a hint", async (flags, what, hint) => {
    const { code, out, notes } = await adjudge("lifetimes", product, ...flags);
    expect(code).toBe(exitCodes.badInput);
    expect(out).toBe("");
    expect(notes).toContain(what);
    expect(notes).toContain(hint);
  });

  test("refuses plans that would take too long, graphs of nothing, and what is no graph", async () => {
    const nothing = await written(
      "nothing.json",
      graph(() => {}),
    );
    const refused = [
      [await chainOf(30), "--plan", "optimum"],
      [await chainOf(10_000), "--plan", "size"],
      [nothing],
      [await written("number.json", 3)],
      [join(folder, "missing.json")],
    ];
    const codes = await Promise.all(
      refused.map(async ([file = "", ...flags]) => {
        const { code, notes } = await adjudge("lifetimes", file, ...flags);
        expect(code).toBe(exitCodes.badInput);
        return /[a-z]+\/[a-z-]+/.exec(notes)?.[0];
      }),
    );
    expect(codes).toEqual([
      "lifetimes/too-many",
      "lifetimes/too-many",
      "lifetimes/id",
      "schema/type",
      "file/unreadable",
    ]);
  });
});

describe("adjudge lifetimes --stored", () => {
  const program = join(fileURLToPath(new URL("../../docs/examples", import.meta.url)), "kept_gradient.adj");

  test("tells what outlives its sweep in a type to compute with", async () => {
    const { code, out } = await adjudge("lifetimes", program, "--stored", "g=sym_int32:16", "--json");
    expect(code).toBe(exitCodes.disagrees);
    expect(JSON.parse(out).locations[1]).toEqual({
      name: "g",
      type: "sym_int32:16",
      isCarried: true,
      written: "/procedures/0/body/3",
      read: "/procedures/0/body/1",
      isBroken: true,
    });
  });

  test.each([
    ["g=bfp8e5", "✓ g: bfp8e5; written"],
    ["dx=asym8", "✓ dx: asym8; overwritten"],
  ])("has nothing against %s", async (word, line) => {
    const { code, out } = await adjudge("lifetimes", program, "--stored", word);
    expect([code, out.includes(line)]).toEqual([exitCodes.agrees, true]);
  });

  test.each([
    ["y=sym8", "program/state"],
    ["x", "program/state"],
    ["x=sym77", "storage/width"],
    ["x=sym", "storage/type"],
    ["x=bfp8e9", "storage/exponent"],
  ])("refuses %s", async (word, issue) => {
    const { code, notes } = await adjudge("lifetimes", program, "--stored", word);
    expect([code, notes.includes(issue)]).toEqual([exitCodes.badInput, true]);
  });

  test("is for programs with a place to run them", async () => {
    const { code, notes } = await adjudge("lifetimes", product, "--stored", "x=sym8");
    expect([code, notes.includes("program/case")]).toEqual([exitCodes.badInput, true]);
  });
});
