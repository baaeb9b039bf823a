import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { sampled } from "../spec/sampled.test.kit.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const env = {
  ...process.env,
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  NO_COLOR: "1",
};

const tour = readFileSync(new URL("../docs/tour.md", import.meta.url), "utf8");

/** A stranger reads the README in five minutes; what is longer belongs into docs. */
const MOST_WORDS = 900;

/** Lists every line of a page's blocks marked `sh`. */
function commandsOf(page: string): string[] {
  return [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = ""]) => block.trim().split("\n"));
}

const commands = [readme, tour].flatMap(commandsOf);

/** Commands that a test of the project cannot run inside itself, and who runs them. */
const elsewhere = new Map([
  ["npm ci && npm start", "installs over this run's feet; run in a fresh clone"],
  ["npm cit", "is what runs this test"],
]);

test("the README and the tour name commands, and the README the two that do everything", () => {
  expect(commands.length).toBeGreaterThan(5);
  for (const command of elsewhere.keys()) expect(commandsOf(readme)).toContain(command);
});

test("the README is short", () => {
  expect(readme.trim().split(/\s+/).length).toBeLessThanOrEqual(MOST_WORDS);
});

const runHere = commands.filter((command) => !elsewhere.has(command));

test.each(sampled("commands", runHere, 3))("the command of README or tour runs: %s", async (command) => {
  // What many cases find is for campaigns to say.
  const shortened = command.replace(/ -n \d+$/, " -n 20");
  const { stdout } = await promisify(execFile)("sh", ["-c", shortened], { cwd: root, env });
  expect(stdout).not.toBe("");
});
