import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256 } from "./sha256.ts";

const byNode = (text: string): string => createHash("sha256").update(text).digest("hex");

test("is Node's, of texts that fill a block, two, or leave no room for the length", () => {
  for (let length = 0; length < 200; length++)
    expect(sha256("a".repeat(length))).toBe(byNode("a".repeat(length)));
  expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

test("is Node's, of any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
      expect(sha256(text)).toBe(byNode(text));
    }),
    { numRuns: 300 },
  );
});
