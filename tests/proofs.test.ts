import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { allObligations } from "../oracle/obligations/index.ts";

const folder = new URL("../docs/", import.meta.url);
const page = readFileSync(new URL("proofs.md", folder), "utf8");

/** The rows of the tables: statement, Lean, TypeScript, property test, obligation. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| Statement") && !line.startsWith("| ---"))
  .map((line) => line.slice(2, -2).split(" | "));

/** Finds faults of a cell's links: each must name something that its file has. */
function missingIn(cell: string, has: (text: string, name: string) => boolean): readonly string[] {
  const links = [...cell.matchAll(/\[`?([^\]]+?)`?\]\(([^)]+)\)/g)];
  if (links.length === 0) return cell === "none" ? [] : [`${cell} is neither a link nor "none"`];
  return links.flatMap(([, name = "", path = ""]) => {
    const file = new URL(path, folder);
    return existsSync(file) && has(readFileSync(file, "utf8"), name) ? [] : [`${name} is not in ${path}`];
  });
}

/**
 * Lean's environment has these, as `NAME : TYPE`. `node lean-export/run/main.ts --theorems docs/proofs.md`
 * writes the list, and `npm run lean` compares it with the environment.
 */
const theorems = readFileSync(new URL("../lean-export/theorems.txt", folder), "utf8").split("\n");

/** A theorem is in Lean's environment, about the library's own constants, and in the named file. */
const isTheorem = (text: string, name: string): boolean =>
  text.includes(name.split(".").at(-1) ?? name) &&
  theorems.some((line) => line.split(" : ", 1)[0]?.endsWith(`.${name}`) && / : .*Adjudge\./.test(line));

/** Declared and exported, or a row of a table. */
const isExported = (text: string, name: string): boolean =>
  new RegExp(`^(?:export (?:function|const|interface) |  )${name}\\b`, "m").test(text);

const isTitle = (text: string, title: string): boolean => text.includes(title);

const obligations = new Set((await allObligations()).map(({ id }) => id));

describe("docs/proofs.md", () => {
  test("has rows of five cells", () => {
    expect(rows.length).toBeGreaterThan(40);
    expect(rows.filter((cells) => cells.length !== 5)).toEqual([]);
  });

  test("names theorems that are in the Lean files", () => {
    expect(rows.flatMap(([, lean = ""]) => missingIn(lean, isTheorem))).toEqual([]);
  });

  test("names TypeScript that is exported", () => {
    expect(rows.flatMap(([, , typescript = ""]) => missingIn(typescript, isExported))).toEqual([]);
  });

  test("names tests that are there", () => {
    expect(rows.flatMap(([, , , title = ""]) => missingIn(title, isTitle))).toEqual([]);
  });

  test("names obligations that are asked", () => {
    const named = rows.flatMap(([, , , , cell = ""]) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, id = ""]) => id),
    );
    expect(named.filter((id) => !obligations.has(id))).toEqual([]);
    expect(named.length).toBeGreaterThan(20);
  });

  test("would not pass with a name that nothing has", () => {
    expect(
      missingIn("[`compile_is_magic`](../lean-export/lean/Adjudge/Compile.lean)", isTheorem),
    ).not.toEqual([]);
    expect(missingIn("[`compile`](../reference/nowhere.ts)", isExported)).not.toEqual([]);
    expect(missingIn("surely", isTitle)).not.toEqual([]);
  });
});
