import { describe, expect, test } from "vitest";
import { standardPosit } from "../../spec/wire/index.ts";
import { int32Register, quireRegister } from "./register.ts";
import { bitLength, bitsNeeded } from "./sum_width.ts";

const widths = [8, 16, 32, 64] as const;

/** The code of a power of two near one, which every width has. */
const codeOfPower: Readonly<Record<number, (width: number) => bigint>> = {
  0: (width) => 1n << BigInt(width - 2),
  4: (width) => 3n << BigInt(width - 3),
};

describe("the bits that a sum needs", () => {
  test.each(widths)("in a quire of posit%i are those it has where e + L ≤ 8n + 15", (width) => {
    const register = quireRegister(standardPosit(width));
    for (const [exponent, codeOf] of Object.entries(codeOfPower)) {
      const code = codeOf(width);
      const products = { least: [code, -code], greatest: [code, code] } as const;
      const e = 2 * Number(exponent);
      for (const length of [1, 2, 15, 31, 40, 8 * width + 15 - e, 8 * width + 16 - e]) {
        if (length > 53) continue;
        const terms = 2 ** length - 1;
        expect(bitLength(BigInt(terms))).toBe(length);
        const fits = bitsNeeded(register, { terms, ...products }) <= register.bits;
        expect(fits, `${terms} of 2^${e}`).toBe(e + length <= 8 * width + 15);
      }
    }
  });

  test.each(
    widths,
  )("in a quire of posit%i are too many for 2³¹ greatest products, whose logarithm is 31", (width) => {
    const register = quireRegister(standardPosit(width));
    const { greatest } = register;
    const products = { least: [-greatest, greatest], greatest: [greatest, greatest] } as const;
    expect(bitsNeeded(register, { terms: 2 ** 31 - 1, ...products })).toBe(register.bits);
    expect(bitsNeeded(register, { terms: 2 ** 31, ...products })).toBe(register.bits + 1);
    // Taken by its logarithm rounded up, the number of terms would pass.
    expect(Math.ceil(Math.log2(2 ** 31))).toBe(31);
  });

  test("in an int32 are at most (2b − 2) + L + 1, and the least word is one of them", () => {
    for (const bits of [4, 8, 12, 16]) {
      const register = int32Register(bits);
      const { least, greatest } = register;
      const products = { least: [least, greatest], greatest: [least, least] } as const;
      for (const terms of [1, 2, 3, 100, 511, 512, 131_071, 131_072])
        expect(bitsNeeded(register, { terms, ...products })).toBeLessThanOrEqual(
          2 * bits - 2 + bitLength(BigInt(terms)) + 1,
        );
    }
    const byte = int32Register(8);
    expect(bitsNeeded(byte, { terms: 2 ** 24, least: [-128n], greatest: [0n] })).toBe(32);
    expect(bitsNeeded(byte, { terms: 2 ** 24, least: [0n], greatest: [128n] })).toBe(33);
    expect(bitsNeeded(byte, { terms: 9, least: [0n], greatest: [0n] })).toBe(1);
  });
});
