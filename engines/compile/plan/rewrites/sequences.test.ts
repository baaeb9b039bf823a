import fc from "fast-check";
import { expect, test } from "vitest";
import { Sequences } from "./sequences.ts";

function numberOf(sequences: Sequences, sequence: readonly number[]): number {
  for (const element of sequence) sequences.write(element);
  return sequences.close();
}

test("equal sequences have one number, and numbers are given in turn", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.integer({ min: -2, max: 2 }), { maxLength: 4 })), (sequences) => {
      const numbered = new Sequences();
      const known = new Map<string, number>();
      for (const sequence of sequences) {
        const text = sequence.join();
        const number = known.get(text) ?? known.size;
        known.set(text, number);
        expect(numberOf(numbered, sequence)).toBe(number);
      }
    }),
  );
});

test("numbers stay as the table grows, and numbers beyond 32 bits are told apart", () => {
  const numbered = new Sequences();
  const sequences = Array.from({ length: 5000 }, (_, n) => [n % 7, n * 2 ** 32, -n]);
  for (let turn = 0; turn < 2; turn++)
    expect(sequences.map((sequence) => numberOf(numbered, sequence))).toEqual(sequences.map((_, n) => n));
});
