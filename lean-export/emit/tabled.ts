import {
  type MaybeTruth,
  type Rational,
  rational,
  rationalOf,
  undefinedRational,
} from "../../reference/index.ts";
import { type Address, Arena, DOWN, mpfr, rationalFromMpfr } from "../../reference/numerics/index.ts";
import { type BinaryName, elementary, type UnaryName } from "../../spec/operators/index.ts";
import { type Algebra, type OrderedReal, present } from "../../spec/shapes/index.ts";

/** Values are computed with so many bits, and kept with so many, which is what numbers of a table have. */
const COMPUTED_BITS = 256;
const KEPT_BITS = 80n;

/**
 * Returns the value of an elementary function, with {@link KEPT_BITS} significant bits. Nothing here has to
 * be trusted: a table says what it takes the function to be, and Lean decides how near that is.
 */
export function roundedValue(name: UnaryName | BinaryName, operands: readonly Rational[]): Rational {
  if (operands.some(({ denominator }) => denominator === 0n)) return undefinedRational;
  using arena = new Arena(COMPUTED_BITS);
  const [x = 0, y = 0] = operands.map((operand) => entered(arena, operand));
  const result = arena.fresh();
  if (isBinary(name)) mpfr[`mpfr_${name}`](result, x, y, DOWN);
  else mpfr[`mpfr_${name}`](result, x, DOWN);
  return mpfr.mpfr_number_p(result) === 0 ? undefinedRational : kept(rationalFromMpfr(result));
}

function isBinary(name: UnaryName | BinaryName): name is BinaryName {
  return name === "pow" || name === "atan2" || name === "hypot";
}

const CHUNK = 32n;

/**
 * Returns a fraction as an MPFR number: exactly where it is dyadic and short, else to nearly all its bits.
 */
function entered(arena: Arena, { numerator, denominator }: Rational): Address {
  const shift = BigInt(COMPUTED_BITS) - bitsOf(numerator) + bitsOf(denominator);
  const magnitude = numerator < 0n ? -numerator : numerator;
  const scaled = shift >= 0n ? (magnitude << shift) / denominator : magnitude / (denominator << -shift);
  const [sum, part, base, power] = [arena.fresh(), arena.fresh(), arena.fresh(), arena.fresh()];
  mpfr.mpfr_set_d(sum, 0, DOWN);
  mpfr.mpfr_set_d(base, Number(1n << CHUNK), DOWN);
  for (let from = (bitsOf(scaled) / CHUNK) * CHUNK; from >= 0n; from -= CHUNK) {
    mpfr.mpfr_set_d(part, Number((scaled >> from) & ((1n << CHUNK) - 1n)), DOWN);
    mpfr.mpfr_mul(sum, sum, base, DOWN);
    mpfr.mpfr_add(sum, sum, part, DOWN);
  }
  mpfr.mpfr_set_d(base, 2, DOWN);
  mpfr.mpfr_set_d(part, -Number(shift), DOWN);
  mpfr.mpfr_pow(power, base, part, DOWN);
  mpfr.mpfr_mul(sum, sum, power, DOWN);
  if (numerator < 0n) mpfr.mpfr_neg(sum, sum, DOWN);
  return sum;
}

/** Returns the number of bits of a magnitude. */
export function bitsOf(x: bigint): bigint {
  return x === 0n ? 0n : BigInt((x < 0n ? -x : x).toString(2).length);
}

/** Returns a dyadic number with its first bits alone. */
function kept({ numerator, denominator }: Rational): Rational {
  const excess = bitsOf(numerator) - KEPT_BITS;
  if (excess <= 0n) return { numerator, denominator };
  const half = 1n << (excess - 1n);
  return rationalOf(((numerator + half) >> excess) << excess, denominator);
}

/** The operations of the rational numbers, and functions that are rounded. */
export const tabledOperations: OrderedReal<Rational, MaybeTruth> = {
  ...present(rational.levels.orderedField, "the ordered field"),
  ...elementary(
    (name) => (x) => roundedValue(name, [x]),
    (name) => (x, y) => roundedValue(name, [x, y]),
  ),
};

/**
 * The rational numbers, where elementary functions have the values of a table: each is a rational number near
 * the true one, and everything else is exact. A run over them is what Lean takes for a run by its table.
 */
export const tabled: Algebra<Rational, MaybeTruth> = {
  ...rational,
  name: "tabled",
  levels: { ...rational.levels, real: tabledOperations, orderedReal: tabledOperations },
};
