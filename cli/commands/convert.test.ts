import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { programVectors, suiteVectors, tapeVectors } from "../../conformance/index.ts";
import { adjudge } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-convert-"));
afterAll(() => rm(folder, { recursive: true }));

async function written(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const untidy = "# of x\ngraph  f( x : [ 2 ] )\n     y=x*x # squared\nat x=[ 3,4 ]\n";
const tidy = "# of x\ngraph f(x: [2])\n  y = x * x  # squared\nat x = [3, 4]\n";

describe("adjudge fmt", () => {
  test("writes the layout that everybody has, and lists what changed", async () => {
    const [first, second] = [await written("untidy.adj", untidy), await written("tidy.adj", tidy)];
    expect(await adjudge("fmt", "--check", first, second)).toEqual({
      code: exitCodes.disagrees,
      out: first,
      notes: "",
    });
    expect(await readFile(first, "utf8")).toBe(untidy);
    expect(await adjudge("fmt", first, second)).toEqual({ code: exitCodes.agrees, out: first, notes: "" });
    expect(await readFile(first, "utf8")).toBe(tidy);
    expect(await adjudge("fmt", "--check", first)).toEqual({ code: exitCodes.agrees, out: "", notes: "" });
  });

  test("tells what it does not understand, and changes nothing", async () => {
    const text = "graph f(x: [])\n  y = x *\n  z = (x\n";
    const path = await written("wrong.adj", text);
    const { code, notes } = await adjudge("fmt", path);
    expect(code).toBe(exitCodes.badInput);
    expect(notes.match(/-->/g)).toHaveLength(2);
    expect(notes).toContain("2 |   y = x *");
    expect(await readFile(path, "utf8")).toBe(text);
    expect(await adjudge("fmt", join(folder, "none.adj"))).toMatchObject({ code: exitCodes.badInput });
  });
});

describe("adjudge convert", () => {
  const documents = [
    ...[...suiteVectors()].filter((_, i) => i % 60 === 7),
    ...[...programVectors()].filter((_, i) => i % 40 === 3),
    ...[...tapeVectors()].filter((_, i) => i % 20 === 3),
  ].map(([name, vector]) => [name.replace("/", "-"), JSON.stringify(vector)] as const);

  test.each(documents)("makes a text of it and the same JSON of that: %s", async (name, text) => {
    const json = await written(`${name}.json`, text);
    const [adj, back] = [join(folder, `${name}.adj`), join(folder, `${name}.back.json`)];
    expect(await adjudge("convert", json, adj)).toEqual({ code: exitCodes.agrees, out: "", notes: "" });
    expect(await adjudge("convert", adj, back)).toEqual({ code: exitCodes.agrees, out: "", notes: "" });
    expect(JSON.parse(await readFile(back, "utf8"))).toEqual(JSON.parse(text));
    const shown = await written(`${name}.shown.adj`, (await adjudge("show", json)).out);
    const again = await adjudge("convert", shown, "-", "--to", "json");
    expect(JSON.parse(again.out)).toEqual(JSON.parse(text));
  });

  test("takes what is named of a text, and writes all of it as text", async () => {
    const two = await written("two.adj", `${tidy}\n${tidy.replace("graph f", "graph g")}`);
    const { code, notes } = await adjudge("convert", two, join(folder, "two.json"));
    expect([code, notes]).toEqual([exitCodes.badInput, expect.stringContaining("there are f, g")]);
    const named = await adjudge("convert", `${two}#g`, "-", "--to", "json");
    expect(JSON.parse(named.out)).toMatchObject({ format: "adjudge.case.v1" });
    const all = await adjudge("convert", two, "-", "--to", "adj");
    expect(all.out.match(/^graph/gm)).toHaveLength(2);
  });

  test("keeps the units of a graph, which explain reads from its text, and says what would be lost", async () => {
    const moved = "graph moved(v in m/s, t in s)\n  d = v * t\n";
    const path = await written("moved.adj", moved);
    expect((await adjudge("explain", path)).out).toMatch(/^.*multiply.* m$/m);
    const json = join(folder, "moved.json");
    expect((await adjudge("convert", path, json)).code).toBe(exitCodes.agrees);
    expect(JSON.parse(await readFile(json, "utf8"))).toMatchObject({ format: "adjudge.units.v1" });
    expect((await adjudge("convert", json, "-", "--to", "adj")).out).toContain(
      "graph moved(v in m/s, t in s)",
    );
    const asked = await written("asked.adj", `${moved}at v = 1, t = 2\n`);
    expect(await adjudge("convert", asked, json)).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("convert/beside"),
    });
  });

  test("takes ranges beside a text's graph for those of --formats", async () => {
    const path = await written("ranged.adj", "graph ranged(x: [2] in 1..2)\n  y = x * x\n");
    const { code, out } = await adjudge("explain", path, "--formats", "--targets", "x86_64");
    expect([code, out]).toEqual([exitCodes.agrees, expect.stringContaining("x86_64")]);
  });

  test("asks for a form where no name says it", async () => {
    const { code, notes } = await adjudge("convert", await written("one.adj", tidy), "-");
    expect([code, notes]).toEqual([exitCodes.badInput, expect.stringContaining("convert/form")]);
  });
});
