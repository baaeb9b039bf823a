import { afterAll, describe, expect, test } from "vitest";
import {
  type BoundedSum,
  bitsNeeded,
  int32Register,
  quireRegister,
  type Register,
} from "../../../reference/numerics/index.ts";
import { sampled } from "../../../spec/sampled.test.kit.ts";
import { boundedPosit, standardPosit } from "../../../spec/wire/index.ts";
import { isProved, prove } from "../prove.ts";
import { z3 } from "../solve/index.ts";
import { fitting } from "./fitting.ts";
import { mostTerms, sumObligations } from "./sums.ts";

const solver = z3();
afterAll(() => solver[Symbol.asyncDispose]());

/** Adds up to this many products of any codes. */
function products({ least, greatest }: Register, terms: number): BoundedSum {
  return { terms, least: [least, greatest], greatest: [least, least] };
}

const registers: readonly Register[] = [
  ...[standardPosit(8), standardPosit(16), boundedPosit(16)].map(quireRegister),
  ...[8, 12].map(int32Register),
];

describe("sums that fit", () => {
  test.each(
    sampled("registers", registers, 1),
  )("$name takes as many terms as fit, and one more has a model that is run", async (register) => {
    const most = Number(mostTerms(products(register, 1), register));
    const fits = await fitting([products(register, most), products(register, 1)], register, solver);
    expect(fits.misfits).toEqual([]);
    expect(fits.records.map(({ obligation: { logic } }) => logic)).toEqual(["QF_LIA", "QF_BV"]);
    expect(fits.records.flatMap(({ faults }) => faults)).toEqual([]);
    const longer = products(register, most + 1);
    const { misfits, records } = await fitting([products(register, most), longer], register, solver);
    expect(misfits).toMatchObject([
      {
        sum: longer,
        isWrong: true,
        answers: { integers: { kind: "refuted" }, words: { kind: "refuted" } },
      },
    ]);
    expect(records.every(isProved)).toBe(true);
    expect(bitsNeeded(register, products(register, most))).toBeLessThanOrEqual(register.bits);
    expect(bitsNeeded(register, longer)).toBeGreaterThan(register.bits);
  });

  test("are not proved to fit if one bound is forgotten", async () => {
    const register = int32Register(12);
    const { integers, words } = sumObligations([products(register, 511), products(register, 7)], register);
    const short = { ...integers, hypotheses: [{ name: "some_sum", formula: "(<= k 511)" }] };
    expect((await prove(short, solver)).faults.map(({ code }) => code)).toContain("goal");
    const [mutant] = words.mutants;
    const same = { name: "some_sum", formula: words.hypotheses[0]?.formula ?? "" };
    const harmless = { ...words, mutants: mutant === undefined ? [] : [{ ...mutant, instead: [same] }] };
    expect((await prove(harmless, solver)).faults.map(({ code }) => code)).toEqual(["mutant/answer"]);
  });

  test("are none where the register's words are wider than it says: the model is run, and shows nothing", async () => {
    const int32 = int32Register(12);
    const roomy: Register = {
      ...int32,
      add: (x, y) => x + y,
      sum: (summand, times) => times * int32.units(summand),
    };
    const { records, misfits } = await fitting([products(roomy, 511), products(roomy, 512)], roomy, solver);
    expect(misfits).toMatchObject([{ isWrong: false, sum: { terms: 512 } }]);
    expect(records.flatMap(({ faults }) => faults.map(({ code }) => code))).toEqual([
      "mutant/execution",
      "mutant/execution",
    ]);
  });

  test("are found among many, whichever of them do not fit", async () => {
    const register = int32Register(12);
    const sums = [3, 600, 511, 40, 512, 9].map((terms) => products(register, terms));
    const { records, misfits } = await fitting(sums, register, solver);
    expect(misfits.map(({ sum }) => sum.terms)).toEqual([600, 512]);
    expect(misfits[1]?.told).toBe(
      "512 terms -2048 × -2048 are 2147483648, and the register says -2147483648",
    );
    expect(records.every(isProved)).toBe(true);
  });

  test("made of zeros are asked of no solver", async () => {
    const zeros = { terms: 10, least: [0n, 0n], greatest: [0n] } as const;
    expect(await fitting([zeros], quireRegister(standardPosit(8)), solver)).toEqual({
      records: [],
      misfits: [],
      milliseconds: 0,
    });
  });
});
