import { expect, test } from "vitest";
import { randomBits } from "./threefry.ts";

/** The rows are counter, key and words of `threefry2x32`, 20 rounds, from kat_vectors of Random123. */
test.each([
  [0, 0, 0, 0, 0x6b200159, 0x99ba4efe],
  [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x1cb996fc, 0xbb002be7],
  [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xc4923a9c, 0x483df7a0],
])("counter %i %i and key %i %i give the exclusive or of the known answers", (high, low, k0, k1, a, b) => {
  expect(randomBits(k0, k1, high, low)).toBe((a ^ b) >>> 0);
});
