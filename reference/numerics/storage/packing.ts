import { fail, type Issue, ok, type Result } from "../../../spec/shapes/index.ts";

/** Counts the bytes of so many codes. The last byte may be filled in part; its rest is 0. */
export function packedBytes(count: number, bits: number): number {
  return Math.ceil((count * bits) / 8);
}

/** Returns the least and the greatest code of so many bits: in two's complement, or from 0 on. */
export function codeLimits(bits: number, isSigned: boolean): readonly [least: number, greatest: number] {
  return isSigned ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
}

/**
 * Packs codes of 1 to 32 bits one after the other, from the lowest bit of the first byte on. Fails:
 * `storage/misfit` for a code that so many bits do not hold. Cost: linear in the codes.
 */
export function pack(codes: readonly number[], bits: number, isSigned: boolean): Result<Uint8Array, Issue[]> {
  const [least, greatest] = codeLimits(bits, isSigned);
  const bytes = new Uint8Array(packedBytes(codes.length, bits));
  for (const [place, code] of codes.entries()) {
    if (!(Number.isInteger(code) && code >= least && code <= greatest))
      return fail([misfit(place, code, least, greatest)]);
    for (let bit = 0; bit < bits; bit++) {
      const to = place * bits + bit;
      if ((code >>> bit) & 1) bytes[to >>> 3] = (bytes[to >>> 3] ?? 0) | (1 << (to & 7));
    }
  }
  return ok(bytes);
}

/** Returns the codes that bytes hold, signs extended. Law: inverse of {@link pack}. */
export function unpack(bytes: Uint8Array, count: number, bits: number, isSigned: boolean): number[] {
  return Array.from({ length: count }, (_, place) => {
    let code = 0;
    for (let bit = 0; bit < bits; bit++) {
      const from = place * bits + bit;
      code += (((bytes[from >>> 3] ?? 0) >>> (from & 7)) & 1) * 2 ** bit;
    }
    return isSigned && code >= 2 ** (bits - 1) ? code - 2 ** bits : code;
  });
}

function misfit(place: number, code: number, least: number, greatest: number): Issue {
  return {
    code: "storage/misfit",
    pointer: `/${place}`,
    message: `the code ${code} does not fit: codes are from ${least} to ${greatest}.`,
    hint: "a wider format, or a conversion of the values instead of the codes, holds it",
  };
}
