import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatFloat64, parseFloat64 } from "./float.ts";

const view = new DataView(new ArrayBuffer(8));

function float64OfBits(bits: bigint): number {
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}

function bitsOfFloat64(x: number): bigint {
  view.setFloat64(0, x);
  return view.getBigUint64(0);
}

function float32OfBits(bits: number): number {
  view.setUint32(0, bits);
  return view.getFloat32(0);
}

const anyFloat64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(float64OfBits);
const anyFloat32 = fc.nat(2 ** 32 - 1).map(float32OfBits);
const finite = anyFloat64.filter(Number.isFinite);

/** Both signs, every exponent, and fractions at the edges and in the middle. */
function* structuredFloat64(): Generator<number> {
  const fractions = [0n, 1n, 2n, 2n ** 51n - 1n, 2n ** 51n, 2n ** 51n + 1n, 2n ** 52n - 2n, 2n ** 52n - 1n];
  for (const sign of [0n, 1n]) {
    for (let exponent = 0n; exponent < 2048n; exponent++) {
      for (const fraction of fractions) {
        yield float64OfBits((sign << 63n) | (exponent << 52n) | fraction);
      }
    }
  }
}

function* structuredFloat32(): Generator<number> {
  const fractions = [0, 1, 2, 2 ** 22 - 1, 2 ** 22, 2 ** 22 + 1, 2 ** 23 - 2, 2 ** 23 - 1];
  for (const sign of [0, 2 ** 31]) {
    for (let exponent = 0; exponent < 256; exponent++) {
      for (const fraction of fractions) yield float32OfBits(sign + exponent * 2 ** 23 + fraction);
    }
  }
}

type Parse = (text: string) => number | undefined;
type Format = (x: number) => string;

function survives(x: number, format: Format, parse: Parse): boolean {
  return Object.is(parse(format(x)), x);
}

/** Returns a number as an exact fraction; an infinity as ±2¹⁰²⁴, where the next float64 would be. */
function fractionOf(x: number): readonly [bigint, bigint] {
  const bits = bitsOfFloat64(x);
  const sign = bits >> 63n === 1n ? -1n : 1n;
  const biased = (bits >> 52n) & 0x7ffn;
  const significand = (bits & (2n ** 52n - 1n)) | (biased === 0n ? 0n : 2n ** 52n);
  const exponent = (biased === 0n ? 1n : biased) - 1075n;
  return exponent >= 0n ? [sign * (significand << exponent), 1n] : [sign * significand, 1n << -exponent];
}

function distance(x: number, [numerator, denominator]: readonly [bigint, bigint], scale: bigint): bigint {
  const [n, d] = fractionOf(x);
  const difference = ((n * denominator - numerator * d) * scale) / d;
  return difference < 0n ? -difference : difference;
}

/** Tells whether `x` ≥ 0 is the float64 nearest to a fraction ≥ 0, the even one of two that are as near. */
function isNearest(x: number, value: readonly [bigint, bigint]): boolean {
  // All denominators of floats divide 2¹⁰⁷⁴, so the divisions in `distance` are exact.
  const scale = 2n ** 1074n;
  const bits = bitsOfFloat64(x);
  const own = distance(x, value, scale);
  const neighbours = [bits + 1n, bits - 1n].filter((b) => b >= 0n && b <= 0x7ffn << 52n);
  return neighbours.every((neighbour) => {
    const other = distance(float64OfBits(neighbour), value, scale);
    return own < other || (own === other && bits % 2n === 0n);
  });
}

/** Halfway between a finite float64 ≥ 0 and the next, as an odd multiple of a power of two. */
const halfways = fc.bigInt({ min: 0n, max: (0x7ffn << 52n) - 1n }).map((bits) => {
  const [numerator, denominator] = fractionOf(float64OfBits(bits));
  const [next, nextDenominator] = fractionOf(float64OfBits(bits + 1n));
  return [numerator * nextDenominator + next * denominator, 2n * denominator * nextDenominator] as const;
});

/** Returns `numerator / 2ᵏ` in hexadecimal or decimal, exactly. */
function hexadecimalText([numerator, denominator]: readonly [bigint, bigint]): string {
  return `0x${numerator.toString(16)}p-${denominator.toString(2).length - 1}`;
}

function decimalText([numerator, denominator]: readonly [bigint, bigint]): string {
  const k = denominator.toString(2).length - 1;
  return `${numerator * 5n ** BigInt(k)}e-${k}`;
}

/** A little below, at, or above a halfway point: 40 more digits, the last of them −1, 0 or 1. */
const nearHalfways = fc.tuple(halfways, fc.constantFrom(-1n, 0n, 1n)).map(([[n, d], nudge]) => {
  const more = 2n ** 160n;
  return [n * more + nudge, d * more] as const;
});

