import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { exitCodes } from "../terminal/exit.ts";
import { adjudge, type Recorded } from "./recording.test.kit.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-foreign-"));
afterAll(() => rm(folder, { recursive: true }));

const engines = fileURLToPath(new URL("../../conformance/runner/hostile/engines.ts", import.meta.url));
const painter = [process.execPath, engines, "paints_the_terminal"];
const engine = painter.map((word) => `"${word}"`).join(" ");

/** A terminal must get no invisible character of foreign texts but the ends of our own lines. */
const unseen = /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|(?!\n)\p{Cc}/u;

function expectClean({ out, notes }: Recorded): void {
  expect(`${out}\n${notes}`).not.toMatch(unseen);
  expect(`${out}\n${notes}`).not.toMatch(/^\s*✓ all agree/m);
}

describe("what an engine says", () => {
  test.each([
    { argv: ["judge", "-e", engine, "-n", "12", "--profile", "tensor"] },
    { argv: ["smoke", "--", ...painter] },
  ])("is shown, and moves nothing: $argv.0", async ({ argv }) => {
    const recorded = await adjudge(...argv);
    expectClean(recorded);
    expect(recorded.out).toContain("\\u{1b}[2J");
  });
});

describe("what a file says", () => {
  const paint = "\u001b[2J\u202e\n✓ all agree";
  const graph = {
    format: "adjudge.graph.v1",
    inputs: [{ name: "x", shape: [] }],
    environment: [],
    nodes: [],
  };
  const node = { op: "sin", attributes: {}, parents: [0] };
  const derivativeOf = (inner: unknown, mode = "jvp"): unknown => ({
    op: "differentiate",
    attributes: { graph: inner, mode, of: 0, wrt: 0 },
    parents: [0, 0],
  });
  const written = JSON.stringify(paint);
  test.each([
    ["the name of a graph", `graph ${written}(x)\n  y = x * x\nat x = 3\n`],
    ["a note", `graph f(x)\n  y = x * x\nat x = 3\nnote ${written}\n`],
    [
      "a choice of a policy",
      `graph f(x)\n  y = x * x\nat x = 3\npolicy ${written} a b\nexpect value y = 9\n`,
    ],
    ["an operator", `graph f(x)\n  y = ${written}(x)\nat x = 3\n`],
    ["an input of a text", `graph f(${written})\n  y = 1\nat ${written} = 3\n`],
    ["what is no text", paint],
  ])("of a text moves nothing: %s", async (_, text) => {
    const file = join(folder, "graph.adj");
    await writeFile(file, text);
    const engine = ["-e", "interpreter"];
    for (const argv of [
      ["check"],
      ["check", "--json"],
      ["show"],
      ["run"],
      ["judge", ...engine],
      ["replay", ...engine],
    ])
      expectClean(await adjudge(...argv, file));
    for (const argv of [
      ["judge", "--list", "vectors"],
      ["fmt"],
      ["derive", "--mode", "vjp"],
      ["issue", ...engine],
    ])
      expectClean(await adjudge(...argv, file));
    expectClean(await adjudge("convert", file, "-", "--to", "adj"));
    expectClean(await adjudge("run", `${file}#${paint}`));
  });

  test.each([
    ["the name of an input", { ...graph, inputs: [{ name: paint, shape: [] }] }],
    ["a key", { ...graph, [paint]: 1 }],
    ["an operator", { ...graph, nodes: [{ op: paint, attributes: {}, parents: [0] }] }],
    ["an attribute", { ...graph, nodes: [{ op: "sin", attributes: { [paint]: paint }, parents: [0] }] }],
    ["the format", { ...graph, format: paint }],
    [
      "an inner name",
      { ...graph, nodes: [derivativeOf({ ...graph, inputs: [{ name: paint, shape: [] }] })] },
    ],
    ["an inner operator", { ...graph, nodes: [derivativeOf({ ...graph, nodes: [{ ...node, op: paint }] })] }],
    [
      "an inner entry",
      {
        ...graph,
        nodes: [derivativeOf({ ...graph, environment: [{ name: paint, kind: "real", shape: [] }] })],
      },
    ],
    ["a mode", { ...graph, nodes: [derivativeOf(graph, paint)] }],
  ])("is refused with words that move nothing: %s", async (_, document) => {
    const file = join(folder, "graph.json");
    await writeFile(file, JSON.stringify(document));
    for (const argv of [["check"], ["show"], ["derive", "--mode", "vjp"], ["lifetimes"]]) {
      const recorded = await adjudge(...argv, file);
      expectClean(recorded);
      expect(recorded.code).toBe(exitCodes.badInput);
    }
  });
});
