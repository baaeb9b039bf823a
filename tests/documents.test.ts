import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { anchorsOf } from "./told.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Paths of what git does not have: it is installed, or built. */
const INSTALLED = /(?:^|[\\/])(?:\.git|\.venv|\.lake|built|dist|node_modules|target)(?:$|[\\/])/;

const pages = new Map(filesThatEnd(".md").map((path) => [path, readFileSync(`${root}/${path}`, "utf8")]));

/** Lists the files of the project whose names end so, but for what is installed. */
function filesThatEnd(end: string): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter(({ name }) => !INSTALLED.test(name))
    .flatMap((entry) =>
      entry.isDirectory()
        ? readdirSync(`${root}/${entry.name}`, { recursive: true, encoding: "utf8" })
            .filter((name) => !INSTALLED.test(name))
            .map((name) => posix.join(entry.name, name.replaceAll("\\", "/")))
        : entry.name,
    )
    .filter((path) => path.endsWith(end));
}

/** Lists the lines of comments that are longer than the 110 columns to which the formatter holds code. */
function longCommentsOf(path: string, source: string): string[] {
  return source
    .split("\n")
    .flatMap((line, n) => (line.length > 110 && /^ *(?:\/[/*]|\*)/.test(line) ? [`${path}:${n + 1}`] : []));
}

/** Lists the lines of prose over a hundred characters that could be broken: no code, link or table. */
function longLinesOf(page: string): string[] {
  const lines = page.replaceAll(/^```[\s\S]*?^```/gm, "").split("\n");
  const isProse = (line: string): boolean => !/^(?:\||!\[| {4})/.test(line);
  return lines.filter(
    (line) => isProse(line) && line.length > 100 && line.replaceAll(/`[^`]*`|<[^>]*>/g, "").length > 60,
  );
}

/** Lists the links of a page into the project: paths, with the anchors behind them. */
function linksOf(path: string, page: string): string[] {
  const links = page.replaceAll(/^```[\s\S]*?^```/gm, "").matchAll(/\]\((?!https?:)([^)\s]+)\)/g);
  return [...links].map(([, to = ""]) =>
    to.startsWith("#") ? path + to : posix.join(posix.dirname(path), to),
  );
}

/** The pages that a page links to, by their paths; a link to a folder is one to its README. */
function linkedFrom(path: string, page: string): string[] {
  return linksOf(path, page)
    .map((link) => link.replace(/#.*/, ""))
    .map((to) => (pages.has(posix.join(to, "README.md")) ? posix.join(to, "README.md") : to))
    .filter((to) => to.endsWith(".md"));
}

/** The links of a page that lead nowhere. */
function deadLinksOf(path: string, page: string): string[] {
  return linksOf(path, page).filter((link) => {
    const [to = "", anchor] = link.split("#");
    if (INSTALLED.test(to) || !existsSync(`${root}/${to}`)) return true;
    return anchor !== undefined && !anchorsOf(pages.get(to) ?? "").includes(anchor);
  });
}

test.each([...pages])("%s has lines of at most a hundred characters, but for tables and code", (_, page) => {
  expect(longLinesOf(page)).toEqual([]);
});

test("comments of TypeScript have lines of at most 110 columns", () => {
  const paths = filesThatEnd(".ts");
  expect(paths.length).toBeGreaterThan(1_500);
  const faults = paths.flatMap((path) => longCommentsOf(path, readFileSync(`${root}/${path}`, "utf8")));
  expect(faults).toEqual([]);
});

test("a comment of 111 columns would be noticed, and one of 110 not", () => {
  const lines = ["/** a", " * a", "  // a", "const a = 1; // a"];
  const wide = (columns: number): string => lines.map((line) => line.padEnd(columns, ".")).join("\n");
  expect(longCommentsOf("a.ts", wide(110))).toEqual([]);
  expect(longCommentsOf("a.ts", wide(111))).toEqual(["a.ts:1", "a.ts:2", "a.ts:3"]);
});

/** Lists where a page counts one as many: "1 cases". */
function wrongPlurals(page: string): string[] {
  const nouns =
    "cases|numbers|parents|elements|inputs|operators|nodes|programs|scripts|findings|faults|steps|vectors|seeds|values|questions|obligations|mutants|engines|words|bytes|kinds|reasons";
  return page.match(new RegExp(`(?<![\\w.,/·×^−–-])1 (?:${nouns})\\b`, "g")) ?? [];
}

test.each([...pages])("%s counts one as one", (_, page) => {
  expect(wrongPlurals(page)).toEqual([]);
});

test("one counted as many would be noticed", () => {
  expect(wrongPlurals("1 cases, 21 cases, 0.1 steps, 1 case, a_1 nodes, (1 numbers)")).toEqual([
    "1 cases",
    "1 numbers",
  ]);
});

test.each([...pages])("%s links to what is there", (path, page) => {
  expect(deadLinksOf(path, page)).toEqual([]);
});

test("every page can be reached from the README", () => {
  const reached = new Set(["README.md"]);
  for (const path of reached) for (const to of linkedFrom(path, pages.get(path) ?? "")) reached.add(to);
  expect([...pages.keys()].filter((path) => !reached.has(path))).toEqual([]);
});

test("a long line, a page that is nowhere and a link that leads nowhere would be noticed", () => {
  const words = "word ".repeat(25);
  expect(longLinesOf(`${words}\n| ${words} |\n\`\`\`\n${words}\n\`\`\``)).toEqual([words]);
  expect(linkedFrom("docs/a.md", "[b](b.md), [c](../c.md#d), [d](https://x.y/z.md)")).toEqual([
    "docs/b.md",
    "c.md",
  ]);
  const links = "[a](../README.md#two-commands), [b](../README.md#nowhere), [c](nowhere.ts), [d](built/x)";
  expect(deadLinksOf("docs/x.md", links)).toEqual(["README.md#nowhere", "docs/nowhere.ts", "docs/built/x"]);
});

test.each(readdirSync(`${root}/.github/ISSUE_TEMPLATE`))("%s is a form as GitHub reads it", (name) => {
  const schema = createRequire(import.meta.url)(
    `schemastore/schemas/json/github-issue-${name === "config.yml" ? "config" : "forms"}.json`,
  );
  const isForm = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  const form: unknown = parse(readFileSync(`${root}/.github/ISSUE_TEMPLATE/${name}`, "utf8"));
  expect([isForm(form), isForm.errors]).toEqual([true, null]);
  expect(isForm({ ...Object(form), body: "none", blank_issues_enabled: "perhaps" })).toBe(false);
});
