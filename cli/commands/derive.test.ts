import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { checkGraphText, type Graph, graph, nodeId } from "../../spec/index.ts";
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
      "0 = input x : []",
      "1 = input unused : [2]",
      "2 = input cotangent of 3 : []",
      "3 = multiply(0, 0) : []",
      "4 = multiply(2, 0) : []",
      "5 = multiply(2, 3) : []",
      "6 = multiply(4, 0) : []",
      "7 = multiply(4, 0) : []",
      "8 = add(6, 7) : []",
      "9 = add(5, 8) : []",
      "seed 2: cotangent of 3",
      "result 9: cotangent of x",
    ]);
  });

  test("gives zeros where nothing arrives, and takes what --of and --wrt name", async () => {
    const { out } = await adjudge("derive", cube, "--mode", "vjp", "--of", "2", "3", "--wrt", "1", "2");
    expect(out).toContain("full(shape=[2], value=0) : [2]");
    expect(out).toContain("seed 2: cotangent of 2\nseed 3: cotangent of 3\n");
    expect(out).toMatch(/result \d+: cotangent of unused\nresult \d+: cotangent of 2$/);
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

  test("prints inner graphs behind their nodes, with ids that no other value has", async () => {
    const { out } = await adjudge("show", await written("nested.json", outer));
    expect(out.split("\n")).toEqual([
      "0 = input x : []",
      "1 = input c : []",
      '2 = differentiate(0, 1; graph={3 nodes}, mode="vjp", of=3, wrt=0) : []',
      "  cotangent of 2.0, from a cotangent of 2.3, in",
      "  2.0 = input x : []",
      "  2.1 = full(shape=[], value=1) : []",
      '  2.2 = differentiate(2.0, 2.0, 2.1; graph={1 node}, mode="jvp", of=2, wrt=1) :',
      "      []",
      "    tangent of 2.2.2, from a tangent of 2.2.1, in",
      "    2.2.0 = input x : []",
      "    2.2.1 = input y : []",
      "    2.2.2 = add(2.2.0, 2.2.1) : []",
      "  2.3 = multiply(2.0, 2.2) : []",
    ]);
  });

  test("keeps the lines of inner graphs within 80 columns, and loses no word by it", async () => {
    const wide = graph(({ input, differentiate }) => {
      const x = input("x", [2]);
      const inside = graph((within) => {
        const parts = Array.from({ length: 40 }, (_, i) => within.input(`x${i}`, [2]));
        within.concat(...parts, { axis: 0 });
      });
      const parts = Array.from({ length: 40 }, () => x);
      differentiate(...parts, x, { graph: inside, mode: "jvp", of: nodeId(40), wrt: nodeId(0) });
    });
    const file = await written("wide.json", wide);
    const refused = await adjudge("show", file);
    const lines = refused.out.split("\n").filter((line) => line.startsWith(" "));
    expect(lines.length).toBeGreaterThan(42);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    const parents = Array.from({ length: 40 }, (_, i) => `1.${i}`).join(", ");
    expect(lines.join(" ").replaceAll(/\s+/g, " ")).toContain(`concat(${parents}; axis=0) : [80]`);
  });
});
