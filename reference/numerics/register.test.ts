import { describe, expect, test } from "vitest";
import { boundedPosit, standardPosit } from "../../spec/wire/index.ts";
import { int32Register, quireRegister, type Register, registerNamed, type Summand } from "./register.ts";

const registers: readonly Register[] = [8, 16, 32, 64].map((width) => quireRegister(standardPosit(width)));

/** Adds one summand after the other. */
function oneByOne({ units, bits, hasNotReal }: Register, summand: Summand, times: number): bigint {
  const nothing = -(1n << BigInt(bits - 1));
  let sum = 0n;
  for (let n = 0; n < times; n++) {
    if (hasNotReal && sum === nothing) return sum;
    const exact = sum + units(summand);
    const isHeld = BigInt.asIntN(bits, exact) === exact && exact !== nothing;
    sum = hasNotReal ? (isHeld ? exact : nothing) : BigInt.asIntN(bits, exact);
  }
  return sum;
}

describe("registers", () => {
  test.each(
    registers,
  )("$name holds 2³¹ − 1 greatest products of either sign, and one more is NaR", (register) => {
    const { greatest, least, bits, units } = register;
    const most = 2n ** 31n - 1n;
    for (const summand of [
      [greatest, greatest],
      [greatest, least],
    ] as const) {
      expect(units(summand)).toBe((summand[1] > 0n ? 1n : -1n) * 2n ** BigInt(bits - 32));
      expect(register.sum(summand, most)).toBe(most * units(summand));
      expect(register.sum(summand, most + 1n)).toBe(-(2n ** BigInt(bits - 1)));
    }
  });

  test("of b-posits have 800 bits whatever the width is, 100 bytes, and those of posit32 64", () => {
    const quires = [13, 16, 32, 64].map((width) => quireRegister(boundedPosit(width)));
    expect(quires.map(({ bits }) => bits / 8)).toEqual([100, 100, 100, 100]);
    expect(quires.map(({ roundsTerms, places }) => roundsTerms && places)).toEqual([384, 384, 384, 384]);
    for (const register of quires) {
      const summand = [register.greatest, register.least] as const;
      const most = 2n ** 31n - 1n;
      expect(register.sum(summand, most)).toBe(most * register.units(summand));
      expect(register.sum(summand, 2n * most)).toBe(-(2n ** 799n));
    }
    const { bits, roundsTerms } = quireRegister(standardPosit(32));
    expect([bits / 8, roundsTerms]).toEqual([64, false]);
  });

  test.each([
    [4, 33_554_431n],
    [8, 131_071n],
    [12, 511n],
    [16, 1n],
  ])("int32 holds products of any two codes of %i bits up to %i, and one more wraps", (bits, most) => {
    const register = int32Register(bits);
    const summand = [register.least, register.least] as const;
    expect(register.sum(summand, most)).toBe(most * register.units(summand));
    expect(register.sum(summand, most + 1n)).toBe(-(2n ** 31n));
  });

  test("many additions by doubling are as many one after the other, in range and past it", () => {
    for (const register of [int32Register(12), int32Register(16), quireRegister(standardPosit(3))])
      for (const summand of [[register.greatest], [register.least, register.least]] as const)
        for (const times of [0, 1, 2, 3, 7, 100, 511, 512, 1025])
          expect(register.sum(summand, BigInt(times))).toBe(oneByOne(register, summand, times));
  });

  test("an accumulator has a name, and what is none is refused with one that is near", () => {
    for (const name of ["quire:posit3", "quire:posit32", "quire:bposit32", "quire:posit8r3e1", "int32:8"])
      expect(registerNamed(name)).toMatchObject({ ok: true, value: { name } });
    expect(registerNamed("int32")).toMatchObject({ ok: true, value: { name: "int32:8" } });
    expect(registerNamed("quire:posit8r3e9")).toMatchObject({ ok: false, error: [{ code: "posit/format" }] });
    expect(registerNamed("quire:posit65")).toMatchObject({ ok: false, error: [{ code: "posit/width" }] });
    const refused = { code: "widths/accumulator", pointer: "/accumulator" };
    expect(registerNamed("quire:posit_32")).toMatchObject({
      ok: false,
      error: [{ ...refused, hint: 'did you mean "quire:posit32"?' }],
    });
    for (const name of ["int32:17", "int32:1", "float64"])
      expect(registerNamed(name)).toMatchObject({ ok: false, error: [refused] });
  });
});
