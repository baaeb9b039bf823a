import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import { quireOperations, quireSums } from "../../reference/numerics/index.ts";
import { boundedPosit, type PositFormat, positName, standardPosit } from "../../spec/wire/index.ts";
import { type PositArithmetic, type PositCode, positArithmetic } from "./arithmetic.ts";
import { fusedDotProduct, WordQuire } from "./quire.ts";
import { drawnPairs } from "./random.test.kit.ts";

const formats: readonly (readonly [string, PositFormat])[] = [
  ...[8, 16, 32].map(standardPosit),
  ...[12, 16, 24, 32].map(boundedPosit),
].map((format) => [positName(format), format]);

type Dot = (posits: PositArithmetic, xs: readonly PositCode[], ys: readonly PositCode[]) => PositCode;

const fused: Dot = fusedDotProduct;

/** Returns drawn factors, half of them cancelling, whose dot product is not the reference's. */
function firstWrong(format: PositFormat, dot: Dot, count = 400): string | undefined {
  const random = new Random(xoroshiro128plus(21));
  const [posits, reference] = [positArithmetic(format), quireSums(format)];
  for (let n = 0; n < count; n++) {
    const drawn = [...drawnPairs(format.width, n + 1, random.nextInt(0, 9))];
    const terms = n % 2 === 0 ? drawn : [...drawn, ...drawn.slice(1).map(([x, y]) => [-x | 0, y] as const)];
    const [xs, ys] = [terms.map(([x]) => x), terms.map(([, y]) => y)];
    const expected = Number(reference.dot(xs.map(BigInt), ys.map(BigInt)));
    const found = dot(posits, xs, ys);
    if (found !== expected && !(found === 0 && expected === 0))
      return `${xs} · ${ys}: ${found}, not ${expected}`;
  }
  return undefined;
}

describe("a quire of words is the reference's", () => {
  test.each(formats)("for sums of products of %s", (_, format) => {
    expect(firstWrong(format, fused)).toBeUndefined();
  });

  test("and one that forgets a term, or adds posits for products, is not", () => {
    expect(
      firstWrong(standardPosit(16), (posits, xs, ys) => fused(posits, xs.slice(1), ys.slice(1))),
    ).toBeDefined();
    const added: Dot = (posits, xs) => {
      const quire = new WordQuire(posits);
      for (const x of xs) quire.add(x);
      return quire.toPosit();
    };
    expect(firstWrong(standardPosit(16), added)).toBeDefined();
  });

  test.each(formats)("for sums of %s, and is cleared", (_, format) => {
    const quire = new WordQuire(positArithmetic(format));
    for (let n = 1; n <= 200; n++) {
      quire.clear();
      const xs = [...drawnPairs(format.width, n, 8)].map(([x]) => x);
      for (const x of xs) quire.add(x);
      expect(quire.toPosit() + 0).toBe(Number(quireSums(format).sum(xs.map(BigInt))));
    }
  });

  test("of b-posits near the least, whose products end below its last place", () => {
    for (const width of [16, 24, 32]) {
      const format = boundedPosit(width);
      const small = (x: PositCode): PositCode => x >> 7;
      const [posits, reference] = [positArithmetic(format), quireSums(format)];
      for (let n = 1; n <= 200; n++) {
        const terms = [...drawnPairs(width, n, 5)].map(([x, y]) => [small(x), small(y)] as const);
        const all = [...terms, ...terms.map(([x, y]) => [-x - 1, y] as const)];
        const [xs, ys] = [all.map(([x]) => x), all.map(([, y]) => y)];
        const expected = Number(reference.dot(xs.map(BigInt), ys.map(BigInt)));
        expect(fused(posits, xs, ys) + 0).toBe(expected + 0);
      }
    }
  });

  test("of no other format", () => {
    expect(() => new WordQuire(positArithmetic(standardPosit(9)))).toThrow("posit9");
    expect(() => new WordQuire(positArithmetic(standardPosit(31)))).toThrow("posit31");
  });
});

describe("what leaves a quire of words is NaR", () => {
  const most = 127;

  test("as in the reference, from near the end, on either side, and it stays", () => {
    // The quire overflows only after 2³¹ products of maxPos², so that 70,000 of them stay exact.
    const reference = quireOperations(standardPosit(8));
    for (const sign of [1, -1]) {
      const quire = new WordQuire(positArithmetic(standardPosit(8)));
      let sum = 0n;
      for (let n = 0; n < 70_000; n++) {
        quire.multiplyAdd(most, sign * most);
        sum = reference.multiplyAdd(sum, 127n, BigInt(sign * most));
      }
      expect(quire.isReal).toBe(true);
      expect(quire.toPosit()).toBe(Number(reference.toPosit(sum)));
      for (let n = 0; n < 70_000; n++) quire.multiplyAdd(most, -sign * most);
      expect(quire.toPosit()).toBe(0);
      quire.add(-128);
      expect(quire.isReal).toBe(false);
      quire.add(1);
      expect(quire.toPosit()).toBe(-128);
    }
  });
});
