import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { exitCodes } from "../cli/terminal/exit.ts";
import { pythonTestee } from "../conformance/testees/index.ts";
import { splitWords } from "../conformance/testees/shell_words.ts";
import { isPrinted, resolved } from "./pages.test.kit.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** The environment of the commands; the folders come first on the path. */
function environment(...folders: readonly string[]): NodeJS.ProcessEnv {
  const PATH = [...folders, dirname(process.execPath), process.env.PATH].join(delimiter);
  return { ...process.env, PATH, PYTHONPATH: join(root, "python/src"), NO_COLOR: "1" };
}

// Inside the project, where the packages that a page's code imports are found.
const cache = join(root, "node_modules/.cache");
mkdirSync(cache, { recursive: true });
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A page shows a file, or a command with what it prints. */
type Step =
  | { readonly file: string; readonly text: string }
  | { readonly command: string; readonly shown: string };

/** Lists the steps of a page, in its order: blocks that are named as files are, and those of a console. */
function stepsOf(page: string): readonly Step[] {
  return [...page.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].flatMap(
    ([, language, file, text = ""]): readonly Step[] => {
      if (file !== undefined) return [{ file, text }];
      if (language !== "console") return [];
      return [...text.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)].map(([, command = "", shown = ""]) => ({
        command,
        shown: shown.trimEnd(),
      }));
    },
  );
}

/** What a command of a page prints, on either output, and its exit code. */
function printedBy(command: string, folder: string): { readonly code: number | null; readonly out: string } {
  const [name = "", ...words] = splitWords(command);
  const argv = name === "adjudge" ? ["node", join(root, "cli/adjudge.ts"), ...words] : [name, ...words];
  const env = environment(...(numpyPython === undefined ? [] : [dirname(numpyPython)]));
  const ran = spawnSync(argv[0] ?? "", argv.slice(1), { cwd: folder, env, encoding: "utf8" });
  return { code: ran.status, out: (ran.stdout + ran.stderr).trimEnd() };
}

/** Python with NumPy, as the adapters in Python need it; undefined where there is none. */
const numpyPython = pythonTestee("", "numpy")?.argv[0];
if (numpyPython === undefined)
  console.warn("There is no Python with NumPy (setup.py); the adapter of docs/protocol.md is not run.");

const hasPython = spawnSync("python3", ["--version"]).status === 0;
if (!hasPython) console.warn("There is no Python; the last steps of docs/your-model.md are not run.");

/** Does what a page says, in a folder of its own, and lists the commands that print something else. */
function strangeSteps(page: string): readonly unknown[] {
  const folder = mkdtempSync(join(cache, "tutorial-"));
  folders.push(folder);
  const all = stepsOf(page);
  const python = all.findIndex((step) => "command" in step && step.command.startsWith("python3 "));
  const steps = python < 0 || hasPython ? all : all.slice(0, python);
  return steps.flatMap((step): readonly unknown[] => {
    if ("file" in step) {
      writeFileSync(join(folder, step.file), resolved(step.text));
      return [];
    }
    const { code, out } = printedBy(step.command, folder);
    const isMistaken = /^✗ text\//m.test(step.shown);
    const due = isMistaken ? exitCodes.badInput : exitCodes[/^✗/m.test(step.shown) ? "disagrees" : "agrees"];
    return code === due && isPrinted(out, step.shown) ? [] : [{ ...step, code, out }];
  });
}

const read = (path: string): string => readFileSync(join(root, path), "utf8");

describe("a newcomer", () => {
  test.each([
    "docs/tutorial.md",
    "docs/your-model.md",
  ])("who does what %s says sees what it shows", (path) => {
    expect(stepsOf(read(path)).length).toBeGreaterThan(8);
    expect(strangeSteps(read(path))).toEqual([]);
  }, 120_000);

  test.skipIf(numpyPython === undefined)(
    "who writes the adapter in Python sees that its engine is right, and a wrong one is wrong",
    () => {
      expect(stepsOf(read("docs/protocol.md")).filter((step) => "command" in step)).toHaveLength(3);
      expect(strangeSteps(read("docs/protocol.md"))).toEqual([]);
    },
    120_000,
  );
});

test("another file, another output and another exit code would be noticed", () => {
  const page = (file: string, shown: string): string =>
    `\`\`\`adj a.adj\n${file}\n\`\`\`\n\n\`\`\`console\n$ adjudge show a.adj\n${shown}\n\`\`\`\n`;
  const graph = "graph a(x)\n  x * x";
  expect(strangeSteps(page(graph, "graph a(x)\n  %1: [] = x * x"))).toEqual([]);
  expect(strangeSteps(page(graph, "graph a(x)\n…"))).toEqual([]);
  for (const [file, shown] of [
    ["graph a(x)\n  x + x", "graph a(x)\n  %1: [] = x * x"],
    [graph, "graph a(x)"],
    [graph, "…\n  %1 = x"],
    [graph, "✗ graph a(x)\n…"],
  ] as const)
    expect(strangeSteps(page(file, shown))).toHaveLength(1);
});
