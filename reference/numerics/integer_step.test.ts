import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { at, present } from "../../spec/index.ts";
import { gradientBits, integerStep, movedBy, steppedInIntegers } from "./integer_step.ts";
import {
  accumulate,
  decode,
  encode,
  halfAway,
  type StorageType,
  type Stored,
  zeros,
} from "./storage/index.ts";

const kept = (type: StorageType, values: readonly number[]): Stored => {
  const stored = encode(type, values, halfAway);
  return present(stored.ok ? stored.value : undefined, "codes");
};

describe("a step in integers", () => {
  const cases = fc.sample(
    fc.record({
      // Doubles are drawn by their bits, and are next to 0 nearly always; these are not.
      ratio: fc
        .record({
          digits: fc.integer({ min: 1, max: 2 ** 40 }),
          exponent: fc.integer({ min: -48, max: -32 }),
        })
        .map(({ digits, exponent }) => digits * 2 ** exponent),
      bits: fc.integer({ min: 2, max: 15 }),
      part: fc.integer({ min: -(2 ** 20), max: 2 ** 20 }).map((n) => n / 2 ** 20),
    }),
    { seed: 37, numRuns: 3000 },
  );

  test("stays within 32 bits, and moves a code to where the exact product does, but for what is said", () => {
    let greatest = 0;
    for (const { ratio, bits, part } of cases) {
      const step = integerStep(ratio, bits);
      if (step === undefined) return expect.unreachable(`${ratio} in ${bits} bits`);
      const code = Math.round(part * 2 ** (bits - 1));
      const { multiplier, shift, off } = step;
      const sum = code * multiplier + (shift === 0 ? 0 : 2 ** (shift - 1));
      const far = Math.abs(ratio * code - movedBy(step, code));
      expect({ ratio, bits, isHeld: Math.abs(sum) < 2 ** 31, isNear: far <= off * (1 + 2 ** -40) }).toEqual({
        ratio,
        bits,
        isHeld: true,
        isNear: true,
      });
      expect(off).toBeLessThanOrEqual(0.5 + 2 ** (bits - 2 - shift));
      if (ratio <= 1) expect(off).toBeLessThanOrEqual(0.75);
      greatest = Math.max(greatest, far / off);
    }
    expect(greatest).toBeGreaterThan(0.98);
    expect(integerStep(2 ** 40, 8)).toBeUndefined();
  });

  test("that cuts off what is behind the point, or has a shift more, is another", () => {
    const wrong = cases.filter(({ ratio, bits, part }) => {
      const step = present(integerStep(ratio, bits), "a step");
      const code = Math.round(part * 2 ** (bits - 1));
      const cut = Math.floor((code * step.multiplier) / 2 ** step.shift);
      return Math.abs(ratio * code - cut) > step.off;
    });
    expect(wrong.length).toBeGreaterThan(500);
    const step = present(integerStep(0.9, 12), "a step");
    expect(2 ** 11 * step.multiplier * 2 + 2 ** step.shift).toBeGreaterThan(2 ** 31 - 1);
  });

  test.each<readonly [StorageType, StorageType]>([
    [
      { kind: "sym", bits: 8 },
      { kind: "sym", bits: 8 },
    ],
    [
      { kind: "sym", bits: 12 },
      { kind: "asym", bits: 8 },
    ],
    [
      { kind: "asym", bits: 8 },
      { kind: "sym", bits: 6 },
    ],
  ])("leaves a parameter on its grid, less than a code from the exact step: %j by %j", (own, other) => {
    const parameter = kept(own, [0.9, -0.31, 0.02, 0.5]);
    const gradient = kept(other, [0.25, -1, 0.003, 0.7]);
    const rate = 0.0625;
    const stepped = steppedInIntegers(parameter, gradient, rate);
    const next = present(stepped.ok ? stepped.value : undefined, "a step");
    const [p, g] = [decode(parameter), decode(gradient)];
    const { scale } = at(parameter.grids, 0);
    for (const [i, x] of decode(next).entries())
      expect(Math.abs(x - (at(p, i) - rate * at(g, i)))).toBeLessThanOrEqual(0.75 * scale);
    expect(next.grids).toEqual(parameter.grids);
  });

  test("is refused of several grids, and where 32 bits are too few", () => {
    const grouped = kept({ kind: "sym", bits: 8, groupSize: 1 }, [1, 2]);
    const whole = kept({ kind: "sym", bits: 8 }, [1, 2]);
    const codes = [steppedInIntegers(grouped, whole, 1), steppedInIntegers(whole, whole, 1e12)].map((one) =>
      one.ok ? "" : at(one.error, 0).code,
    );
    expect(codes).toEqual(["storage/step", "storage/step"]);
  });
});

describe("the bits that a gradient needs", () => {
  test("are as many as keep a sum over calls within half a code, and one bit less does not", () => {
    for (const moved of [0.5, 3, 10, 200])
      for (const calls of [1, 4, 16]) {
        const { sym, asym } = gradientBits(moved, 2 * moved, calls);
        const off = (steps: number, levels: number): number =>
          ((calls * (calls + 1)) / 2 / levels / 2) * steps;
        expect(off(moved, 2 ** (sym - 1) - 1)).toBeLessThanOrEqual(0.5);
        expect(off(2 * moved, 2 ** asym - 1)).toBeLessThanOrEqual(0.5);
        if (sym > 2) expect(off(moved, 2 ** (sym - 2) - 1)).toBeGreaterThan(0.5);
        if (asym > 1) expect(off(2 * moved, 2 ** (asym - 1) - 1)).toBeGreaterThan(0.5);
      }
    expect(gradientBits(100, 200, 1)).toEqual({ sym: 8, asym: 8 });
  });

  test("are enough for real gradients, summed on fresh grids, and are not all spare", () => {
    // The parameter's grid has the step 1; the greatest gradient moves it by 20 codes, over 8 calls.
    const [rate, calls] = [20, 8];
    const { sym } = gradientBits(rate, rate, calls);
    const worst = (bits: number): number => {
      let most = 0;
      for (let n = 0; n < 200; n++) {
        const gradients = Array.from({ length: calls }, (_, call) => [
          1,
          Math.fround(Math.sin(n + 1.7 * call * (n + 3))),
        ]);
        const summed = accumulate(zeros({ kind: "sym", bits }, 2), gradients, "dynamic", halfAway);
        const kept = decode(present(summed.ok ? summed.value : undefined, "a sum"));
        const exact = gradients.reduce((sum, one) => sum + at(one, 1), 0);
        most = Math.max(most, rate * Math.abs(exact - at(kept, 1)));
      }
      return most;
    };
    expect(worst(sym)).toBeLessThanOrEqual(0.5);
    expect(worst(sym - 3)).toBeGreaterThan(0.5);
  });
});
