import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { anchorsOf } from "./told.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

const pages = new Map(
  ["README.md", "CHANGELOG.md", ...pagesIn("spec"), ...pagesIn("docs")].map((path) => [
    path,
    readFileSync(`${root}/${path}`, "utf8"),
  ]),
);

function pagesIn(folder: string): string[] {
  const names = readdirSync(`${root}/${folder}`, { recursive: true, encoding: "utf8" });
  return (
    names
      // What npm run docs has built is no part of the repository.
      .filter((name) => name.endsWith(".md") && !name.startsWith("built"))
      .map((name) => posix.join(folder, name.replaceAll("\\", "/")))
  );
}

/** The lines of prose that are longer than a hundred characters though they could be broken: not in code, a link or a table. */
function longLinesOf(page: string): string[] {
  const lines = page.replaceAll(/^```[\s\S]*?^```/gm, "").split("\n");
  const isProse = (line: string): boolean => !/^(?:\||!\[| {4})/.test(line);
  return lines.filter(
    (line) => isProse(line) && line.length > 100 && line.replaceAll(/`[^`]*`|<[^>]*>/g, "").length > 60,
  );
}

/** A page without its code. */
function proseOf(page: string): string {
  return page.replaceAll(/^ {4}.*$|`[^`]*`/gm, "");
}

/** The files that a page links to, by their paths. */
function linkedFrom(path: string, page: string): string[] {
  const links = [...proseOf(page).matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(([, to = ""]) => to);
  return links.map((to) => posix.join(posix.dirname(path), to));
}

/** The links of a page that lead nowhere in a clone: to files that are missing or built, or to missing headings. */
function deadLinksOf(path: string, page: string): string[] {
  const files = linkedFrom(path, page).filter(
    (to) => to.startsWith("docs/built") || !existsSync(`${root}/${to}`),
  );
  const headings = [...proseOf(page).matchAll(/\]\(([^):\s]*)#([^)\s]+)\)/g)].flatMap(
    ([, to = "", anchor = ""]) => {
      const target = to === "" ? page : pages.get(posix.join(posix.dirname(path), to));
      return target === undefined || anchorsOf(target).includes(anchor) ? [] : [`${to}#${anchor}`];
    },
  );
  return [...files, ...headings];
}

test.each([...pages])("%s has lines of at most a hundred characters, but for tables and code", (_, page) => {
  expect(longLinesOf(page)).toEqual([]);
});

test.each([...pages])("%s links to files that are there", (path, page) => {
  expect(deadLinksOf(path, page)).toEqual([]);
});

test("every page can be reached from the README", () => {
  const reached = new Set(["README.md"]);
  for (const path of reached) for (const to of linkedFrom(path, pages.get(path) ?? "")) reached.add(to);
  expect([...pages.keys()].filter((path) => !reached.has(path))).toEqual([]);
});

test("a long line and a file that is nowhere would be noticed", () => {
  const words = "word ".repeat(25);
  expect(longLinesOf(`${words}\n| ${words} |\n\`\`\`\n${words}\n\`\`\``)).toEqual([words]);
  expect(linkedFrom("docs/a.md", "[b](b.md), [c](../c.md#d), [d](https://x.y/z.md)")).toEqual([
    "docs/b.md",
    "c.md",
  ]);
  expect(
    deadLinksOf(
      "docs/a.md",
      "[b](ci.md), [c](nowhere.html), [d](built/index.md), [e](ci.md#c), [f](ci.md#gitlab)",
    ),
  ).toEqual(["docs/nowhere.html", "docs/built/index.md", "ci.md#c"]);
});
