import { describe, expect, it } from "vitest";
import { nearestName, quote } from "./suggest.ts";

const names = ["add", "multiply", "matmul", "subtract", "sum", "broadcast_to", "sin", "sqrt"];

describe("nearestName", () => {
  it.each([
    ["mul", "multiply"],
    ["ADD", "add"],
    ["subtrakt", "subtract"],
    ["boadcast_to", "broadcast_to"],
    ["sum_all", "sum"],
    ["sqr", "sqrt"],
    ["matmult", "matmul"],
  ])("takes %s for %s", (word, name) => expect(nearestName(word, names)).toBe(name));

  it.each([
    "",
    "convolution",
    "x",
    "__proto__",
    "add".repeat(1_000_000),
  ])("makes nothing of %.20s", (word) => {
    expect(nearestName(word, names)).toBeUndefined();
  });
});

describe("quote", () => {
  it("shows no more than 40 characters, and no control characters", () => {
    expect(quote("add")).toBe('"add"');
    expect(quote('a"\n')).toBe('"a\\"\\n"');
    expect(quote("a".repeat(1000))).toBe(`"${"a".repeat(40)}"…`);
    expect(quote(`${"a".repeat(39)}😀`)).toBe(`"${"a".repeat(39)}\\ud83d"…`);
  });
});
