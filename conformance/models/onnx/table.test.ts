import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { rules } from "./operators/table.ts";
import { versions } from "./run.ts";

const page = readFileSync(new URL("../../../docs/models.md", import.meta.url), "utf8");

/** Returns the operators in the first column of the table under a heading. */
function namedIn(text: string, heading: string): readonly string[] {
  const [, rest = ""] = text.split(`| ${heading} |`);
  const [table = ""] = rest.split("\n\n");
  return table
    .split("\n")
    .map((line) => line.split("|")[1] ?? "")
    .flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name));
}

const isRead = namedIn(page, "operators");
const isRefused = namedIn(page, "refused operators");

test("the page lists each operator that is read, once", () => {
  expect(isRead.toSorted()).toEqual([...rules.keys(), "If", "Loop"].toSorted());
  expect(isRead.length).toBeGreaterThan(100);
});

test("the page lists operators that are refused, none of which is read", () => {
  expect(isRefused.length).toBeGreaterThan(50);
  expect(new Set(isRefused).size).toBe(isRefused.length);
  expect(isRefused.filter((name) => isRead.includes(name))).toEqual([]);
});

test("the page says which versions there are, and how many operators ONNX has", () => {
  expect(page).toContain(`Versions ${versions[0]} to ${versions[1]} of ONNX's own operators`);
  // ONNX 1.23 has so many, those that it has replaced among them.
  expect(isRead.length + isRefused.length).toBe(203);
});

test("an operator that is not on the page would be missed", () => {
  const without = page.replace("`Abs` ", "");
  expect(namedIn(without, "operators").length).toBe(isRead.length - 1);
});
