import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { checkCase } from "../../spec/index.ts";
import { everyStatement } from "../../spec/programs/specimens.test.data.ts";
import { exampleOf } from "../../spec/text/example.test.kit.ts";
import { adjudge } from "../process/recording.test.kit.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-record-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const square = fileURLToPath(new URL("../../docs/examples/square_in_place.adj", import.meta.url));
const whole = JSON.parse(JSON.stringify(exampleOf("square_in_place").json));

async function written(name: string, json: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(json));
  return path;
}

describe("adjudge record", () => {
  test("prints a case that judge takes, and judge takes the program case too", async () => {
    const path = join(folder, "run.json");
    expect(await adjudge("record", square, "-o", path)).toMatchObject({ code: 0, out: "" });
    const recorded = checkCase(JSON.parse(await readFile(path, "utf8")));
    expect(recorded.ok && recorded.value.graph.nodes.map(({ op }) => op)).toEqual([
      "multiply",
      "full",
      "add",
    ]);
    for (const file of [path, square]) {
      const { code, out } = await adjudge("judge", "-e", "interpreter", "--dtype", "float64", file);
      expect([code, out]).toEqual([0, expect.stringContaining(" 1/1 ")]);
    }
  });

  test("says who refuses, at which statement", async () => {
    const { code, out } = await adjudge("record", square, "--policy", "version");
    expect(code).toBe(0);
    expect(out).toContain("refused by the sweep");
    expect(out).toContain("program/overwritten at /program/procedures/0/body/1");
  });

  test.each([
    ["a program without a place to run it", whole.program, "program/case"],
    ["a graph", { format: "adjudge.graph.v1", inputs: [], environment: [], nodes: [] }, "program/case"],
    ["too few parameters", { ...whole, parameters: [] }, "point/count at /parameters"],
    ["a tensor of another shape", { ...whole, parameters: [{ shape: [1], data: ["3"] }] }, "point/shape"],
    [
      "a seed of a result that there is not",
      { ...whole, seeds: [{ id: 1, cotangent: { shape: [], data: ["1"] } }] },
      "seed/id at /seeds/0/id",
    ],
    [
      "a world that has too little",
      {
        ...whole,
        program: everyStatement,
        parameters: [{ shape: [2], data: ["3", "4"] }],
        state: [{ shape: [2], data: ["0", "0"] }],
        environment: { c: { shape: [2], data: ["1", "1"] } },
        seeds: [],
      },
      "program/world at /program/procedures/0/body/31",
    ],
  ])("refuses %s", async (_, json, issue) => {
    const { code, out, notes } = await adjudge("record", await written("bad.json", json));
    expect([code, out]).toEqual([2, ""]);
    expect(notes).toContain(issue);
  });

  test("show prints every kind of statement, and check accepts a program", async () => {
    const path = await written("every.json", everyStatement);
    const { code, out } = await adjudge("show", path);
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "program every given (c: [2])
        state total: [2]
        state row = total.reshape([1, 2])
        procedure main(x: [2])
          c2 = c
          y = x * c2
          y := x
          b = buffer(y)
          three: [3] = 2
          for i in 2:
            one = b[i]
            scalar = one.reshape([])
            scalar *= i
          total <- b
          quiet = detach(b)
          wide = b.broadcast([2, 2])
          tall = wide.permute(1, 0)
          middle = tall.diagonal()
          above = tall.diagonal(1, 0, 1)
          windows = b.unfold(0, 1, 1)
          over = b.strided(0, [2], [1])
          windows <- windows
          one = 1
          k = index(one)
          scratch = buffer(x)
          scratch.rows(k, 0, k) += three
          scratch.where(x) <- one
          scratch.where(x) *= one
          scratch.scatter(x) <- middle
          scratch.scatter(x) += x
          n = sum(middle, axes=[0])
          if n:
            retain n
          while n, at most 3:
            none = 0
            n := none
          r = call double(b)
          p = call double(b) by both
          h = hook(p) by square
          m = draw(bernoulli, rate=0.5, shape=[2], key=[1, 2])
          u = draw(uniform, shape=[2])
          w = receive("in", shape=[2])
          send("out", w)
          no_grad:
            quiet += m
          checkpoint:
            e = exp(u)
          g = vjp call square(x) by v along r
          doubled, pulled = call double(b) vjp of 0, 1 by v along g, r
          release b
          return g: [2], r: [2]
        procedure double(&v: [2])
          v += v
          for k in 2:
            if k:
              return v
            else:
              break
          return v: [2]
        procedure square(v: [2])
          s = v * v
          return s: [2]
        procedure both(v: [2])
          return v: [2], v: [2]"
    `);
    expect((await adjudge("check", path)).code).toBe(0);
    const judged = await adjudge("judge", "-e", "interpreter", path);
    expect([judged.code, judged.notes]).toEqual([2, expect.stringContaining("program/case")]);
  });

  test("show --ssa prints no memory: calls return what locations hold", async () => {
    const path = await written("every.json", everyStatement);
    const { code, out } = await adjudge("show", "--ssa", path);
    expect(code).toBe(0);
    expect(out).toContain("function main(x : [2], total : [2]):");
    expect(out).toContain("  r, b.5 = call double(b.2)");
    expect(out).toContain("  return g, r, b\nfunction double(v : [2]):");
    expect(out).not.toMatch(/\b(?:buffer|update|release)\b/);
  });

  test("show --ssa refuses what has no memory", async () => {
    const graph = await written("graph.json", {
      format: "adjudge.graph.v1",
      inputs: [],
      environment: [],
      nodes: [],
    });
    expect(await adjudge("show", "--ssa", graph)).toMatchObject({
      code: 2,
      out: "",
      notes: expect.stringContaining("program/case at /format"),
    });
  });
});
