import { createColors } from "picocolors";
import { expect, test } from "vitest";
import { main } from "../process/main.ts";
import { testee } from "../process/recording.test.kit.ts";

/** Judges a wrong engine on a terminal of so many columns, and lists the lines that are printed. */
async function printed(columns: number, ...flags: string[]): Promise<string[]> {
  const lines: string[] = [];
  const keep = (line: string): number => lines.push(...line.split("\n"));
  const terminal = { palette: createColors(false), columns, out: keep, note: () => {}, progress: () => {} };
  const asked = ["-n", "25", "-d", "float64", "--seconds", "0", "--laws-every", "0", "--exclude", "exp"];
  await main(["judge", "-e", testee("mutant", "operand_dropped"), ...asked, ...flags], terminal);
  return lines;
}

test("a run is told in the columns there are, and in no fewer lines than fit", async () => {
  const told = new Map<number, string[]>();
  for (const columns of [80, 100, 120]) told.set(columns, await printed(columns, "-v"));
  for (const [columns, lines] of told) {
    // Commands and graphs are not broken, so that they can be copied; tables need some columns.
    const prose = lines.filter((line) => !/replay|^ {4,}|^\s*[[(]?\d|[│|]|\d+ +\d+/.test(line));
    expect(prose.filter((line) => line.length > columns && line.trim().includes(" "))).toEqual([]);
  }
  const count = (columns: number): number => told.get(columns)?.length ?? 0;
  expect(count(80)).toBeGreaterThan(count(120));
});

test("with -q it is what is wrong, and a last line; with -v also what engines declare and what was drawn", async () => {
  const [quiet, usual, verbose] = [await printed(80, "-q"), await printed(80), await printed(80, "-v")];
  const hasShares = (lines: readonly string[]): boolean =>
    lines.some((line) => line.startsWith("drawn from"));
  expect([quiet, usual, verbose].map(hasShares)).toEqual([false, false, true]);
  expect([quiet, usual, verbose].map((lines) => lines.some((line) => line.startsWith("error[")))).toEqual([
    true,
    true,
    true,
  ]);
  expect(quiet.length).toBeLessThan(usual.length);
  expect(usual.length).toBeLessThan(verbose.length);
  expect(quiet.at(-1)).toBe(usual.at(-1));
});
