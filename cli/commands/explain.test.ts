import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { type ExplanationJson, graph, present, validateExplanation } from "../../spec/index.ts";
import { adjudge, adjudgeIn } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-explain-"));
afterAll(() => rm(folder, { recursive: true }));

async function written(name: string, document: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(document));
  return path;
}

/** A mass times an acceleration, or a velocity, less a force. */
const newton = await written(
  "newton.json",
  graph(({ input }) => {
    const [mass, rate, force] = [input("m"), input("a"), input("F")];
    mass.multiply(rate).subtract(force);
  }),
);

const unitsOf = (inputs: object): object => ({ format: "adjudge.units.v1", inputs });
const right = await written("right.json", unitsOf({ m: "kg", a: "m/s^2", F: "N" }));
const wrong = await written("wrong.json", unitsOf({ m: "kg", a: "m/s", F: "N" }));
const scaled = await written("scaled.json", unitsOf({ m: "kg", a: "m/s^2", F: "kN" }));
const few = await written("few.json", unitsOf({ m: "kg" }));

const page = (name: string): string => fileURLToPath(new URL(`../../docs/examples/${name}`, import.meta.url));

describe("adjudge explain", () => {
  test("writes a page with its graph, and the node where dimensions do not fit", async () => {
    const pageOf = async (units: string): Promise<string> => {
      const path = join(folder, "explained.html");
      await adjudge("explain", newton, "-u", units, "--html", path);
      return readFile(path, "utf8");
    };
    expect(await pageOf(right)).toMatch(/<text [^>]*>4 = subtract<\/text>/);
    expect(await pageOf(wrong)).toMatch(/<g class="box blamed">.*?4 = subtract ✗/s);
  });

  test("tells what inputs, results and gradients are measured in", async () => {
    const { code, out } = await adjudge("explain", newton, "-u", right);
    expect(code).toBe(exitCodes.agrees);
    expect(out).toContain("  node 4 (subtract)               kg·m·s⁻²");
    expect(out).toContain("  input m                         m·s⁻²");
    expect(out).toContain("✓ the dimensions agree.");
  });

  test("tells what is free by its name", async () => {
    const { code, out } = await adjudge("explain", newton, "-u", few);
    expect(code).toBe(exitCodes.agrees);
    expect(out).toMatch(/Free, and named ⟨so⟩: a\.|input F +kg·⟨a⟩/);
    expect(out).toContain("kg·⟨a⟩");
  });

  test("refuses what does not fit, naming the node, both sides and every equation that is needed", async () => {
    const { code, out } = await adjudge("explain", newton, "-u", wrong);
    expect(code).toBe(exitCodes.disagrees);
    expect(out.replaceAll("\n", " ")).toContain(
      "At node 4 (subtract), node 3, which is kg·m·s⁻¹, has subtracted from it F, which is kg·m·s⁻².",
    );
    expect(out).toContain("These 5 cannot all be");
    expect(out).toContain("input a is declared: m·s⁻¹  (/inputs/a)");
  });

  test("tells scales that do not agree apart from dimensions", async () => {
    const { code, out } = await adjudge("explain", newton, "-u", scaled);
    expect(code).toBe(exitCodes.disagrees);
    expect(out).toContain("✓ the dimensions agree.");
    expect(out.replaceAll("\n", " ")).toContain("✗ the scales do not. At node 4 (subtract)");
  });

  test("tells the equations as a sheaf with its ranks", async () => {
    const { out } = await adjudge("explain", newton, "-u", wrong, "--sheaf");
    expect(out).toContain("rank H⁰ = 0, the dimensions that are free");
    expect(out).toContain("rank H¹ = 1, the ways to ask for what cannot be");
    expect(out).toContain("not zero in H¹");
    const large = await written(
      "large.json",
      graph(({ input }) => {
        let x = input("x");
        for (let i = 0; i < 300; i++) x = x.sin();
      }),
    );
    expect((await adjudge("explain", large, "--sheaf")).notes).toContain("over 200 unknowns");
  });

  test.each([right, wrong, scaled, few])("prints JSON that its schema takes: %#", async (units) => {
    const { out } = await adjudge("explain", newton, "-u", units, "--sheaf", "--json");
    expect(validateExplanation(JSON.parse(out))).toMatchObject({ ok: true });
  });

  test("keeps to 80 columns, whatever the names", async () => {
    const name = `x${"_long · name".repeat(20)}`;
    const long = await written(
      "long.json",
      graph(({ input }) => {
        const [x, y] = [input(name, [2, 3]), input("y", [2, 3])];
        x.softmax({ axis: 1 }).add(y.exp());
      }),
    );
    const units = await written("long_units.json", unitsOf({ [name]: "kg·m·s·A·K·mol·cd" }));
    for (const flags of [[], ["--sheaf"], ["-u", units]]) {
      const { out } = await adjudge("explain", long, ...flags);
      const widest = out.split("\n").reduce((width, line) => Math.max(width, [...line].length), 0);
      expect(widest).toBeLessThanOrEqual(80);
    }
  });

  test("takes a file of units with its graph, and refuses two files of them", async () => {
    const whole = await written("whole.json", {
      ...unitsOf({ x: "m" }),
      graph: graph(({ input }) => {
        input("x").square();
      }),
    });
    expect((await adjudge("explain", whole)).out).toContain("m²");
    const { code, notes } = await adjudge("explain", whole, "-u", right);
    expect(code).toBe(exitCodes.badInput);
    expect(notes).toContain("flag/inapplicable");
  });

  test("says where a file of units is wrong", async () => {
    const bad = await written("bad.json", unitsOf({ m: "kgg", q: "m" }));
    const { code, notes } = await adjudge("explain", newton, "-u", bad);
    expect(code).toBe(exitCodes.badInput);
    expect(notes).toContain("units/unknown at /inputs/m");
    expect(notes).toContain("units/name at /inputs/q");
  });

  test("prints what its page says that it prints", async () => {
    const page = await readFile(new URL("../../docs/units.md", import.meta.url), "utf8");
    const shown = [...page.matchAll(/^```console\n\$ adjudge explain (\S+)\n([\s\S]*?)\n```/gm)];
    expect(shown.length).toBeGreaterThanOrEqual(2);
    for (const [, path = "", wanted] of shown) expect((await adjudge("explain", path)).out).toBe(wanted);
  });
});

