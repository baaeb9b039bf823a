import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import { quireOperations, quireSums } from "../../reference/numerics/index.ts";
import { type PositCode, positArithmetic } from "./arithmetic.ts";
import { fusedDotProduct, WordQuire } from "./quire.ts";
import { drawnPairs } from "./random.test.kit.ts";

const widths = [8, 16, 32] as const;

type Dot = (width: number, xs: readonly PositCode[], ys: readonly PositCode[]) => PositCode;

const fused: Dot = (width, xs, ys) => fusedDotProduct(positArithmetic(width), xs, ys);

/** Returns drawn factors, half of them cancelling, whose dot product is not the reference's. */
function firstWrong(width: number, dot: Dot, count = 400): string | undefined {
  const random = new Random(xoroshiro128plus(21));
  const reference = quireSums(width);
  for (let n = 0; n < count; n++) {
    const drawn = [...drawnPairs(width, n + 1, random.nextInt(0, 9))];
    const terms = n % 2 === 0 ? drawn : [...drawn, ...drawn.slice(1).map(([x, y]) => [-x | 0, y] as const)];
    const [xs, ys] = [terms.map(([x]) => x), terms.map(([, y]) => y)];
    const expected = Number(reference.dot(xs.map(BigInt), ys.map(BigInt)));
    const found = dot(width, xs, ys);
    if (found !== expected && !(found === 0 && expected === 0))
      return `${xs} · ${ys}: ${found}, not ${expected}`;
  }
  return undefined;
}

describe("a quire of words is the reference's", () => {
  test.each(widths)("for sums of products of posits of %s bits", (width) => {
    expect(firstWrong(width, fused)).toBeUndefined();
  });

  test("and one that forgets a term, or adds posits for products, is not", () => {
    expect(firstWrong(16, (width, xs, ys) => fused(width, xs.slice(1), ys.slice(1)))).toBeDefined();
    const added: Dot = (width, xs) => {
      const quire = new WordQuire(positArithmetic(width));
      for (const x of xs) quire.add(x);
      return quire.toPosit();
    };
    expect(firstWrong(16, added)).toBeDefined();
  });

  test.each(widths)("for sums of posits of %s bits, and is cleared", (width) => {
    const quire = new WordQuire(positArithmetic(width));
    for (let n = 1; n <= 200; n++) {
      quire.clear();
      const xs = [...drawnPairs(width, n, 8)].map(([x]) => x);
      for (const x of xs) quire.add(x);
      expect(quire.toPosit() + 0).toBe(Number(quireSums(width).sum(xs.map(BigInt))));
    }
  });

  test("of no other width", () => {
    expect(() => new WordQuire(positArithmetic(9))).toThrow("9 bits");
    expect(() => new WordQuire(positArithmetic(31))).toThrow("31 bits");
  });
});

describe("what leaves a quire of words is NaR", () => {
  const most = 127;

  test("as in the reference, from near the end, on either side, and it stays", () => {
    // The quire overflows only after 2³¹ products of maxPos², so that 70,000 of them stay exact.
    const reference = quireOperations(8);
    for (const sign of [1, -1]) {
      const quire = new WordQuire(positArithmetic(8));
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
