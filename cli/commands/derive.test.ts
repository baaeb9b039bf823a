import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { suiteVectors } from "../../conformance/index.ts";
import { checkGraphText, type Graph, graph, nodeId, type Result } from "../../spec/index.ts";
import { readText } from "../../spec/text/index.ts";
import { adjudge } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-derive-"));
afterAll(() => rm(folder, { recursive: true }));

async function written(name: string, document: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(document));
  return path;
}

const cube = await written(
  "cube.json",
  graph(({ input }) => {
    const x = input("x");
    input("unused", [2]);
    x.multiply(x).multiply(x);
  }),
);

describe("adjudge derive", () => {
  test("prints the derived graph, its seeds and its results", async () => {
    const { code, out } = await adjudge("derive", cube, "--mode", "vjp", "--wrt", "x");
    expect(code).toBe(exitCodes.agrees);
    expect(out.split("\n")).toEqual([
      'graph f(x, unused: [2], "cotangent of 3")',
      "  %3: [] = x * x",
      '  %4: [] = "cotangent of 3" * x',
      '  %5: [] = "cotangent of 3" * %3',
      "  %6: [] = %4 * x",
      "  %7: [] = %4 * x",
      "  %8: [] = %6 + %7",
      "  %9: [] = %5 + %8",
      "# seed 2: cotangent of 3",
      "# result 9: cotangent of x",
    ]);
  });

  test("gives zeros where nothing arrives, and takes what --of and --wrt name", async () => {
    const { out } = await adjudge("derive", cube, "--mode", "vjp", "--of", "2", "3", "--wrt", "1", "2");
    expect(out).toContain("%6: [2] = full(shape=[2], value=0)");
    expect(out).toContain("# seed 2: cotangent of 2\n# seed 3: cotangent of 3\n");
    expect(out).toMatch(/# result \d+: cotangent of unused\n# result \d+: cotangent of 2$/);
  });

  test.each([
    [["--mode", "jvp", "--order", "2"], ["result 19: tangent of tangent of 3"]],
    [["--mode", "vjp", "--then", "jvp", "--order", "2", "--wrt", "x"], ["tangent of cotangent of x"]],
    [
      ["--mode", "vjp", "--order", "3", "--wrt", "x", "--by", "transposition"],
      ["seed 2:", "seed 3:", "seed 4:"],
    ],
  ])("derives again what it derived: %j", async (flags, lines) => {
    const { code, out } = await adjudge("derive", cube, ...flags);
    expect(code).toBe(exitCodes.agrees);
    for (const line of lines) expect(out).toContain(line);
  });

  test("takes the names that a text gives its values, as explain and lifetimes do", async () => {
    const path = join(folder, "named.adj");
    await writeFile(path, "graph f(x: [2], w: [2])\n  hidden = x * w\n  loss = sum(hidden)\n  hidden * 2\n");
    for (const command of [["derive", "-m", "vjp"], ["lifetimes"], ["explain"]] as const) {
      const asked = (of: string) => adjudge(command[0], ...command.slice(1), path, "--of", of);
      const [byName, byId] = [await asked("loss"), await asked("3")];
      expect([command[0], byName]).toEqual([command[0], byId]);
      expect(byName.code).toBe(exitCodes.agrees);
      expect(byName.out).not.toBe((await asked("%2")).out);
      expect((await asked("los")).notes).toContain('did you mean "loss"?');
    }
  });

  test("--check says that deriving and lowering may be done in either order, or why that is not asked", async () => {
    const path = join(folder, "layer.adj");
    await writeFile(path, "graph layer(x: [2, 3], w: [3, 2])\n  h = log(exp(x @ w) + 1)\n  sum(h * h)\n");
    const { code, out } = await adjudge("derive", path, "--mode", "vjp", "--check");
    expect(code).toBe(exitCodes.agrees);
    expect(out).toContain("# ✓ 12 numbers of the gradient, the same at 3 points over the rationals, with\n");
    expect(out).toMatch(/^# {3}lowered, then derived, and after dead_code, /m);
    expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
    const refused = await adjudge("derive", path, "--mode", "jvp", "--check");
    expect([refused.code, refused.notes]).toEqual([exitCodes.badInput, expect.stringContaining("of a vjp")]);
    const tanhPath = fileURLToPath(new URL("../../docs/examples/tanh.adj", import.meta.url));
    const tanh = await adjudge("derive", tanhPath, "--mode", "vjp", "--check");
    expect(tanh.notes).toContain("a rule may use an identity");
  });

  test("--by transposition prints other nodes for the same inputs and results", async () => {
    const linear = await written("sum.json", quotient());
    const [rules, transposed] = await Promise.all(
      ["rules", "transposition"].map((way) => adjudge("derive", linear, "-m", "vjp", "--by", way)),
    );
    expect(transposed?.out).not.toBe(rules?.out);
    const seedsOf = (out: string | undefined): string[] => (out ?? "").match(/^seed.*$/gm) ?? [];
    expect(seedsOf(transposed?.out)).toEqual(seedsOf(rules?.out));
  });

  test("--json prints a graph file alone, which can be derived again; seeds and results are notes", async () => {
    const { out, notes } = await adjudge("derive", cube, "--mode", "vjp", "--json");
    expect(checkGraphText(out).ok).toBe(true);
    expect(notes).toContain("seed 2: cotangent of 3");
    const again = await adjudge("derive", await written("once.json", JSON.parse(out)), "--mode", "jvp");
    expect(again.code).toBe(exitCodes.agrees);
  });

  test("-o writes the file, as a whole, and says which ids are what", async () => {
    const path = join(folder, "derived.json");
    const { code, out } = await adjudge("derive", cube, "--mode", "vjp", "-o", path);
    expect(code).toBe(exitCodes.agrees);
    expect(checkGraphText(await readFile(path, "utf8")).ok).toBe(true);
    expect(out.split("\n")[0]).toBe("seed 2: cotangent of 3");
    expect((await readdir(folder)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test.each([
    [["--wrt", "X"], "derive/name at /wrt/0", 'did you mean "x"?'],
    [["--wrt", "0", "9"], "derive/id at /wrt/1", "ids count the inputs first"],
    [["--of", "99999999999999999999"], "derive/id at /of/0", "ids count the inputs first"],
    [["--mode", "jvp", "--wrt", "2"], "derive/id at /wrt/0", "tangents belong to inputs"],
    [["--wrt", "2", "--order", "2"], "derive/id at /wrt/0", "ask for the first order"],
    [["--mode", "jvp", "--by", "transposition"], "flag/inapplicable", "leave --by out"],
    [["-o", "/nowhere/at/all.json"], "file/unwritable", "a folder that exists"],
    [["--order", "9"], "--order", "from 1 to 8"],
    [["--mode", "vpj"], "--mode", "vjp, jvp"],
  ])("refuses %j with a place and a hint", async (flags, what, hint) => {
    const { code, out, notes } = await adjudge("derive", cube, "--mode", "vjp", ...flags);
    expect(code).toBe(exitCodes.badInput);
    expect(out).toBe("");
    expect(notes).toContain(what);
    expect(notes).toContain(hint);
  });

  test("refuses a graph of nothing, and an order whose graph would be too large", async () => {
    const nothing = await written(
      "nothing.json",
      graph(() => {}),
    );
    expect(await adjudge("derive", nothing, "--mode", "vjp")).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("derive/id"),
    });
    const chain = await written(
      "chain.json",
      graph(({ input }) => {
        let x = input("x");
        for (let i = 0; i < 4_000; i++) x = x.pow(x);
      }),
    );
    expect(await adjudge("derive", chain, "--mode", "vjp", "--order", "3")).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("graph/expansion"),
    });
  });
});

function quotient(): Graph {
  return graph(({ input }) => {
    const [x, y] = [input("x"), input("y")];
    x.divide(y);
  });
}

describe("adjudge show", () => {
  const inner = graph(({ input }) => {
    const [x, y] = [input("x"), input("y")];
    x.add(y);
  });
  const middle = graph(({ input, differentiate, full }) => {
    const x = input("x");
    const one = full({ shape: [], value: 1 });
    const slope = differentiate(x, x, one, { graph: inner, mode: "jvp", of: nodeId(2), wrt: nodeId(1) });
    x.multiply(slope);
  });
  const outer = graph(({ input, differentiate }) => {
    const [x, c] = [input("x"), input("c")];
    differentiate(x, c, { graph: middle, mode: "vjp", of: nodeId(3), wrt: nodeId(0) });
  });

  test("prints inner graphs in braces, of which the text is read as the same graph", async () => {
    const { out } = await adjudge("show", await written("nested.json", outer));
    expect(out.split("\n")).toEqual([
      "graph nested(x, c)",
      "  %2: [] = vjp (x) => {",
      "      %1 = full(shape=[], value=1);",
      "      %2 = jvp (x, y) => { %2 = x + y } of %2 by y at x, x along %1;",
      "      %3 = x * %2",
      "    } of %3 by x at x along c",
    ]);
    const [document] = present(readText(out));
    expect(document?.json).toEqual(JSON.parse(JSON.stringify(outer)));
  });

  test.each(["graph", "case", "vector"])("prints all of a %s, and reads it as the same", async (kind) => {
    const vector = suiteVectors().get("nesting/cancelled_third_power");
    if (vector === undefined) throw new Error("no such vector");
    const { graph: derived, point, tangents, seeds } = vector;
    const question = { format: "adjudge.case.v1", graph: derived, point, tangents, seeds };
    const document = kind === "vector" ? vector : kind === "case" ? question : derived;
    const { out } = await adjudge("show", await written("shown.json", document));
    const [read] = present(readText(out));
    expect(read?.name).toBe("shown");
    expect(read?.json).toEqual(JSON.parse(JSON.stringify(document)));
  });

  test("prints numbers in full, where a witness cuts a long tensor in a comment", async () => {
    const long = graph(({ input }) => {
      input("x", [300]).sum({ axes: [0], keepdims: false });
    });
    const data = Array.from({ length: 300 }, (_, i) => i + 1);
    const question = {
      format: "adjudge.case.v1",
      graph: long,
      point: { inputs: [{ shape: [300], data }], environment: {} },
      tangents: [{ shape: [300], data }],
      seeds: [{ id: 1, cotangent: { shape: [], data: [1] } }],
    };
    const file = await written("long.json", question);
    const whole = await adjudge("show", file);
    expect(whole.out).toContain("299, 300]");
    expect(readText(whole.out)).toMatchObject({ ok: true });
    const { out } = await adjudge("replay", file, "-e", "interpreter");
    expect(out).toContain("# at x: [300], the first of 300 numbers are 1, 2, 3, ");
    expect(out).not.toContain("300]\n");
    expect(out.split("\n").every((line) => line.length < 2_000)).toBe(true);
  });
});

/** What is there. */
function present<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}
