import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { adjudge } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";

const models = fileURLToPath(new URL("../../docs/examples/models", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "adjudge-import-"));
afterAll(() => rm(folder, { recursive: true }));

async function written(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const affine = {
  format: "torchlean.ir.v1",
  input_id: 0,
  output_ids: [2],
  nodes: [
    { id: 0, kind: "input", parents: [], shape: [2], name: "x" },
    { id: 1, kind: "const", parents: [], shape: [2], name: "w", values: [0.5, -2] },
    { id: 2, kind: "mul_elem", parents: [0, 1], shape: [2] },
  ],
};

describe("adjudge import", () => {
  test.each([
    ["mlp", "--extent", "batch=2"],
    ["cnn"],
    ["lstm"],
    ["attention"],
  ])("makes the case that stands beside the example: %s", async (name, ...flags) => {
    const model = join(models, `${name}.onnx`);
    const told = await adjudge("import", model, ...flags, "--wrt", "all");
    expect(told).toMatchObject({ code: exitCodes.agrees, notes: expect.stringContaining('output "y"') });
    const text = await readFile(join(models, `${name}.adj`), "utf8");
    expect(told.out).toBe(text.trimEnd());
    const out = join(folder, `${name}.json`);
    expect(await adjudge("import", model, out, ...flags, "--wrt", "all")).toMatchObject({
      code: exitCodes.agrees,
      out: "",
    });
    expect((await adjudge("convert", out, "-", "--to", "adj")).out).toBe(text.trimEnd());
  });

  test("draws other numbers from another seed, and takes those that are given", async () => {
    const model = join(models, "lstm.onnx");
    const pointOf = (text: string) => text.split("\n").find((line) => line.startsWith("at x")) ?? "";
    const [one, other, given] = await Promise.all(
      [
        ["--seed", "1"],
        ["--seed", "2"],
        ["--given", "x=1,2,3,4,5,6.5"],
      ].map((flags) => adjudge("import", model, ...flags)),
    );
    expect(pointOf(one?.out ?? "")).not.toBe(pointOf(other?.out ?? ""));
    expect(pointOf(given?.out ?? "")).toBe("at x = [[[1, 2]], [[3, 4]], [[5, 6.5]]]");
  });

  test.each([
    [["import", join(models, "none.onnx")], "file/unreadable"],
    [["import", join(models, "mlp.onnx")], "give it with --extent batch=…"],
    [["import", join(models, "mlp.onnx"), "--extent", "batch"], "write --extent x=1,2.5"],
    [["import", join(models, "mlp.onnx"), "--extent", "batch=2", "--given", "x=a"], "write --given x=1,2.5"],
    [
      ["import", join(models, "mlp.onnx"), "--extent", "batch=2", "--wrt", "fc1.wei"],
      "did you mean fc1.weight?",
    ],
    [["import", join(models, "mlp.adj"), "--from", "onnx"], "this is no ONNX model"],
    [["import", join(models, "mlp.onnx"), "--from", "torchlean"], "json/"],
    [["import", join(models, "lstm.onnx"), join(folder, "none", "x.adj")], "file/unwritable"],
    [["export", join(models, "mlp.adj")], "a model of ONNX is no text."],
    [["export", join(models, "mlp.adj"), join(folder, "x.onnx"), "--of", "99"], "there is no such id"],
    [["export", join(models, "none.adj"), join(folder, "x.onnx")], "file/unreadable"],
    [["export", join(models, "mlp.adj"), "--as", "torchlean"], "torchlean/inputs"],
  ])("tells what is wrong: %j", async (argv, words) => {
    const { code, notes } = await adjudge(...argv);
    expect([code, notes]).toEqual([exitCodes.badInput, expect.stringContaining(words)]);
  });

  test("makes a case of a file of TorchLean's that has all numbers, else its graph", async () => {
    const whole = await adjudge(
      "import",
      await written("affine.json", JSON.stringify(affine)),
      "--given",
      "x=3",
    );
    expect(whole).toMatchObject({ code: exitCodes.agrees, notes: "" });
    expect(whole.out).toBe(
      [
        "graph affine(x: [2]) given (w: [2])",
        "  %2 = x * w",
        'note "imported from affine"',
        "at x = 3",
        "at w = [0.5, -2]",
      ].join("\n"),
    );
    const bare = JSON.stringify(affine).replace(',"values":[0.5,-2]', "");
    const graph = await adjudge("import", await written("bare.json", bare));
    expect(graph.out).toBe(["graph bare(x: [2]) given (w: [2])", "  %1 = w", "  %2 = x * %1"].join("\n"));
    expect(graph.notes).toBe("");
    const [input, , product] = affine.nodes;
    const partial = {
      ...affine,
      output_ids: [4],
      nodes: [
        ...affine.nodes,
        { id: 3, kind: "const", parents: [], shape: [2], name: "b" },
        { id: 4, kind: "add", parents: [2, 3], shape: [2] },
      ],
    };
    expect([input?.kind, product?.kind]).toEqual(["input", "mul_elem"]);
    const told = await adjudge("import", await written("partial.json", JSON.stringify(partial)));
    expect(told.notes).toContain('"b" has none, and those of 1 constant are left out');
    for (const [given, words] of [
      ["y=1", 'its input is "x"'],
      ["x=1,2,3", "give 2, or one for all"],
    ] as const) {
      const refused = await adjudge("import", join(folder, "affine.json"), "--given", given);
      expect([refused.code, refused.notes]).toEqual([exitCodes.badInput, expect.stringContaining(words)]);
    }
  });
});

describe("adjudge export", () => {
  test("writes a model, which import reads as the same case", async () => {
    const out = join(folder, "mlp.onnx");
    const told = await adjudge("export", join(models, "mlp.adj"), out);
    expect(told).toMatchObject({
      code: exitCodes.agrees,
      out: "",
      notes: expect.stringContaining("in float32"),
    });
    const again = await adjudge("import", out);
    expect(again.out.split("note")[0]).toBe(
      (await readFile(join(models, "mlp.adj"), "utf8")).split("note")[0],
    );
  });

  test("writes a gradient, and says what it rounds", async () => {
    const gradient = join(folder, "gradient.json");
    await adjudge("derive", join(models, "gmm.adj"), "--mode", "vjp", "-o", gradient);
    const out = join(folder, "gradient.onnx");
    expect(await adjudge("export", gradient, out, "-d", "float64")).toMatchObject({ code: exitCodes.agrees });
    expect((await adjudge("import", out, "--given", "x=1")).code).toBe(exitCodes.agrees);
    const third = await written("third.adj", "graph third(x)\n  x * 0.1\n");
    const rounding = await adjudge("export", third, out);
    expect(rounding.notes).toContain("1 constant rounded to float32; -d float64 keeps all digits");
  });

  test("writes the outputs that are named", async () => {
    const out = join(folder, "two.onnx");
    const text = await written("two.adj", "graph two(x)\n  y = exp(x)\n  y * y\n");
    expect((await adjudge("export", text, out, "--of", "1", "3")).code).toBe(exitCodes.badInput);
    expect((await adjudge("export", text, out, "--of", "1", "2")).code).toBe(exitCodes.agrees);
    expect((await adjudge("import", out)).notes).toContain('output "output_0": id 1');
  });

  test("writes a graph for TorchLean, and import reads it back", async () => {
    const square = await written("square.adj", "graph square(x: [2])\n  x * x\n");
    const document = join(folder, "square.torchlean.json");
    expect((await adjudge("export", square, document)).code).toBe(exitCodes.agrees);
    expect(JSON.parse(await readFile(document, "utf8"))).toMatchObject({ format: "torchlean.ir.v1" });
    const again = await adjudge("import", document, "--given", "x=1,2");
    expect(again.out).toContain("  %1 = x * x\n");
    expect((await adjudge("export", square, "--as", "torchlean")).out).toContain('"torchlean.ir.v1"');
  });

  test("writes the numbers of a case for TorchLean, so that import makes the same case of them", async () => {
    const model = await written("affine.json", JSON.stringify(affine));
    const imported = join(folder, "affine.adj");
    await adjudge("import", model, imported, "--given", "x=3");
    const document = join(folder, "affine.again.json");
    expect((await adjudge("export", imported, document)).code).toBe(exitCodes.agrees);
    expect(JSON.parse(await readFile(document, "utf8"))).toMatchObject({
      nodes: expect.arrayContaining([expect.objectContaining({ kind: "const", values: [0.5, -2] })]),
    });
    const again = await adjudge("import", document, "--given", "x=3");
    expect(again.out).toContain("at w = [0.5, -2]");
  });
});
