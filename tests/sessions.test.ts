import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { adjudge } from "../cli/process/recording.test.kit.ts";
import { exitCodes } from "../cli/terminal/exit.ts";
import { sampled } from "../spec/sampled.test.kit.ts";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");

/** A command of a page, and what the page says that it prints. */
interface Exchange {
  readonly argv: readonly string[];
  readonly printed: string;
}

/** Finds the exchanges in a page's blocks marked `console`: a command behind `$ adjudge`, and its output. */
function exchangesIn(page: string): Exchange[] {
  return [...page.matchAll(/^```console\n([\s\S]*?)^```/gm)].flatMap(([, block = ""]) =>
    block
      .split(/^\$ adjudge /m)
      .slice(1)
      .map((part) => {
        const [command = "", ...lines] = part.trimEnd().split("\n");
        return { argv: command.split(" "), printed: lines.join("\n") };
      }),
  );
}

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

const exchanges = sessions.flatMap((path) => {
  const found = exchangesIn(readFileSync(`${root}/${path}`, "utf8"));
  return found.map((exchange) => ({ path, ...exchange }));
});

test("the pages show sessions", () => {
  for (const path of sessions)
    expect(exchanges.filter((exchange) => exchange.path === path).length).toBeGreaterThan(0);
  expect(exchanges.length).toBeGreaterThan(12);
});

test.each(sampled("sessions", exchanges, 12))("$path prints what the command prints: $argv", async ({
  argv,
  printed,
}) => {
  const paths = argv.map((word) => (/^(?:docs|conformance)\//.test(word) ? `${root}/${word}` : word));
  const { code, out: said } = await adjudge(...paths);
  const out = said.replaceAll(`${root}/`, "");
  // What refuses says so, and ends with 1.
  expect(code).toBe(/^(?:✗|error\[)/m.test(printed) ? exitCodes.disagrees : exitCodes.agrees);
  // A page may leave parts off; what it shows stands there in that order.
  const [begins = "", ...rest] = printed.split(/^…$/m);
  expect(rest.length === 0 ? out : out.slice(0, begins.length)).toBe(begins);
  let from = begins.length;
  for (const part of rest.map((text) => text.trim())) {
    const place = out.indexOf(part, from);
    expect(place < 0 ? out : part).toBe(part);
    from = place + part.length;
  }
});

test("another output would be noticed", async () => {
  const [exchange] = exchangesIn("```console\n$ adjudge --version\nx\n```");
  expect(exchange).toEqual({ argv: ["--version"], printed: "x" });
  expect((await adjudge("--version")).out).not.toBe("x");
});
