import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineSplitter } from "./lines.ts";

/** Splits as is obvious and wrong: it decodes each chunk by itself. */
class HastySplitter extends LineSplitter {
  #rest = "";

  override get pendingBytes(): number {
    return Buffer.byteLength(this.#rest);
  }

  override push(chunk: Buffer): ReturnType<LineSplitter["push"]> {
    const lines = (this.#rest + chunk.toString("utf8")).split("\n");
    this.#rest = lines.pop() ?? "";
    return { lines, fault: undefined };
  }
}

/** Returns the lines of `chunks`, all of which must be lines. */
function linesOf(
  chunks: readonly Buffer[],
  splitter: LineSplitter = new LineSplitter(1e6),
): { lines: string[]; pending: number } {
  const lines = chunks.flatMap((chunk) => {
    const pushed = splitter.push(chunk);
    expect(pushed.fault).toBeUndefined();
    return pushed.lines;
  });
  return { lines, pending: splitter.pendingBytes };
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const inside = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...inside].map((start, i) => bytes.subarray(start, inside[i] ?? bytes.length));
}

const text = fc.array(
  fc.string({ unit: "grapheme", maxLength: 40 }).map((s) => s.replaceAll("\n", "")),
  {
    maxLength: 12,
  },
);

describe("LineSplitter", () => {
  it.for([
    ["gives", LineSplitter, true],
    ["would not give, if it decoded each chunk by itself,", HastySplitter, false],
  ] as const)("%s the same lines however the bytes are cut into chunks", ([, Splitter, isRight]) => {
    const details = fc.check(
      fc.property(text, fc.string(), fc.array(fc.nat(), { maxLength: 30 }), (lines, rest, places) => {
        const unfinished = rest.replaceAll("\n", "");
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join("") + unfinished);
        const split = linesOf(cut(bytes, places), new Splitter(1e6));
        expect(split).toEqual({ lines, pending: Buffer.byteLength(unfinished) });
      }),
      { seed: 20260101, numRuns: 500 },
    );
    expect(details.failed).toBe(!isRight);
  });

  it("keeps characters whole when every byte comes alone", () => {
    const lines = ["é", "→ 0x1.8p+1", "🧮 ∂", ""];
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
    expect(linesOf([...bytes].map((byte) => Buffer.of(byte))).lines).toEqual(lines);
  });

  it("takes a line of the limit and refuses one byte more, before its newline has come", () => {
    const splitter = new LineSplitter(4);
    expect(splitter.push(Buffer.from("abcd\nab"))).toEqual({ lines: ["abcd"], fault: undefined });
    expect(splitter.push(Buffer.from("cde"))).toEqual({ lines: [], fault: "a line over the limit" });
  });

  it("still gives the lines that came before a fault", () => {
    const bytes = Buffer.from([0x61, 0x0a, 0xc3, 0x28, 0x0a, 0x62, 0x0a]);
    expect(new LineSplitter(10).push(bytes)).toEqual({ lines: ["a"], fault: "a line that is not UTF-8" });
  });

  it("takes a line of four megabytes that comes in six hundred thousand pieces", () => {
    const chunk = Buffer.from("1234567");
    const splitter = new LineSplitter(1 << 23);
    for (let i = 0; i < 600_000; i++) splitter.push(chunk);
    expect(splitter.push(Buffer.from("\n")).lines[0]?.length).toBe(4_200_000);
  });
});