describe("formatFloat64 and parseFloat64", () => {
  it.each([
    [3, "0x1.8p+1"],
    [-0, "-0x0p+0"],
    [0, "0x0p+0"],
    [1, "0x1p+0"],
    [0.1, "0x1.999999999999ap-4"],
    [-1e22, "-0x1.0f0cf064dd592p+73"],
    [Number.MAX_VALUE, "0x1.fffffffffffffp+1023"],
    [2 ** -1022, "0x1p-1022"],
    [2 ** -1022 - 2 ** -1074, "0x0.fffffffffffffp-1022"],
    [Number.MIN_VALUE, "0x0.0000000000001p-1022"],
    [Number.POSITIVE_INFINITY, "inf"],
    [Number.NEGATIVE_INFINITY, "-inf"],
    [Number.NaN, "nan"],
  ])("writes %d as C's %%a does and reads it back", (x, text) => {
    expect(formatFloat64(x)).toBe(text);
    expect(parseFloat64(text)).toBe(x);
  });

  it("keeps every float64 bit pattern, all NaNs being one", () => {
    fc.assert(
      fc.property(anyFloat64, (x) => survives(x, formatFloat64, parseFloat64)),
      { seed: 64, numRuns: 20_000 },
    );
    for (const x of structuredFloat64()) expect(survives(x, formatFloat64, parseFloat64)).toBe(true);
  });

  it("keeps every float32 bit pattern, all NaNs being one", () => {
    fc.assert(
      fc.property(anyFloat32, (x) => survives(x, formatFloat64, parseFloat64)),
      { seed: 32, numRuns: 20_000 },
    );
    for (const x of structuredFloat32()) expect(survives(x, formatFloat64, parseFloat64)).toBe(true);
  });

  it.each<[string, Format, Parse]>([
    ["loses the sign of zero", (x) => formatFloat64(x + 0), parseFloat64],
    ["loses the last digit", (x) => formatFloat64(x).replace(/[0-9a-f](p|$)/, "$1"), parseFloat64],
    ["flushes subnormals", formatFloat64, (text) => (text.includes("0x0.") ? 0 : parseFloat64(text))],
    ["rounds to float32", formatFloat64, (text) => Math.fround(parseFloat64(text) ?? 0)],
  ])("would not keep them if it %s", (_, format, parse) => {
    expect([...structuredFloat64()].every((x) => survives(x, format, parse))).toBe(false);
  });

  it("writes two floats alike only if they are the same", () => {
    fc.assert(
      fc.property(finite, finite, (x, y) => (formatFloat64(x) === formatFloat64(y)) === Object.is(x, y)),
      { seed: 65, numRuns: 2_000 },
    );
  });

  it.each([
    ["0X1.8P+1", 3],
    ["+0x.8", 0.5],
    ["0x10", 16],
    ["0x1.", 1],
    ["0x000000000000000000000001p4", 16],
    ["0x1p-99999999999999999999", 0],
    ["-0x1p-1080", -0],
    ["0x1p+99999999999999999999", Number.POSITIVE_INFINITY],
    ["-0x1p1024", Number.NEGATIVE_INFINITY],
    ["0x0p+99999999999999999999", 0],
    ["0x1.fffffffffffff8p+1023", Number.POSITIVE_INFINITY],
    ["0x1.fffffffffffff7ffffffffffp+1023", Number.MAX_VALUE],
    ["0x0.00000000000008p-1022", 0],
    ["0x0.00000000000008000000000001p-1022", Number.MIN_VALUE],
    ["1e400", Number.POSITIVE_INFINITY],
    ["-0", -0],
    [".5", 0.5],
    ["5.", 5],
    ["1E-2", 0.01],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["-INF", Number.NEGATIVE_INFINITY],
    ["NaN", Number.NaN],
    ["-nan", Number.NaN],
  ])("reads %s as %d", (text, x) => expect(parseFloat64(text)).toBe(x));

  it.each([
    "",
    " ",
    "1 ",
    "\n1",
    "0x",
    "0x.",
    "0x.p1",
    "0x1p",
    "0x1p1.5",
    "0xg",
    "1p3",
    "1e",
    ".",
    "e5",
    "--1",
    "+-1",
    "1_000",
    "1,5",
    "0b1",
    "1n",
    "infinit",
    "nan(0x1)",
    "١",
    "null",
  ])("refuses %j", (text) => expect(parseFloat64(text)).toBeUndefined());

  it("reads what it should refuse or round in time linear in the text", () => {
    const digits = "1".repeat(1_000_000);
    expect(parseFloat64(`0x${digits}p-4000000`)).toBe(1 / 15);
    expect(parseFloat64(`0x${digits}!`)).toBeUndefined();
    expect(parseFloat64(`${digits}!`)).toBeUndefined();
    expect(parseFloat64(`0.${"0".repeat(1_000_000)}1`)).toBe(0);
  });
});

describe("rounding", () => {
  function roundsHexadecimals(parse: Parse): boolean {
    const isRight = fc.property(nearHalfways, (value) =>
      isNearest(parse(hexadecimalText(value)) ?? Number.NaN, value),
    );
    return !fc.check(isRight, { seed: 7, numRuns: 3_000 }).failed;
  }

  it("gives the nearest float64 of a hexadecimal with too many digits, ties to even", () => {
    expect(roundsHexadecimals(parseFloat64)).toBe(true);
  });

  it("would not if digits were cut off, or rounded twice", () => {
    const cut: Parse = (text) =>
      parseFloat64(
        text.replace(
          /^(0x[0-9a-f]{16})([0-9a-f]*)/,
          (_, kept: string, rest: string) => kept + "0".repeat(rest.length),
        ),
      );
    const twice: Parse = (text) => {
      const [, digits = "", exponent = "0"] = /^0x([0-9a-f]+)p(.*)$/.exec(text) ?? [];
      return Number(BigInt(`0x${digits}`) >> 100n) * 2 ** 100 * 2 ** Number(exponent);
    };
    expect(roundsHexadecimals(cut)).toBe(false);
    expect(roundsHexadecimals(twice)).toBe(false);
  });

  it("gives the nearest float64 of a decimal with hundreds of digits, ties to even", () => {
    fc.assert(
      fc.property(halfways, fc.constantFrom(-1n, 0n, 1n), ([n, d], nudge) => {
        const value = [n * 2n ** 20n + nudge, d * 2n ** 20n] as const;
        return isNearest(parseFloat64(decimalText(value)) ?? Number.NaN, value);
      }),
      { seed: 10, numRuns: 500 },
    );
  });
});
