import { spawnSync } from "node:child_process";
import process from "node:process";
import { expect, test } from "vitest";
import { adjudge } from "../cli/process/recording.test.kit.ts";
import { sampled } from "../spec/sampled.test.kit.ts";
import { exchangesIn, exchangesOf, expectPrinted, patternOf } from "./sessions.test.kit.ts";

const { CC = "cc" } = process.env;
const hasCompiler = spawnSync(CC, ["--version"]).status === 0;
if (!hasCompiler) console.warn("There is no C compiler; the session of docs/storage-profile.md is not run.");

const sessions = [
  "README.md",
  "docs/derivatives.md",
  "docs/formats.md",
  "docs/gradients.md",
  "docs/forward-gradients.md",
  "docs/judging.md",
  "docs/lifetimes.md",
  "docs/models.md",
  "docs/posits.md",
  "docs/programs.md",
  ...(hasCompiler ? ["docs/storage-profile.md"] : []),
  "docs/tapes.md",
  "docs/tour.md",
  "docs/units.md",
];

const exchanges = sessions.flatMap(exchangesOf);

test("the pages show sessions", () => {
  for (const path of sessions)
    expect(exchanges.filter((exchange) => exchange.path === path).length).toBeGreaterThan(0);
  expect(exchanges.length).toBeGreaterThan(12);
});

test.each(
  sampled("sessions", exchanges, 12),
)("$path prints what the command prints: $argv", async (exchange) => {
  await expectPrinted(exchange);
});

test("another output would be noticed", async () => {
  const [exchange] = exchangesIn('```console\n$ adjudge --version "a b"\nx\n```');
  expect(exchange).toEqual({ argv: ["--version", "a b"], printed: "x" });
  expect((await adjudge("--version")).out).not.toBe("x");
  await expect(expectPrinted({ argv: ["--version"], printed: "x" })).rejects.toThrow();
});

test.each<[printed: string, output: string, isPrinted: boolean]>([
  ["a\nb", "a\nb", true],
  ["a\nb", "a\nb\nc", false],
  ["a\n…", "a\nb\nc", true],
  ["b\n…", "a\nb\nc", false],
  ["…\nc", "a\nb\nc", true],
  ["a\n…\nc", "a\nb\nc", true],
  ["a\n…\nd", "a\nb\nc", false],
  ["…\nc\n…\nb", "a\nb\nc", false],
  ["…\nb", "a\nbb", false],
  ["a … ms", "a 12 ms", true],
  ["a … ms", "a 12 s", false],
])("what is left out may be anything, and nothing else may: %j of %j, %j", (printed, output, isPrinted) => {
  expect(patternOf(printed).test(output)).toBe(isPrinted);
});
