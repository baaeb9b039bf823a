import type { BinaryName, UnaryName } from "../../spec/operators/index.ts";
import type { PositFormat } from "../../spec/wire/index.ts";
import { type Address, Arena, DOWN, mpfr, type Rounding, rationalFromMpfr, UP } from "../algebras/mpfr.ts";
import { dyadicOf, greatestCode, notReal, type Posit, roundToPosit } from "../algebras/posit_format.ts";

/** A function applied to MPFR numbers: the result is stored, rounded in the direction asked for. */
type Applied = (result: Address, rounding: Rounding) => void;

/** Enclosures begin with this precision, which decides nearly every rounding and holds every posit. */
const FIRST_PRECISION = 128;

/**
 * Returns an elementary function of one posit, rounded once. MPFR's value rounded down and up encloses the
 * true one; if the two do not round to one code, the precision is doubled. This ends, since a value on a
 * threshold is dyadic, and both equal it at last. NaR outside the domain and at poles [Posit Standard (2022),
 * 5.1, 5.5].
 */
export function positUnary(format: PositFormat, name: UnaryName, x: Posit): Posit {
  if (x === notReal(format)) return x;
  const f = mpfr[`mpfr_${name}`];
  return refined(
    format,
    [x],
    ([a = 0]) =>
      (result, rounding) =>
        f(result, a, rounding),
  );
}

/**
 * An elementary function of two posits, as {@link positUnary}. 0⁰ is NaR, and so is the angle of the origin:
 * what has no value in the mathematics has none here [Posit Standard (2022), 5.1 and 5.5].
 */
export function positBinary(format: PositFormat, name: BinaryName, x: Posit, y: Posit): Posit {
  const nothing = notReal(format);
  if (x === nothing || y === nothing) return nothing;
  if (name !== "hypot" && x === 0n && y === 0n) return nothing;
  const f = mpfr[`mpfr_${name}`];
  return refined(
    format,
    [x, y],
    ([a = 0, b = 0]) =>
      (result, rounding) =>
        f(result, a, b, rounding),
  );
}

function refined(
  format: PositFormat,
  operands: readonly Posit[],
  apply: (operands: readonly Address[]) => Applied,
): Posit {
  for (let precision = FIRST_PRECISION; ; precision *= 2) {
    using arena = new Arena(precision);
    const f = apply(operands.map((x) => entered(arena, format, x)));
    const [low, high] = [arena.fresh(), arena.fresh()];
    f(low, DOWN);
    f(high, UP);
    const [below, above] = [roundedEnd(format, low, high), roundedEnd(format, high, low)];
    if (below === above) return below;
  }
}

/** Returns a posit as an MPFR number, exactly: two doubles hold its digits, of which there are at most 63. */
function entered(arena: Arena, format: PositFormat, x: Posit): Address {
  const { significand, exponent } = dyadicOf(format, x);
  const [high, low, sum] = [arena.fresh(), arena.fresh(), arena.fresh()];
  mpfr.mpfr_set_d(high, Number(significand >> 32n) * 2 ** (exponent + 32), DOWN);
  mpfr.mpfr_set_d(low, Number(significand & 0xffffffffn) * 2 ** exponent, DOWN);
  mpfr.mpfr_add(sum, high, low, DOWN);
  return sum;
}

/**
 * Returns the code of one end of an enclosure. An end that is infinite while the other is not is a number too
 * large for MPFR, and one that is 0 while the other is not a number too small; both ends infinite are a pole.
 */
function roundedEnd(format: PositFormat, end: Address, other: Address): Posit {
  if (mpfr.mpfr_number_p(end) !== 0) {
    return mpfr.mpfr_zero_p(end) !== 0 && mpfr.mpfr_zero_p(other) === 0
      ? BigInt(mpfr.mpfr_sgn(other))
      : roundToPosit(format, rationalFromMpfr(end));
  }
  const isOverflow = mpfr.mpfr_nan_p(end) === 0 && mpfr.mpfr_number_p(other) !== 0;
  return isOverflow ? BigInt(mpfr.mpfr_sgn(end)) * greatestCode(format) : notReal(format);
}
