import fc from "fast-check";
import { expect, test } from "vitest";
import { fromBase64, toBase64 } from "./base64.ts";

test("is Node's, and is read back", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const text = toBase64(bytes);
      expect(text).toBe(Buffer.from(bytes).toString("base64"));
      expect(fromBase64(text)).toEqual(bytes);
    }),
  );
});

test("no other spelling is read", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."AQw+/-_= \n\u00e9"), maxLength: 9 }), (text) => {
      const isStrict = Buffer.from(text, "base64").toString("base64") === text;
      expect(fromBase64(text) !== undefined).toBe(isStrict);
    }),
    { numRuns: 2_000 },
  );
});
