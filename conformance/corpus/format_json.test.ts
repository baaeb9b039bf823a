import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatJson } from "./format_json.ts";

describe("formatJson", () => {
  test("writes JSON that parses to the same value", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.parse(formatJson(JSON.parse(text)))).toEqual(JSON.parse(text));
      }),
      { seed: 11 },
    );
  });

  test("keeps what fits on one line, and breaks anything else at its entries", () => {
    expect(formatJson({ a: [1, 2], b: {} })).toBe('{ "a": [1, 2], "b": {} }');
    const long = "x".repeat(60);
    expect(formatJson({ a: [long, long], b: 1 })).toBe(
      `{\n "a": [\n  "${long}",\n  "${long}"\n ],\n "b": 1\n}`,
    );
  });
});
