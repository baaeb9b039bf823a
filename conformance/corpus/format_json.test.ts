import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatJson } from "./format_json.ts";

describe("formatJson", () => {
  test("denotes the value", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.parse(formatJson(JSON.parse(text)))).toEqual(JSON.parse(text));
      }),
      { seed: 11 },
    );
  });

  test("keeps on one line what fits, and breaks what does not at its entries", () => {
    expect(formatJson({ a: [1, 2], b: {} })).toBe('{ "a": [1, 2], "b": {} }');
    const long = "x".repeat(60);
    expect(formatJson({ a: [long, long], b: 1 })).toBe(
      `{\n "a": [\n  "${long}",\n  "${long}"\n ],\n "b": 1\n}`,
    );
  });
});
