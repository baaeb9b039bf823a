import { type Coefficients, coefficients } from "../../coefficients.ts";
import type { Precision } from "../../plan/index.ts";

/** A binary format of IEEE 754, its numbers in a vector, and the constants of its functions. */
export interface Format {
  readonly precision: Precision;
  /** The suffix of instructions and functions. */
  readonly suffix: "f64x2" | "f32x4";
  readonly lanes: number;
  /** Bits of a number, and of its significand without the leading one. */
  readonly width: number;
  readonly fraction: number;
  /** The number that is added to an exponent. */
  readonly bias: number;
  readonly coefficients: Coefficients;
}

/** The formats by precision. */
export const formats: Readonly<Record<Precision, Format>> = {
  float64: {
    precision: "float64",
    suffix: "f64x2",
    lanes: 2,
    width: 64,
    fraction: 52,
    bias: 1023,
    coefficients: coefficients.float64,
  },
  float32: {
    precision: "float32",
    suffix: "f32x4",
    lanes: 4,
    width: 32,
    fraction: 23,
    bias: 127,
    coefficients: coefficients.float32,
  },
};

/** Returns the bits of a number, sign first. */
export function bitsOf({ width }: Format, value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  if (width === 64) {
    view.setFloat64(0, value);
    return view.getBigUint64(0);
  }
  view.setFloat32(0, value);
  return BigInt(view.getUint32(0));
}

/** Returns the bits of a power of 2 that is a normal number. */
export function bitsOfPower({ fraction, bias }: Format, exponent: number): bigint {
  return BigInt(exponent + bias) << BigInt(fraction);
}
