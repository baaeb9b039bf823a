import { describe, expect, it } from "vitest";
import { nearestName } from "./suggest.ts";

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
