import { describe, expect, test } from "vitest";
import { present, standardPosit, unaryNames } from "../../spec/index.ts";
import { float64 } from "../algebras/float.ts";
import { notReal, type Posit, positValue, roundToPosit } from "../algebras/posit_format.ts";
import { rationalFromNumber } from "../algebras/rational.ts";
import { positBinary, positUnary } from "./posit_functions.ts";

const host = present(float64.levels.orderedReal, "the reals");
const codes8 = Array.from({ length: 256 }, (_, n) => BigInt(n - 128));

function numberOf(width: number, x: Posit): number {
  const { numerator, denominator } = positValue(standardPosit(width), x);
  return Number(numerator) / Number(denominator);
}

/** The host's functions may be off by so much, with much to spare. */
const SLACK = 2 ** -40;

/**
 * Returns the codes that a function's value may have by the host's double: one, unless it is too near to a
 * threshold, or NaR if it is not finite. What a double cannot hold keeps its sign, and rounds to an end.
 */
function candidates(width: number, y: number): readonly Posit[] {
  const ends = [y * (1 - SLACK), y * (1 + SLACK)].map((end) =>
    roundToPosit(standardPosit(width), rationalFromNumber(end)),
  );
  return [...new Set(ends)];
}

describe("elementary functions are rounded once", () => {
  test.each(unaryNames)("%s, for every code of posit8, decided by the host's double", (name) => {
    let decided = 0;
    for (const x of codes8) {
      const found = positUnary(standardPosit(8), name, x);
      const y = host[name](numberOf(8, x));
      // The host overflows where the true value does not, and its NaN and infinities are NaR's otherwise.
      const possible = Number.isFinite(y) && y !== 0 ? candidates(8, y) : undefined;
      if (possible === undefined) continue;
      if (!possible.includes(found)) expect.fail(`${name} ${x}: ${found} and not ${possible.join(" or ")}`);
      if (possible.length === 1) decided += 1;
    }
    expect(decided).toBeGreaterThan(50);
  });

  test.each(["pow", "atan2", "hypot"] as const)("%s, for every 37th pair of posit8", (name) => {
    let decided = 0;
    for (let pair = 0; pair < 256 * 256; pair += 37) {
      const [x, y] = [BigInt((pair >> 8) - 128), BigInt((pair & 255) - 128)];
      if (x === -128n || y === -128n) continue;
      const z = host[name](numberOf(8, x), numberOf(8, y));
      if (!Number.isFinite(z) || z === 0) continue;
      const possible = candidates(8, z);
      const found = positBinary(standardPosit(8), name, x, y);
      // 0⁰ has no value here; of the origin there is no angle.
      if (x === 0n && y === 0n) expect(found).toBe(notReal(standardPosit(8)));
      else if (!possible.includes(found))
        expect.fail(`${name} ${x} ${y}: ${found}, not ${possible.join(" or ")}`);
      if (possible.length === 1) decided += 1;
    }
    expect(decided).toBeGreaterThan(900);
  });

  test("where a value is on a threshold, to the even code: 4¹¹ is 2²², 4⁻¹¹ its inverse", () => {
    const p = (x: number): Posit => roundToPosit(standardPosit(8), rationalFromNumber(x));
    expect(positBinary(standardPosit(8), "pow", p(4), p(11))).toBe(0x7en);
    expect(positBinary(standardPosit(8), "pow", p(-4), p(11))).toBe(-0x7en);
    expect(positBinary(standardPosit(8), "pow", p(4), p(-11))).toBe(0x02n);
    expect(positBinary(standardPosit(8), "pow", p(4), p(12))).toBe(0x7fn);
  });

  test("exactly where they are exact", () => {
    const p = (x: number): Posit => roundToPosit(standardPosit(32), rationalFromNumber(x));
    expect(positUnary(standardPosit(32), "exp", 0n)).toBe(p(1));
    expect(positUnary(standardPosit(32), "log2", p(2 ** -60))).toBe(p(-60));
    expect(positUnary(standardPosit(32), "sqrt", p(2 ** 90))).toBe(p(2 ** 45));
    expect(positBinary(standardPosit(32), "hypot", p(3), p(-4))).toBe(p(5));
    expect(positBinary(standardPosit(32), "pow", p(-2), p(5))).toBe(p(-32));
    expect(positUnary(standardPosit(32), "acos", p(1))).toBe(0n);
    const wide = (x: number): Posit => roundToPosit(standardPosit(64), rationalFromNumber(x));
    for (const n of [3, 1025, 65537, 2 ** 20 + 1])
      expect(positUnary(standardPosit(64), "sqrt", wide(n * n))).toBe(wide(n));
  });

  test("where a double has no digit left: the sine of the greatest posit64, the hyperbolic sine of the least", () => {
    const most = (1n << 63n) - 1n;
    const sine = numberOf(64, positUnary(standardPosit(64), "sin", most));
    expect(Math.abs(sine)).toBeLessThanOrEqual(1);
    // sin² + cos² = 1 to the digits that there are.
    expect(sine ** 2 + numberOf(64, positUnary(standardPosit(64), "cos", most)) ** 2).toBeCloseTo(1, 14);
    expect(positUnary(standardPosit(64), "sinh", 1n)).toBe(1n);
    expect(positUnary(standardPosit(64), "exp", most)).toBe(most);
    expect(positUnary(standardPosit(64), "exp", -most)).toBe(1n);
    expect(positUnary(standardPosit(64), "erf", most)).toBe(
      roundToPosit(standardPosit(64), rationalFromNumber(1)),
    );
  });

  test("the angle of a point left of the origin is π, for there is one zero", () => {
    expect(
      positBinary(standardPosit(16), "atan2", 0n, roundToPosit(standardPosit(16), rationalFromNumber(-1))),
    ).toBe(0x4c91n);
    expect(
      positBinary(standardPosit(16), "atan2", -1n, roundToPosit(standardPosit(16), rationalFromNumber(-1))),
    ).toBe(-0x4c91n);
  });
});
