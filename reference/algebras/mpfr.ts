import { init } from "gmp-wasm";
import type { BinaryName, UnaryName } from "../../spec/operators/index.ts";
import { Exhausted, step } from "../pace.ts";
import { type Rational, rationalOf } from "./rational.ts";

/** The address of an MPFR number in the library's memory; valid until its arena is disposed of. */
export type Address = number;

/** MPFR's number of a rounding direction. */
export type Rounding = 2 | 3;

/** Towards −∞, and towards +∞. */
export const DOWN: Rounding = 3;
export const UP: Rounding = 2;

/** A function of one number, and of two; the result is stored, the sign of its rounding error returned. */
export type Unary = (result: Address, x: Address, rounding: Rounding) => number;
export type Binary = (result: Address, x: Address, y: Address, rounding: Rounding) => number;

/** We declare what we use of the library, since its own declarations do not pass TypeScript. */
export interface Mpfr
  extends Readonly<Record<`mpfr_${UnaryName | "neg"}`, Unary>>,
    Readonly<Record<`mpfr_${BinaryName | "add" | "sub" | "mul" | "div"}`, Binary>> {
  readonly mem: Uint8Array;
  readonly memView: DataView;
  mpfr_t(): Address;
  mpfr_t_free(x: Address): void;
  mpfr_init2(x: Address, precision: number): void;
  mpfr_clear(x: Address): void;
  mpfr_set_emin(exponent: number): number;
  mpfr_set_emax(exponent: number): number;
  mpfr_set_d(result: Address, x: number, rounding: Rounding): number;
  mpfr_get_d(x: Address, rounding: Rounding): number;
  mpfr_const_pi(result: Address, rounding: Rounding): number;
  mpfr_floor(result: Address, x: Address): number;
  mpfr_sgn(x: Address): number;
  mpfr_nan_p(x: Address): number;
  mpfr_zero_p(x: Address): number;
  mpfr_number_p(x: Address): number;
  mpfr_integer_p(x: Address): number;
  mpfr_equal_p(x: Address, y: Address): number;
  mpfr_less_p(x: Address, y: Address): number;
  mpfr_lessequal_p(x: Address, y: Address): number;
}

/** GNU MPFR: every function is correctly rounded in the direction asked for [https://www.mpfr.org]. */
export const mpfr: Mpfr = (await init()).binding;

// What leaves this range is infinitely large or small for every precision an engine computes in.
mpfr.mpfr_set_emin(-(2 ** 16));
mpfr.mpfr_set_emax(2 ** 16);

/** The most that one arena holds, in bytes: the library's memory ends at 4 GiB, and ends the process. */
const MOST_BYTES = 2 ** 30;

/** A number takes so many bytes besides its significand. */
const OVERHEAD = 48;

/** MPFR numbers of one precision that are freed together. */
export class Arena implements Disposable {
  /** Numbers have so many significant bits. */
  readonly precision: number;
  readonly #addresses: Address[] = [];
  readonly #mostBytes: number;

  constructor(precision: number, mostBytes: number = MOST_BYTES) {
    this.precision = precision;
    this.#mostBytes = mostBytes;
  }

  /** Returns a new number, which is NaN. Throws {@link Exhausted} where the time is over, or the memory. */
  fresh(): Address {
    step();
    if ((this.#addresses.length + 1) * (this.precision / 8 + OVERHEAD) > this.#mostBytes)
      throw new Exhausted("memory");
    const address = mpfr.mpfr_t();
    mpfr.mpfr_init2(address, this.precision);
    this.#addresses.push(address);
    return address;
  }

  [Symbol.dispose](): void {
    for (const address of this.#addresses) {
      mpfr.mpfr_clear(address);
      mpfr.mpfr_t_free(address);
    }
    this.#addresses.length = 0;
  }
}

/**
 * Returns the exact value of a finite MPFR number, read from the library's own layout: precision, sign,
 * exponent, and the address of the significand in [½, 1) as little-endian 64-bit words.
 */
export function rationalFromMpfr(address: Address): Rational {
  if (mpfr.mpfr_zero_p(address) !== 0) return rationalOf(0n, 1n);
  const memory = mpfr.memView;
  const words = Math.ceil(memory.getUint32(address, true) / 64);
  const exponent = memory.getInt32(address + 8, true) - 64 * words;
  const start = memory.getUint32(address + 12, true);
  let significand = 0n;
  for (let word = words - 1; word >= 0; word--) {
    significand = (significand << 64n) | memory.getBigUint64(start + 8 * word, true);
  }
  const signed = memory.getInt32(address + 4, true) < 0 ? -significand : significand;
  return exponent >= 0
    ? rationalOf(signed << BigInt(exponent), 1n)
    : rationalOf(signed, 1n << BigInt(-exponent));
}
