import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { boolean } from "./boolean.ts";
import { integer } from "./integer.ts";
import { modular, modulus } from "./modular.ts";
import { integers, residues } from "./scalars.test.kit.ts";

describe("numbers are read", () => {
  test("as integers if they are integers, however they are written", () => {
    expect(["-12", "1e3", "4/2", "0x10", "5.0"].map(integer.parse)).toEqual([-12n, 1000n, 2n, 16n, 5n]);
    expect(["1/2", "0.5", "1/0", "nan", ""].map(integer.parse)).toEqual(Array(5).fill(undefined));
  });

  test("as residues of any rational number", () => {
    expect(["-1", "1/2"].map(modular.parse)).toEqual([modulus - 1n, (modulus + 1n) / 2n]);
    expect(modular.parse("x")).toBeUndefined();
  });

  test("as false only if they are zero: what has no value is surely not", () => {
    expect(["0", "-0x0p+0", "0/5", "false"].map(boolean.parse)).toEqual(Array(4).fill(false));
    expect(["true", "1/3", "-2", "inf", "nan", "1/0"].map(boolean.parse)).toEqual(Array(6).fill(true));
    expect(boolean.parse("perhaps")).toBeUndefined();
  });

  test("as they are written, over each", () => {
    fc.assert(
      fc.property(integers, residues, fc.boolean(), (n, x, b) => {
        expect(integer.parse(integer.format(n))).toBe(n);
        expect(modular.parse(modular.format(x))).toBe(x);
        expect(boolean.parse(boolean.format(b))).toBe(b);
      }),
      { seed: 22 },
    );
  });
});
