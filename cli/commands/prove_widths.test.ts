import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createColors } from "picocolors";
import { afterAll, describe, expect, test } from "vitest";
import { type Solver, z3 } from "../../oracle/obligations/index.ts";
import { lent } from "../../oracle/obligations/obligations.test.kit.ts";
import { type Graph, graph } from "../../spec/index.ts";
import { adjudge, type Recorded } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";
import { proveWidths } from "./prove_widths.ts";
import type { WidthOptions } from "./prove_widths_options.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-widths-"));
afterAll(() => rm(folder, { recursive: true }));

const solver = z3();
afterAll(() => solver[Symbol.asyncDispose]());

async function asked(
  of: Graph,
  options: Omit<WidthOptions, "widths"> = {},
  ask: Solver = lent(solver),
): Promise<Recorded> {
  const file = join(folder, "graph.json");
  await writeFile(file, JSON.stringify(of));
  const out: string[] = [];
  const notes: string[] = [];
  const terminal = {
    palette: createColors(false),
    columns: 80,
    out: (line: string) => out.push(line),
    note: (line: string) => notes.push(line),
    progress: () => {},
  };
  const code = await proveWidths(undefined, { ...options, widths: file }, terminal, () => ask);
  return { code, out: out.join("\n"), notes: notes.join("\n") };
}

const layer: Graph = graph(({ input }) => {
  const [x, w] = [input("x", [32, 600]), input("w", [600, 10])];
  x.matmul(w).tanh();
});

