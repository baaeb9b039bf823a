import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Tail } from "./tail.ts";

describe("Tail", () => {
  it("keeps the last bytes, however they came", () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]*$/)),
        fc.integer({ min: 1, max: 30 }),
        (chunks, size) => {
          const tail = new Tail(size);
          for (const chunk of chunks) tail.push(Buffer.from(chunk));
          expect(tail.toString()).toBe(chunks.join("").slice(-size));
        },
      ),
      { seed: 20260101 },
    );
  });

  it("drops a character that it cut in two", () => {
    const tail = new Tail(4);
    tail.push(Buffer.from("aé∂b"));
    expect(tail.toString()).toBe("∂b");
    const shorter = new Tail(3);
    shorter.push(Buffer.from("aé∂b"));
    expect(shorter.toString()).toBe("b");
  });
});
