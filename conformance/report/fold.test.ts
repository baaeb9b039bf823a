import { createColors } from "picocolors";
import { expect, test } from "vitest";
import { folded } from "./fold.ts";
import { narrowed } from "./folded.ts";

const words = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen";

test.each([20, 40, 80, 120])("text is folded to %i columns, and no word is lost", (columns) => {
  const lines = folded(words, "> ", columns);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(columns);
  expect(lines.map((line) => line.slice(2)).join(" ")).toBe(words);
  // One more word would not have fitted.
  for (const [place, line] of lines.slice(0, -1).entries()) {
    const [next = ""] = (lines[place + 1] ?? "").trim().split(" ");
    expect(line.length + 1 + next.length).toBeGreaterThan(columns);
  }
});

test("colours take no columns", () => {
  const { green } = createColors(true);
  const lines = folded(`${green("✓")} ${words}`, `${green("✓")} `, 40);
  const plain = folded(`✓ ${words}`, "✓ ", 40);
  expect(lines.map((line) => line.replaceAll(green("✓"), "✓"))).toEqual(plain);
});

test.each([
  ["│  ├─ one two four", 12, ["│  ├─ one", "│  │    two", "│  │    four"]],
  ["   └─ one two three", 14, ["   └─ one two", "        three"]],
  ["  name      [0, 1]    float16   posit16", 20, ["  name      [0, 1]", "    float16", "    posit16"]],
  ["a_word_that_is_longer and another", 12, ["a_word_tha", "  t_is_longe", "  r and", "  another"]],
  ["short", 40, ["short"]],
] as const)("a line of a table or tree is folded below its own indent: %s", (line, width, lines) => {
  expect(narrowed(line, width)).toEqual(lines);
});