describe("adjudge explain --memory", () => {
  const deep = page("deep_perceptron.adj");

  test("tells in 80 columns what each mode asks for, and the use that promotes a value", async () => {
    const { code, out } = await adjudge("explain", deep, "--memory", "--axis", "pixels:0");
    expect(code).toBe(exitCodes.agrees);
    expect(out).toContain("for the way back    358 = 2 − 7·B + 16·B·L for L ≥ 2\n");
    expect(out).toContain("at once, at most    68 = 17·B\n");
    expect(out).toContain("node 15 (add) to arena, steps 3–78: the pull of node 16 (relu) reads it");
    expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  test("tells escape classes as sheaves, where it tells dimensions so", async () => {
    const small = ["--memory", "--mode", "forward", "reverse", "--sheaf"];
    const { out } = await adjudge("explain", page("perceptron.adj"), ...small);
    expect(out.replaceAll(/\s+/g, " ")).toContain(
      "as a sheaf 8 storages; rank of H⁰, and obstructed, below arena 2 (6), heap 4 (4), static 5 (3)",
    );
    const { out: json } = await adjudge("explain", page("perceptron.adj"), ...small, "--json");
    expect(validateExplanation(JSON.parse(json))).toMatchObject({ ok: true });
  });

  test("tells the modes that are asked for alone, as JSON of its schema", async () => {
    const asked = ["--memory", "--mode", "tangents:3", "checkpointed:2", "--json"];
    const { code, out } = await adjudge("explain", deep, ...asked);
    expect(code).toBe(exitCodes.agrees);
    const told: unknown = JSON.parse(out);
    expect(validateExplanation(told)).toMatchObject({ ok: true });
    expect(told).toMatchObject({
      memory: { modes: [{ mode: "forward with 3 tangents" }, { mode: "checkpointed, 2 slots" }] },
    });
  });

  test.each([
    [["--mode", "backward"], '/mode/0: there is no mode "backward"'],
    [["--mode", "forward", "checkpointed:0"], '/mode/1: there is no mode "checkpointed:0"'],
    [["--mode", "tangents:9999"], "K and SLOTS go to 1000"],
    [["--axis", "pixel:0"], 'did you mean "pixels"?'],
    [["--axis", "pixels:2"], '"pixels" has no axis 2.'],
    [["--axis", "pixels"], "say NAME:AXIS"],
  ])("refuses %j, with the place and a hint", async (flags, told) => {
    const { code, notes } = await adjudge("explain", deep, "--memory", ...flags);
    expect(code).toBe(exitCodes.badInput);
    expect(notes.replaceAll(/\s+/g, " ")).toContain(told);
  });

  test("is what --mode and --axis are of", async () => {
    const { code, notes } = await adjudge("explain", deep, "--axis", "pixels:0");
    expect(code).toBe(exitCodes.badInput);
    expect(notes).toContain("--memory");
  });
});

describe("adjudge explain --wrt", () => {
  const subject = page("one_gradient.adj");
  const asked = ["--wrt", "w", "--axis", "x:0"];

  test("tells a gradient in one tree of 80 columns: dimension, accumulator, memory and targets", async () => {
    const { code, out } = await adjudge("explain", subject, ...asked);
    expect(code).toBe(exitCodes.agrees);
    for (const line of [
      "├─ gradient_estimate: float<loss·param⁻¹>",
      "│  ├─ accumulator: a quire of posit32, 512 bits; each sum exact, rounded once",
      "│  │  ├─ ✓ node 5 (matmul), its tangent: 16 terms, 253 of 512 bits",
      "│  │  ├─ proof: widths/quire_posit32/integers, widths/quire_posit32/words",
      "│  ├─ no activation tape, no escape, fully stack-eligible",
      "│  │  ├─ quire in software, on the stack: 64 bytes, 1 cache line, 1 rounding",
      "│  │  ├─ 60 cycles a multiply-add [1]",
      "│  │  ├─ 1 cycle a multiply-add [2]",
      "│     ├─ no quire there",
      "│  │  ├─ auxiliary memory at once: 1540 bytes: 4 · (1 + 48·B for B ≥ 2)",
      "├─ checkpointed, 4 slots",
    ])
      expect(out).toContain(`${line}\n`);
    expect(out.split("\n").filter((line) => [...line].length > 80)).toEqual([]);
  });

  test("is JSON of its schema, and a page", async () => {
    const path = join(folder, "tree.html");
    const flags = [
      "--signature",
      "--formats",
      "--digits",
      "1",
      "--targets",
      "fpga",
      "--json",
      "--html",
      path,
    ];
    const { code, out } = await adjudge("explain", subject, ...asked, ...flags);
    expect(code).toBe(exitCodes.agrees);
    expect(validateExplanation(JSON.parse(out))).toMatchObject({ ok: true });
    const told: ExplanationJson = JSON.parse(out);
    const [forward] = present(told.gradients?.[0], "a tree").modes;
    expect(forward?.targets).toMatchObject([
      { target: "fpga", resultFormat: expect.stringMatching(/^posit/) },
    ]);
    expect(await readFile(path, "utf8")).toContain("gradient_estimate: float&lt;loss·param⁻¹&gt;");
  });

  test("says with a ✗ which sums a register has no room for, and ends with 1", async () => {
    const { code, out } = await adjudge("explain", subject, ...asked, "--accumulator", "int32:16");
    expect(code).toBe(exitCodes.disagrees);
    expect(out).toContain("✗ node 3 (matmul): 4 terms, 34 of 32 bits\n");
    expect(out).toContain("accumulator: int32:16, 32 bits, for codes of 16 bits; each sum exact\n");
  });

  test("prints the signature of both modes as a table", async () => {
    const { out } = await adjudge("explain", subject, "--signature");
    for (const label of ["auxiliary memory", "gradient quality", "tape", "escape"])
      expect(out).toMatch(new RegExp(`^${label} `, "m"));
    expect(out.split("\n").filter((line) => [...line].length > 80)).toEqual([]);
  });

  test.each([
    [["--accumulator", "quire:posit32"], "--accumulator qualifies the trees"],
    [["--wrt", "w", "--accumulator", "quire:posit2"], "posit/width"],
    [["--mode", "reverse", "--signature"], "say how memory is told"],
  ])("refuses %j, with a hint", async (flags, told) => {
    const { code, notes } = await adjudge("explain", subject, ...flags);
    expect(code).toBe(exitCodes.badInput);
    expect(notes.replaceAll(/\s+/g, " ")).toContain(told);
  });

  test("tells a dimension of many free ones by its value's name, and alike blocks once", async () => {
    const { out } = await adjudge("explain", page("deep_perceptron.adj"));
    expect(out).toContain("  input bias 4                    ⟨bias 4⟩\n");
    expect(out).toContain("  input weight 5                  ⟨node 41⟩·⟨weight 5⟩⁻¹\n");
    expect(out).toContain("\n  input bias 5                    1\n");
  });
});

describe("adjudge explain --formats", () => {
  const perceptron = page("perceptron.adj");
  const asked = ["--formats", "--digits", "2"];

  test("tells in 80 columns what values are kept in, and what that costs the results", async () => {
    const { code, out } = await adjudge("explain", perceptron, ...asked);
    expect(code).toBe(exitCodes.agrees);
    expect(out).toContain("✓ fpga: 6672 bits for 417 elements, and no value could be narrower alone");
    expect(out).toContain("in [-238, 238], errs by at most 1.05, 2.35 digits");
    // Every target is there, and only exact sums are said to be exact.
    for (const target of ["x86_64", "fpga", "neuromorphic"])
      expect(out).toMatch(new RegExp(`^ {2}value.* ${target}`, "m"));
    expect(out).toMatch(/sums are rounded in +float64 \(3\)/);
    expect(out).toContain("\na forward gradient\n");
    expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  test.each([40, 57, 200])("tells the same words in %d columns, of every target", async (columns) => {
    const words = (text: string): string => text.replaceAll(/[\s│├└─]/g, "");
    const usual = await adjudge("explain", perceptron, ...asked, "--memory", "--signature");
    const { out } = await adjudgeIn(columns, "explain", perceptron, ...asked, "--memory", "--signature");
    expect(words(out)).toBe(words(usual.out));
    expect(out.split("\n").filter((line) => [...line].length > columns)).toEqual([]);
    for (const target of ["x86_64", "fpga", "neuromorphic"])
      expect(out).toMatch(new RegExp(`^✓ ${target}`, "m"));
  });

  test("tells the bits that a gradient needs to step what is kept as codes", async () => {
    const step = ["--wrt", "w1", "--targets", "neuromorphic", "--rate", "0.001", "--calls", "4"];
    const { code, out } = await adjudge("explain", perceptron, ...asked, ...step);
    expect(code).toBe(exitCodes.agrees);
    const printed = await readFile(page("../formats.md"), "utf8");
    const told = printed.match(/^ {4}a step by [\s\S]*?\n\n/m)?.[0].replaceAll(/^ {4}/gm, "") ?? "none";
    expect(out.trimEnd().endsWith(told.trimEnd())).toBe(true);
    const other = await adjudge("explain", perceptron, ...asked, ...step.with(3, "fpga"));
    expect(other.out).toContain("no target keeps what is stepped as codes");
    const json = await adjudge("explain", perceptron, ...asked, ...step, "--json");
    expect(validateExplanation(JSON.parse(json.out))).toMatchObject({ ok: true });
  });

  test("is JSON of its schema", async () => {
    const { out } = await adjudge("explain", perceptron, ...asked, "--targets", "fpga", "--json");
    expect(validateExplanation(JSON.parse(out))).toMatchObject({ ok: true });
  });

  test("bounds a second derivative over a box, between which it lies wherever it is looked", async () => {
    const network = `${page("dimensions/oscillator.adj")}#accepted`;
    const ranges = page("oscillator.ranges.json");
    const { out } = await adjudge(
      "explain",
      network,
      "--of",
      "14",
      "--wrt",
      "t",
      "--formats",
      "--ranges",
      ranges,
      "--json",
    );
    const told: ExplanationJson = JSON.parse(out);
    const [least, greatest] = present(
      told.representations?.runs[0]?.assignments[0]?.results[0]?.range,
      "a range",
    );
    const curvatures = Array.from({ length: 101 }, (_, n) => {
      const u = Math.tanh(0.5 * (n / 100) + 0.25);
      // There are three units of weight 1, so that this is 3 · tanh″ · ½².
      return 3 * -2 * u * (1 - u * u) * 0.25;
    });
    expect(Math.min(...curvatures)).toBeGreaterThanOrEqual(least);
    expect(Math.max(...curvatures)).toBeLessThanOrEqual(greatest);
    // Interval arithmetic is wider only because it forgets that two values are the same.
    expect(greatest - least).toBeLessThan(3 * (Math.max(...curvatures) - Math.min(...curvatures)));
  });

  test("takes the point of a case, and a box round it", async () => {
    const file = "conformance/suites/structures.adj#fan_out";
    const { code, out } = await adjudge(
      "explain",
      file,
      "--formats",
      "--within",
      "0.01",
      "--targets",
      "x86_64",
    );
    expect(code).toBe(exitCodes.agrees);
    expect(out).toContain("✓ x86_64");
  });

  test("says of a target that it cannot keep the digits, and ends with 1", async () => {
    const own = ["--targets", page("eight_bits.json"), "--digits", "3"];
    const { code, out } = await adjudge("explain", perceptron, ...asked, ...own);
    expect(code).toBe(exitCodes.disagrees);
    expect(out).toContain("✗ eight bits: nothing among its formats is certified to keep 3 digits");
  });

  test("draws the digits of each format, and what is kept in it", async () => {
    const file = join(folder, "formats.svg");
    await adjudge("explain", perceptron, ...asked, "--plot", file);
    await expect(await readFile(file, "utf8")).toMatchFileSnapshot("../../docs/formats.svg");
  });

  const target = {
    format: "adjudge.target.v1",
    name: "t",
    formats: [{ name: "sym9", source: "s" }],
    quire: { kind: "none", figures: [] },
  };
  const ranges = (inputs: object): object => ({ format: "adjudge.ranges.v1", inputs });
  const all = { x: [-1, 1], w1: [0, 1], w2: [0, 1] };

  test.each([
    ["no ranges", undefined, [], "nothing says between which numbers"],
    [
      "an unknown name",
      ranges({ ...all, w3: [0, 1] }),
      [],
      '/inputs/w3: there is no input or real entry "w3" there',
    ],
    ["a missing name", ranges({ x: [0, 1], w1: [0, 1] }), [], '"w2" has no range'],
    ["an order", ranges({ ...all, x: [1, -1] }), [], "/inputs/x: 1 is greater than -1"],
    ["a schema", { format: "adjudge.ranges.v1", inputs: { x: [1] } }, [], "/inputs/x"],
    ["two boxes", ranges(all), ["--within", "0.1"], "--within is of the point of a case"],
    ["a target", ranges(all), ["--targets", "x86"], 'did you mean "x86_64"?'],
    ["no number", ranges(all), ["--digits", "none"], "--digits"],
    ["calls of no step", ranges(all), ["--calls", "2"], "--calls is of a step, and there is no --rate."],
    ["no call", ranges(all), ["--rate", "1", "--calls", "0"], "from 1 to 1048576"],
  ])("refuses %s, with the place and a hint", async (_, file, flags, told) => {
    const given = file === undefined ? [] : ["--ranges", await written("ranges.json", file)];
    const subject = file === undefined ? page("square.adj") : perceptron;
    const { code, notes } = await adjudge("explain", subject, "--formats", ...given, ...flags);
    expect(code).toBe(exitCodes.badInput);
    expect(notes.replaceAll(/\s+/g, " ")).toContain(told);
  });

  test("chooses formats for what values were in a training run, and says which part lay outside", async () => {
    const [kept, again] = [page("perceptron.statistics.json"), await written("again.json", {})];
    const training = ["--calls", "200", "--rate", "0.01", "--wrt", "w1"];
    const { code } = await adjudge("run", perceptron, "--statistics", again, ...training);
    expect(code).toBe(exitCodes.agrees);
    expect(await readFile(again, "utf8")).toBe(await readFile(kept, "utf8"));
    const seen = ["--wrt", "w1", "--targets", "neuromorphic", "--statistics", kept, "--share", "0.99"];
    const { out } = await adjudge("explain", perceptron, "--formats", "--digits", "1", ...seen, "--json");
    const told = validateExplanation(JSON.parse(out));
    expect(told).toMatchObject({ value: { representations: { seen: { calls: 200, share: 0.99 } } } });
    const values = told.ok ? told.value.representations?.runs[0]?.values : [];
    expect(values?.map(({ outside = 1 }) => outside > 0)).toEqual(
      Array.from({ length: 8 }, (_, id) => [3, 5, 6].includes(id)),
    );
  });

  test.each([
    ["explain", ["--formats", "--share", "0.5"], "--share is a part of what statistics have"],
    [
      "explain",
      ["--formats", "--statistics", page("perceptron.statistics.json"), "--within", "1"],
      "give one of them",
    ],
    [
      "explain",
      ["--formats", "--statistics", page("perceptron.statistics.json")],
      "record them of this graph",
    ],
    ["explain", ["--statistics", page("perceptron.statistics.json")], "add --formats"],
    ["run", ["--calls", "3"], "--calls is of a training run"],
    ["run", ["--statistics", "x.json", "--json"], "--json does not go with --statistics"],
  ])("refuses statistics that do not fit: %s %j", async (command, flags, told) => {
    const { code, notes } = await adjudge(command, perceptron, ...flags);
    expect(code).toBe(exitCodes.badInput);
    expect(notes.replaceAll(/\s+/g, " ")).toContain(told);
  });

  test("refuses a target's unknown format, and a word about formats that are not asked", async () => {
    const file = await written("target.json", target);
    const bad = await adjudge("explain", perceptron, ...asked, "--targets", file);
    expect(bad.notes).toContain("target/format at /formats/0/name");
    const stray = await adjudge("explain", perceptron, "--digits", "2");
    expect([bad.code, stray.code]).toEqual([exitCodes.badInput, exitCodes.badInput]);
    expect(stray.notes).toContain("--formats");
  });
});
