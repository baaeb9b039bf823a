import { afterAll, describe, expect, test } from "vitest";
import { quireRegister, type Register } from "../../../reference/numerics/index.ts";
import { boundedPosit } from "../../../spec/wire/index.ts";
import { prove } from "../prove.ts";
import { z3 } from "../solve/index.ts";
import { accumulators } from "./index.ts";
import { accumulatorOf, widthObligations } from "./width.ts";

const solver = z3();
afterAll(() => solver[Symbol.asyncDispose]());

describe("the widths of accumulators", () => {
  test("are read off registers: those of b-posits have 800 bits, and room for 2³¹ products and more", () => {
    const told = accumulators.map(({ name, register, most }) => [name, register.bits, most]);
    expect(told).toEqual([
      ["quire_posit8", 128, 2n ** 31n - 1n],
      ["quire_posit16", 256, 2n ** 31n - 1n],
      ["quire_posit32", 512, 2n ** 31n - 1n],
      ["quire_posit64", 1024, 2n ** 31n - 1n],
      ["quire_bposit16", 800, 2_288_265_614n],
      ["quire_bposit32", 800, 2_147_485_696n],
      ["quire_bposit64", 800, 2n ** 31n],
      ["int32_8", 32, 2n ** 17n - 1n],
    ]);
  });

  test("are proved of the code: a quire of b-posits that keeps a bit less than it says is found", async () => {
    const quire = quireRegister(boundedPosit(16));
    const short = (word: bigint): bigint => BigInt.asIntN(quire.bits - 1, word);
    const planted: Register = {
      ...quire,
      add: (x, y) => short(x + y),
      sum: (summand, times) => short(times * quire.units(summand)),
    };
    const postcondition = widthObligations(accumulatorOf(planted))[1];
    if (postcondition === undefined) throw new Error("no obligation");
    const { faults } = await prove(postcondition, solver);
    expect(faults.map(({ code }) => code)).toEqual(["mutant/execution", "mutant/execution"]);
  });
});
