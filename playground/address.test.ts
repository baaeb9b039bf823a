import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MOST_BYTES, packed, unpacked } from "./address.ts";

test("a text comes back from its address, whatever it is", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 1 }), async (text) => {
      const shared = { text, document: "1", dtype: "float32", mode: "jvp" };
      const address = await packed(shared);
      expect(address).toMatch(/^[\w=&-]+$/);
      expect(await unpacked(`#${address}`)).toEqual(shared);
    }),
    { numRuns: 50 },
  );
});

test("an address that says nothing, nonsense, or more than a text may have, gives no text", async () => {
  const bomb = deflateRawSync(Buffer.alloc(MOST_BYTES + 1)).toString("base64url");
  const whole = deflateRawSync("graph f(x)\n  x * x\n").toString("base64url");
  const notUtf8 = deflateRawSync(Buffer.from([0xff, 0xfe])).toString("base64url");
  expect(await unpacked(`#text=${whole}`)).toEqual({ text: "graph f(x)\n  x * x\n" });
  for (const text of ["", "%00", "<script>", "AAAA", whole.slice(0, -4), bomb, notUtf8])
    expect(await unpacked(`#text=${text}`)).not.toHaveProperty("text");
});
