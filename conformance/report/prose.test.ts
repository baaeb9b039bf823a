import { describe, expect, test } from "vitest";
import { prose, wrapped } from "./prose.ts";

describe("prose", () => {
  test("fills lines up to a hundred characters, and no further", () => {
    const lines = prose(Array.from({ length: 60 }, (_, i) => "x".repeat((i % 7) + 1)).join(" "));
    expect(lines.every((line) => line.length <= 100)).toBe(true);
    expect(
      lines.slice(0, -1).every((line, i) => line.length + 1 + (lines[i + 1] ?? "").indexOf(" ") > 100),
    ).toBe(true);
  });

  test("indents all but the first, and keeps code and long words whole", () => {
    const code = `\`${"a b ".repeat(30)}\``;
    expect(prose(`- see ${code} and more`, "  ")).toEqual(["- see", `  ${code}`, "  and more"]);
    expect(prose("short")).toEqual(["short"]);
  });
});

test("a document keeps everything but its paragraphs", () => {
  const long = "word ".repeat(40).trim();
  const kept = ["# Title", `| ${long} |\n| --- |`, `- ${long}\n- b`, "```\ncode\n```"];
  const [paragraph = "", ...others] = wrapped([long, ...kept].join("\n\n")).split("\n\n");
  expect(others).toEqual(kept);
  expect(paragraph.split("\n").length).toBe(2);
});
