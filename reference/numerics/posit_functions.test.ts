import { describe, expect, test } from "vitest";
import {
  boundedPosit,
  type PositFormat,
  positName,
  present,
  standardPosit,
  unaryNames,
} from "../../spec/index.ts";
import { float64 } from "../algebras/float.ts";
import { notReal, type Posit, positValue, roundToPosit } from "../algebras/posit_format.ts";
import { rationalFromNumber } from "../algebras/rational.ts";
import { positBinary, positUnary } from "./posit_functions.ts";

const host = present(float64.levels.orderedReal, "the reals");
const codes8 = Array.from({ length: 256 }, (_, n) => BigInt(n - 128));

function numberOf(format: PositFormat, x: Posit): number {
  const { numerator, denominator } = positValue(format, x);
  return Number(numerator) / Number(denominator);
}

/** The host's functions may be off by so much, with much to spare. */
const SLACK = 2 ** -40;

/**
 * Returns the codes that a function's value may have by the host's double: one, unless it is too near to a
 * threshold, or NaR if it is not finite. What a double cannot hold keeps its sign, and rounds to an end.
 */
function candidates(format: PositFormat, y: number): readonly Posit[] {
  const ends = [y * (1 - SLACK), y * (1 + SLACK)].map((end) => roundToPosit(format, rationalFromNumber(end)));
  return [...new Set(ends)];
}

describe("elementary functions are rounded once", () => {
  const cases = unaryNames.flatMap((name) =>
    [standardPosit(8), boundedPosit(8)].map((format) => [name, positName(format), format] as const),
  );

  test.each(cases)("%s, for every code of %s, decided by the host's double", (name, _, format) => {
    let decided = 0;
    for (const x of codes8) {
      const found = positUnary(format, name, x);
      const y = host[name](numberOf(format, x));
      // The host overflows where the true value does not, and its NaN and infinities are NaR's otherwise.
      const possible = Number.isFinite(y) && y !== 0 ? candidates(format, y) : undefined;
      if (possible === undefined) continue;
      if (!possible.includes(found)) expect.fail(`${name} ${x}: ${found} and not ${possible.join(" or ")}`);
      if (possible.length === 1) decided += 1;
    }
    expect(decided).toBeGreaterThan(30);
  });

  test.each(["pow", "atan2", "hypot"] as const)("%s, for every 37th pair of posit8", (name) => {
    let decided = 0;
    for (let pair = 0; pair < 256 * 256; pair += 37) {
      const [x, y] = [BigInt((pair >> 8) - 128), BigInt((pair & 255) - 128)];
      if (x === -128n || y === -128n) continue;
      const z = host[name](numberOf(standardPosit(8), x), numberOf(standardPosit(8), y));
      if (!Number.isFinite(z) || z === 0) continue;
      const possible = candidates(standardPosit(8), z);
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
    const sine = numberOf(standardPosit(64), positUnary(standardPosit(64), "sin", most));
    expect(Math.abs(sine)).toBeLessThanOrEqual(1);
    // sin² + cos² = 1 to the digits that there are.
    expect(
      sine ** 2 + numberOf(standardPosit(64), positUnary(standardPosit(64), "cos", most)) ** 2,
    ).toBeCloseTo(1, 14);
    expect(positUnary(standardPosit(64), "sinh", 1n)).toBe(1n);
    expect(positUnary(standardPosit(64), "exp", most)).toBe(most);
    expect(positUnary(standardPosit(64), "exp", -most)).toBe(1n);
    expect(positUnary(standardPosit(64), "erf", most)).toBe(
      roundToPosit(standardPosit(64), rationalFromNumber(1)),
    );
  });

  test("to the ends of bposit16, and to 2⁻¹⁹² by no function, since it is no bposit16", () => {
    const format = boundedPosit(16);
    const p = (x: number): Posit => roundToPosit(format, rationalFromNumber(x));
    const most = 0x7fffn;
    expect([p(1000), p(-1000)].map((x) => positUnary(format, "exp", x))).toEqual([most, 1n]);
    expect(positUnary(format, "log2", most)).toBe(p(192));
    expect(positBinary(format, "pow", p(2), p(-192))).toBe(1n);
    expect(positBinary(format, "pow", p(2), p(-191))).toBe(0x10n);
    expect(positUnary(format, "tanh", 1n)).toBe(1n);
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
