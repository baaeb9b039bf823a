import fc from "fast-check";
import { expect, test } from "vitest";
import { InvariantError } from "../../../spec/index.ts";
import { modelFloat } from "./floats.ts";

/** Writes a float64 as solvers print it, its fraction in hexadecimal or binary digits. */
function printed(x: number, radix: 2 | 16): string {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, x);
  const digits = bits.getBigUint64(0).toString(2).padStart(64, "0");
  const fraction = digits.slice(12);
  const hexadecimal = BigInt(`0b${fraction}`).toString(16).padStart(13, "0");
  return `(fp #b${digits.slice(0, 1)} #b${digits.slice(1, 12)} ${radix === 16 ? `#x${hexadecimal}` : `#b${fraction}`})`;
}

test("a model's float64 is read to the bit, in each way in which solvers print one", () => {
  fc.assert(
    fc.property(fc.double(), fc.constantFrom<(2 | 16)[]>(2, 16), (x, radix) => {
      expect(modelFloat(new Map([["x", printed(x, radix)]]), "x")).toBe(x);
    }),
    { seed: 4 },
  );
  for (const [name, value] of [
    ["+zero", 0],
    ["-zero", -0],
    ["+oo", Infinity],
    ["-oo", -Infinity],
    ["NaN", NaN],
  ]) {
    expect(modelFloat(new Map([["x", `(_ ${name} 11 53)`]]), "x")).toBe(value);
  }
});

test("what is no float64 is refused, not read as some number", () => {
  for (const text of ["", "1.0", "(_ +zero 8 24)", "(fp #b0 #b01 #x0)"]) {
    expect(() => modelFloat(new Map([["x", text]]), "x")).toThrow(InvariantError);
  }
});
