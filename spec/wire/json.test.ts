import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatIssue } from "../shapes/result.ts";
import { MAXIMUM_DEPTH, MAXIMUM_VALUES, parseJson } from "./json.ts";
import { findSyntaxFault } from "./syntax.ts";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON texts, many of them with a few characters replaced, dropped or put in. */
const texts = fc
  .tuple(
    fc.json({ maxDepth: 4 }),
    fc.boolean(),
    fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.constantFrom(...'{}[],:"\\u0019.-+eE \n\ttruefalsnxé\u0001')), {
      maxLength: 3,
    }),
  )
  .map(([json, isSpaced, edits]) => {
    const text = isSpaced ? JSON.stringify(JSON.parse(json), null, 1) : json;
    return edits.reduce((edited, [position, dropped, put]) => {
      const at = position % (edited.length + 1);
      return edited.slice(0, at) + put + edited.slice(at + dropped);
    }, text);
  });

function codeOf(text: string): string {
  const parsed = parseJson(text);
  return parsed.ok ? "ok" : parsed.error.map(formatIssue).join("\n");
}

describe("findSyntaxFault", () => {
  it("finds a fault exactly where JSON.parse does", () => {
    let refused = 0;
    fc.assert(
      fc.property(texts, (text) => {
        refused += isJson(text) ? 0 : 1;
        return (findSyntaxFault(text) === undefined) === isJson(text);
      }),
      { seed: 1, numRuns: 10_000 },
    );
    expect(refused).toBeGreaterThan(2_500);
    expect(refused).toBeLessThan(9_500);
  });

  it("points at a token that nothing before it forbids", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const fault = findSyntaxFault(text);
        if (fault === undefined) return true;
        const before = findSyntaxFault(text.slice(0, fault.at));
        return before === undefined || before.at === fault.at;
      }),
      { seed: 2, numRuns: 5_000 },
    );
  });
});

describe("parseJson", () => {
  it("returns what JSON.parse returns", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
      { seed: 4, numRuns: 500 },
    );
  });

  it.each([
    [
      '{"a": 1,}',
      "this is not JSON: line 1, column 9. Hint: expected there: a property name in double quotes",
    ],
    ['{\n  "a": 1\n  "b": 2\n}', 'this is not JSON: line 3, column 3. Hint: expected there: a "," or "}"'],
    ["[1, 2", 'the text ends too early: line 1, column 6. Hint: expected there: a "," or "]"'],
    ["", "the text ends too early: line 1, column 1. Hint: expected there: a value"],
    ["[NaN]", 'this is not JSON: line 1, column 2. Hint: expected there: a value or "]"'],
    ["\n\n[]]", "this is not JSON: line 3, column 3. Hint: expected there: nothing more"],
  ])("says where %j stops being JSON", (text, message) => {
    expect(codeOf(text)).toBe(`json/syntax at the document: ${message}`);
  });

  it("allows the deepest nesting and the most values, and no more", () => {
    const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
    expect(codeOf(nested(MAXIMUM_DEPTH))).toBe("ok");
    expect(codeOf(nested(MAXIMUM_DEPTH + 1))).toContain("json/too-deep");
    const wide = (values: number): string => `[${"1,".repeat(values - 1)}1]`;
    expect(codeOf(wide(MAXIMUM_VALUES))).toBe("ok");
    expect(codeOf(wide(MAXIMUM_VALUES + 1))).toContain("json/too-many-values");
  });

  it("does not count what stands inside strings", () => {
    expect(codeOf(JSON.stringify(`\\"${"[{,".repeat(MAXIMUM_VALUES)}`))).toBe("ok");
  });

  it("refuses a text of over 64 MiB, counted in UTF-8, before it looks at it", () => {
    expect(codeOf(`"${"€".repeat(2 ** 26 / 3)}"`)).toContain("json/too-long");
  });
});

describe("a file of another encoding", () => {
  it.each([
    ["\uFEFF{}", /json\/encoding.*byte order mark.*Hint: save it as UTF-8/],
    [Buffer.from("\uFEFF{}", "utf16le").toString("utf8"), /json\/encoding.*UTF-16/],
    [Buffer.from("{}", "utf16le").toString("utf8"), /json\/encoding.*UTF-16/],
    ["{\u0000", /json\/encoding/],
    ["{ \u0000", /json\/syntax/],
    ["\uFFFD", /json\/syntax/],
  ])("is told of by its name: %j", (text, words) => {
    expect(codeOf(text)).toMatch(words);
  });
});
