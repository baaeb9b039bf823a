import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { graph } from "../../spec/index.ts";
import { adjudge } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";

const example = (name: string): string =>
  fileURLToPath(new URL(`../../docs/examples/${name}`, import.meta.url));
const product = example("product.adj");

describe("adjudge forward-gradient", () => {
  test("tells what each estimate is worth, exactly, and that it was counted", async () => {
    const { code, out } = await adjudge("forward-gradient", product, "-i", "x=3", "-i", "y=5");
    expect(code).toBe(exitCodes.agrees);
    expect(out).toContain("over rational: 2 numbers, ‖∇f‖² = 34");
    expect(out).toMatch(/Rademacher, ±1 +1 +0 +34 +1 {2}=/);
    expect(out).toMatch(/Gaussian +1 +0 +102 +3 {2}=/);
    expect(out).toMatch(/mean of 4 Rademacher +4 +0 +17\/2 +1\/4 {2}=/);
    for (const name of ["a direction of length 1", "half of an estimate"])
      expect(out).toMatch(new RegExp(`${name} +1 +17/2 +17/2 +1/2 {2}=`));
    expect(out).toContain("in reverse with snapshots, at least: 3, in 1 slot, with 0 nodes computed again");
    expect(out.split("\n").filter((line) => [...line].length > 80)).toEqual([]);
  });

  test("counts nothing where numbers are rounded, and says the same by formulas", async () => {
    const { out } = await adjudge("forward-gradient", product, "-a", "float64", "-i", "x=3", "-i", "y=5");
    expect(out).toMatch(/Gaussian +1 +0 +0x1\.98p\+6|Gaussian +1 +0 +102/);
    expect(out).not.toMatch(/ {2}=$/m);
  });

  test("counts nothing of a gradient that has no value somewhere, and says so", async () => {
    for (const [x, y] of [
      ["1/0", "3"],
      ["1/0", "0"],
    ]) {
      const { code, out } = await adjudge("forward-gradient", product, "-i", `x=${x}`, "-i", `y=${y}`);
      expect(code).toBe(exitCodes.agrees);
      expect(out).toContain("‖∇f‖² = undefined");
      expect(out).not.toMatch(/ {2}=$/m);
    }
  });

  test("takes what is asked of one input alone, and as many directions", async () => {
    const { out } = await adjudge(
      "forward-gradient",
      product,
      "-i",
      "x=3",
      "-i",
      "y=5",
      "--wrt",
      "y",
      "--directions",
      "2",
    );
    expect(out).toContain("over rational: 1 number, ‖∇f‖² = 9");
    expect(out).toContain("mean of 2 Rademacher");
  });

  test.each([
    ["an algebra without quotients", ["-a", "integer"], "the integer algebra does not divide"],
    ["a node", ["--wrt", "2"], "2 is a node of 3 ids, and inputs are perturbed."],
    ["no direction", ["--directions", "0"], "--directions"],
    ["a name", ["--wrt", "z"], '"z"'],
  ])("refuses %s", async (_, flags, told) => {
    const { code, notes } = await adjudge("forward-gradient", product, "-i", "x=3", "-i", "y=5", ...flags);
    expect(code).toBe(exitCodes.badInput);
    expect(notes).toContain(told);
  });
});

describe("inputs without elements", () => {
  const folder = mkdtempSync(join(tmpdir(), "adjudge-forward-gradient-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const written = (shapes: readonly number[][]): string => {
    const file = join(folder, `${shapes.length}.json`);
    const sums = graph(({ input }) => {
      const inputs = shapes.map((shape, n) => input(`x${n}`, shape));
      const parts = inputs.map((x) => x.sum({ axes: [0], keepdims: false }));
      parts.reduce((a, b) => a.add(b.multiply(b)));
    });
    writeFileSync(file, JSON.stringify(sums));
    return file;
  };

  test("have no gradient to estimate, and are told so", async () => {
    const { code, notes } = await adjudge("forward-gradient", written([[0]]));
    expect([code, notes]).toEqual([
      exitCodes.badInput,
      expect.stringContaining("forward-gradient/empty: the inputs that are asked for have no elements"),
    ]);
  });

  test("change nothing beside others", async () => {
    const { code, out } = await adjudge("forward-gradient", written([[0], [2]]), "-i", "x1=1,2");
    expect([code, out]).toEqual([
      exitCodes.agrees,
      expect.stringContaining("over rational: 2 numbers, ‖∇f‖² = 72"),
    ]);
    expect(out).toMatch(/Gaussian +1 +0 +216 +3 {2}=/);
  });
});

describe("adjudge forward-gradient --engine", () => {
  const vector = "conformance/suites/structures.adj#several_outputs";

  test("judges an engine's estimates, through a pipe too", async () => {
    const few = ["--samples", "64", "--seed", "5"];
    const { code, out } = await adjudge(
      "forward-gradient",
      vector,
      "-e",
      "node conformance/testees/interpreter.ts",
      "-d",
      "float32",
      ...few,
    );
    expect([code, out.split("\n").map((line) => line.slice(0, 12))]).toEqual([
      exitCodes.agrees,
      ["adjudge inte", "✓ given: 32 ", "✓ rademacher", "✓ gaussian: "],
    ]);
  });

  test("asks nothing of an engine that promises none, and says so", async () => {
    const { code, out } = await adjudge("forward-gradient", vector, "-e", "javascript");
    expect([code, out.includes("promises no forward gradients")]).toEqual([exitCodes.nothingRun, true]);
  });

  test.each([
    [["docs/examples/product.adj", "-e", "interpreter"], "forward-gradient/point"],
    [[vector, "-e", "intepreter"], "engine/unknown"],
    [["no such file", "-e", "interpreter"], "no such file"],
    [[vector, "-e", "interpreter", "--samples", "3"], "from 16"],
  ])("refuses %s", async (words, why) => {
    const { code, notes } = await adjudge("forward-gradient", ...words);
    expect([code, notes.includes(why)]).toEqual([exitCodes.badInput, true]);
  });
});
