import { type Rational, rationalFromNumber, rationalOf } from "../algebras/rational.ts";

/**
 * Returns the number that a literal is written for: of the rationals that round to this float64, the one
 * with the smallest denominator. So 0.3333333333333333 is a third, as the exponent of a cube root. Laws: it
 * is odd, and a short fraction is itself.
 * Source: Stern–Brocot tree, R. L. Graham, D. E. Knuth, O. Patashnik, Concrete Mathematics, 4.5.
 */
export function literalOf(value: number): Rational {
  if (!Number.isFinite(value) || Number.isInteger(value)) return rationalFromNumber(value);
  if (value < 0) {
    const { numerator, denominator } = literalOf(-value);
    return { numerator: -numerator, denominator };
  }
  return simplestBetween(halfway(value, beside(value, -1n)), halfway(value, beside(value, 1n)));
}

/** Returns the float64 next to a positive one, above or below. */
function beside(value: number, step: 1n | -1n): number {
  const bits = new BigUint64Array(Float64Array.of(value).buffer);
  return new Float64Array(BigUint64Array.from(bits, (own) => own + step).buffer)[0] ?? value;
}

function halfway(x: number, y: number): Rational {
  const [a, b] = [rationalFromNumber(x), rationalFromNumber(y)];
  return rationalOf(
    a.numerator * b.denominator + b.numerator * a.denominator,
    2n * a.denominator * b.denominator,
  );
}

/** Returns the rational of least denominator between two that are not negative. Cost: as Euclid's. */
function simplestBetween(low: Rational, high: Rational): Rational {
  const whole = low.numerator / low.denominator;
  const [above, below] = [high.numerator - whole * high.denominator, low.numerator - whole * low.denominator];
  // The next integer is between them, or both are in [whole, whole + 1] and are turned upside down.
  if (above > high.denominator) return { numerator: whole + 1n, denominator: 1n };
  const { numerator, denominator } =
    below === 0n
      ? { numerator: high.denominator / above + 1n, denominator: 1n }
      : simplestBetween(rationalOf(high.denominator, above), rationalOf(low.denominator, below));
  return { numerator: whole * numerator + denominator, denominator: numerator };
}