describe("adjudge prove --widths", () => {
  test("lists the sums of a graph and its gradient, all proved in both theories", async () => {
    const { code, out } = await asked(layer, { accumulator: "int32:8" });
    expect(code).toBe(exitCodes.agrees);
    expect(out).toMatch(/✓ node 2 \(matmul\) +600 +2\^14 +25 +32\n/);
    expect(out).toContain("3 of 3 kinds of sums fit: proved together in QF_LIA and QF_BV, 2 mutants caught.");
  });

  test("names the sum that does not fit, with a model that was run", async () => {
    const { code, out } = await asked(layer, { accumulator: "int32:12" });
    expect(code).toBe(exitCodes.disagrees);
    expect(out).toMatch(
      /✗ node 2 \(matmul\) +600 +2\^22 +33 +32\n {4}512 terms -2048 × -2048 are 2147483648, and the register says -2147483648\n/,
    );
    expect(out).toContain("1 of 3 kinds of sums does not fit: its model was run.");
  });

  test("2³¹ products of posits, over batches, do not fit a quire; with ranges they do", async () => {
    const long = graph(({ input }) => {
      const [x, w] = [input("x", [2 ** 27, 1]), input("w", [1, 1])];
      x.matmul(w);
    });
    const options = { accumulator: "quire:posit16", batches: 16, wrt: ["w"] };
    const refused = await asked(long, options);
    expect(refused.code).toBe(exitCodes.disagrees);
    expect(refused.out).toContain(
      "2147483648 terms 0x8001 × 0x8001 are 2^255 last places, and the register says NaR",
    );
    expect((await asked(long, { ...options, batches: 15 })).code).toBe(exitCodes.agrees);
    const ranges = join(folder, "ranges.json");
    const json = { format: "adjudge.ranges.v1", inputs: { x: [-1, 1], w: [-1, 1] } };
    await writeFile(ranges, JSON.stringify(json));
    expect((await asked(long, { ...options, ranges })).code).toBe(exitCodes.agrees);
  });

  test("names what a pass of the planner makes of sums that fit", async () => {
    const square = graph(({ input }) => {
      const x = input("x", [600]);
      x.multiply(x).sum({ axes: [0], keepdims: false });
    });
    const { code, out } = await asked(square, { accumulator: "int32:12" });
    expect(code).toBe(exitCodes.disagrees);
    expect(out).toMatch(/✓ node 2 \(sum\) +600 +2\^11 +22 +32\n/);
    expect(out).toContain("✗ fold_fusion: a sum of 600 terms of at most 2^22, 33 of 32 bits");
  });

  test("decides nothing where the solver does not, and says so", async () => {
    const silent: Solver = {
      name: "silent",
      ask: async () => ({ answer: { kind: "unknown", reason: "tired" }, milliseconds: 1, spent: undefined }),
      [Symbol.asyncDispose]: async () => {},
    };
    const { code, out } = await asked(layer, {}, silent);
    expect(code).toBe(exitCodes.undecided);
    expect(out).toMatch(/\? node 2 \(matmul\)/);
    expect(out).toContain("no answer: unknown, unknown");
    expect(out).toContain("3 of 3 kinds of sums are not proved to fit.");
  });

  test("asks six short questions about a network of a hundred layers, each of its own width", async () => {
    const widthOf = (layer: number): number => 128 + ((37 * layer) % 97);
    const deep = graph(({ input }) => {
      const x = input("x", [32, widthOf(0)]);
      const layers = Array.from({ length: 100 }, (_, layer) =>
        input(`w${layer}`, [widthOf(layer), widthOf(layer + 1)]),
      );
      layers.reduce((value, w) => value.matmul(w).tanh(), x);
    });
    const scripts: string[] = [];
    const counting: Solver = {
      ...lent(solver),
      ask: (query) => {
        scripts.push(query.script.text);
        return solver.ask(query);
      },
    };
    const { code, out } = await asked(deep, { accumulator: "quire:posit16" }, counting);
    expect(code).toBe(exitCodes.agrees);
    expect(out.match(/^✓ node /gm)?.length).toBe(300);
    expect(out).toContain("98 of 98 kinds of sums fit");
    expect(scripts.length).toBe(6);
    expect(Math.max(...scripts.map(({ length }) => length))).toBeLessThan(4000);
  });

  test("is quiet where nothing is added up", async () => {
    const { code, out } = await asked(graph(({ input }) => void input("x", [3]).exp()));
    expect(code).toBe(exitCodes.agrees);
    expect(out).toContain("The graph and its gradient add nothing up.");
  });

  test("refuses a graph that the planner does not take", async () => {
    const { code } = await asked(graph(({ iota }) => void iota({ shape: [2 ** 25], axis: 0 })));
    expect(code).toBe(exitCodes.badInput);
  });

  test("--explain prints the two obligations", async () => {
    const { out } = await asked(layer, { accumulator: "int32:8", explain: true });
    expect(out).toContain("(set-logic QF_LIA)");
    expect(out).toContain("(and (<= 0 k) (<= k 600) (<= (* (- 16256) k) sum) (<= sum (* 16384 k)))");
    expect(out).toContain("(set-logic QF_BV)");
  });

  test("refuses what it cannot be asked", async () => {
    const perceptron = "docs/examples/perceptron.adj";
    const ranges = join(folder, "perceptron.ranges.json");
    const inputs = { x: [-1, 1], w1: [-1, 1], w2: [-1, 1] };
    await writeFile(ranges, JSON.stringify({ format: "adjudge.ranges.v1", inputs }));
    for (const [words, why] of [
      [["--accumulator", "int32"], "none is given"],
      [["tape/step", "--widths", perceptron], "leave out the id"],
      [["--only", "tape", "--widths", perceptron], "leave out the id"],
      [["--widths", perceptron, "--batches", "67108865"], "at most 67108864"],
      [["--widths", perceptron, "--accumulator", "int33"], 'did you mean "int32"?'],
      [["--widths", perceptron, "--within", "0.1"], "nothing says between which numbers"],
      [["--widths", perceptron, "--of", "99"], "widths/id at /of/0"],
      [
        ["--widths", perceptron, "--accumulator", "int32", "--ranges", ranges],
        "widths/ranges at /accumulator",
      ],
    ] as const) {
      const { code, notes } = await adjudge("prove", ...words);
      expect([code, notes]).toEqual([exitCodes.badInput, expect.stringContaining(why)]);
    }
  });
});
