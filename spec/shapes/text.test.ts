import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { quote, visible, visibleJson } from "./text.ts";

describe("visible", () => {
  it.each([
    ["a name", "a name"],
    ["größer ∂/∂x 数 😀", "größer ∂/∂x 数 😀"],
    ["one\ntwo\r\nthree\tfour", "one ⏎ two ⏎ three four"],
    ["over\rwritten", "over\\u{d}written"],
    ["\u001b[2J\u001b]0;title\u0007", "\\u{1b}[2J\\u{1b}]0;title\\u{7}"],
    ["\u009b31m\u0085", "\\u{9b}31m\\u{85}"],
    ["\u202eklo\u2066 \ufeff\u200b\u2028", "\\u{202e}klo\\u{2066} \\u{feff}\\u{200b}\\u{2028}"],
    ["\ud83d", "\\u{d83d}"],
  ])("shows %j as %j", (text, shown) => expect(visible(text)).toBe(shown));

  test("leaves nothing that is not seen, and is its own", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const shown = visible(text);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
        expect(visible(shown)).toBe(shown);
      }),
      { seed: 1 },
    );
  });

  test("cuts what is long", () => {
    expect(visible("a".repeat(30_000_000))).toBe(`${"a".repeat(2000)}…`);
    expect(visible("abc", 2)).toBe("ab…");
  });
});

describe("quote", () => {
  it("shows no more than 40 characters, and nothing unseen", () => {
    expect(quote("add")).toBe('"add"');
    expect(quote('a"\n')).toBe('"a\\"\\n"');
    expect(quote("\u202e")).toBe('"\\u{202e}"');
    expect(quote("a".repeat(1000))).toBe(`"${"a".repeat(40)}"…`);
    expect(quote(`${"a".repeat(39)}😀`)).toBe(`"${"a".repeat(39)}\\ud83d"…`);
  });
});

describe("visibleJson", () => {
  it("says nothing that obeys or misleads, and reads back as it was", () => {
    const odd = { "\u202e\n\u0000": ["\u009b31m", "\u2028", "\u{e0001}", "\ud800", "größer 😀 ∂"] };
    const text = visibleJson(odd);
    expect(text).not.toMatch(/(?!\n)\p{Cc}|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    expect(text).toContain("größer 😀 ∂");
    expect(JSON.parse(text)).toEqual(odd);
    expect(visibleJson({ a: [1, null] })).toBe(JSON.stringify({ a: [1, null] }, undefined, 2));
  });
});
