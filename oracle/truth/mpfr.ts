import { type GMPLib, init, mpfr_rnd_t } from "gmp-wasm";
import { type Rational, rationalOf } from "../../reference/index.ts";

/** GNU MPFR: every function is correctly rounded in the direction asked for [https://www.mpfr.org]. */
export const mpfr: GMPLib["binding"] = (await init()).binding;

// What leaves this range is infinitely large or small for every precision an engine computes in.
mpfr.mpfr_set_emin(-(2 ** 16));
mpfr.mpfr_set_emax(2 ** 16);

/** Towards −∞, and towards +∞. */
export const DOWN: mpfr_rnd_t = mpfr_rnd_t.MPFR_RNDD;
export const UP: mpfr_rnd_t = mpfr_rnd_t.MPFR_RNDU;

/** The address of an MPFR number in the library's memory; valid until its arena is disposed of. */
export type Address = number;

/** MPFR numbers of one precision that are freed together. */
export class Arena implements Disposable {
  /** Significant bits. */
  readonly precision: number;
  readonly #addresses: Address[] = [];

  constructor(precision: number) {
    this.precision = precision;
  }

  /** A new number, which is NaN. */
  fresh(): Address {
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
 * The exact value of a finite MPFR number, read from the library's own layout: precision, sign, exponent, and the
 * address of the significand in [½, 1) as little-endian 64-bit words.
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
