import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { expect, test } from "vitest";
import { sampled } from "../spec/sampled.test.kit.ts";
import { exchangesOf, expectPrinted } from "./sessions.test.kit.ts";

const { CC = "cc" } = process.env;
const hasCompiler = spawnSync(CC, ["--version"]).status === 0;
if (!hasCompiler) console.warn("There is no C compiler; the storage profile of docs/claims.md is not run.");

// Proofs take longer, and are in claims.slow.test.ts.
const claims = exchangesOf("docs/claims.md").filter(
  ({ argv: [command] }) => command !== "prove" && (hasCompiler || command !== "storage-profile"),
);

test("every claim of the page stands above a command that shows it", () => {
  const page = readFileSync(new URL("../docs/claims.md", import.meta.url), "utf8");
  const [shown = "", open = ""] = page.split("\n## What holds in part");
  expect(open).toContain("\n| ");
  const [, ...sections] = shown.split(/^## /m);
  expect(sections.length).toBeGreaterThan(3);
  for (const section of sections) {
    // Behind the title and its sentence, paragraphs and blocks alternate.
    const [, , ...parts] = section
      .replaceAll(/^```console\n[\s\S]*?^```$/gm, "```")
      .trim()
      .split(/\n\n+/);
    expect(parts.filter((part, i) => (part === "```") !== (i % 2 === 1))).toEqual([]);
  }
});

test.each(sampled("claims", claims, 4))("the claim is shown by $argv", async (exchange) => {
  await expectPrinted(exchange);
});
