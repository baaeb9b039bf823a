import { InvariantError } from "../../spec/shapes/index.ts";

/**
 * Values of unknowns that are so far apart that a number computed of them by sums and products can be read
 * back as a polynomial of the unknowns (Kronecker's substitution). Code whose branches do not depend on more
 * than the order of the unknowns runs on them as it is.
 */
interface Reading {
  readonly values: Readonly<Record<string, number>>;
  /** Reads a number as an SMT-LIB term. Throws {@link InvariantError} if it is no such polynomial. */
  readonly read: (value: number) => string;
}

interface Monomial {
  readonly names: readonly string[];
  readonly value: number;
}

/**
 * Makes two readings of the same unknowns, which rise in this order in both. What is read must be the same: a
 * number that happens to look like a polynomial looks like another one in the other. Polynomials have no
 * squares, at most `degree` factors, and coefficients below `2 ** (bits - 1)`.
 */
export function readingsOf(
  symbols: readonly string[],
  degree: number,
  bits?: number,
): readonly [Reading, Reading] {
  return [readingFrom(symbols, degree, 1, bits), readingFrom(symbols, degree, 2, bits)];
}

/** Reads both numbers, which code has computed of the same unknowns. Throws if they are read differently. */
export function readBoth(
  readings: readonly [Reading, Reading],
  [first, second]: readonly [number, number],
): string {
  const [one, other] = [readings[0].read(first), readings[1].read(second)];
  if (one !== other) throw new InvariantError(`${one} is ${other} elsewhere`);
  return one;
}

function readingFrom(
  symbols: readonly string[],
  degree: number,
  first: number,
  wanted: number | undefined,
): Reading {
  const isFitting = highestOf(distinctSums(symbols.length, degree, first), degree) * 3 <= 49;
  // Where there is room for small factors only, the unknowns begin higher, so that numbers can be larger.
  const bits = wanted ?? (isFitting ? 3 : 2);
  const exponents = distinctSums(symbols.length, degree, bits > 2 ? first : first + 1);
  const values = exponents.map((exponent) => 2 ** (bits * exponent));
  const monomials = products(
    symbols.map((name, n) => ({ names: [name], value: values[n] ?? 0 })),
    degree,
  ).toSorted((a, b) => b.value - a.value);
  if ((monomials[0]?.value ?? 0) > 2 ** 52) throw new InvariantError("too many unknowns to be read back");
  return {
    values: Object.fromEntries(symbols.map((name, n) => [name, values[n] ?? 0])),
    read: (value) => readAs(monomials, 2 ** (bits - 1) - 1, value),
  };
}

function highestOf(exponents: readonly number[], degree: number): number {
  const highest = exponents.toSorted((a, b) => b - a).slice(0, degree);
  return highest.reduce((sum, exponent) => sum + exponent, 0);
}

/** Finds numbers from `first` on of which no two choices of at most `degree` have the same sum. */
function distinctSums(count: number, degree: number, first: number): readonly number[] {
  const chosen: number[] = [];
  for (let next = first; chosen.length < count; next += 1) {
    const sums = products(
      [...chosen, next].map((value) => ({ names: [""], value: 2 ** value })),
      degree,
    ).map(({ value }) => value);
    if (new Set(sums).size === sums.length) chosen.push(next);
  }
  return chosen;
}

/** Lists all products of at most `degree` different factors, that of none too. */
function products(factors: readonly Monomial[], degree: number): readonly Monomial[] {
  const all: Monomial[] = [{ names: [], value: 1 }];
  for (const factor of factors) {
    const shorter = all.filter(({ names }) => names.length < degree);
    for (const { names, value } of shorter)
      all.push({ names: [...names, ...factor.names], value: value * factor.value });
  }
  return all;
}

function readAs(monomials: readonly Monomial[], largest: number, value: number): string {
  let rest = value;
  const terms: string[] = [];
  for (const monomial of monomials) {
    const count = Math.round(rest / monomial.value);
    if (Math.abs(count) > (monomial.names.length === 0 ? Math.max(3, largest) : largest)) break;
    rest -= count * monomial.value;
    if (count !== 0) terms.push(product(count, monomial.names));
  }
  if (rest !== 0 || !Number.isSafeInteger(value))
    throw new InvariantError(`${value} is no polynomial of the unknowns`);
  const sorted = terms.toSorted();
  return sorted.length > 1 ? `(+ ${sorted.join(" ")})` : (sorted[0] ?? "0");
}

function product(count: number, names: readonly string[]): string {
  const factor = count < 0 ? `(- ${-count})` : String(count);
  const factors = [...(count === 1 && names.length > 0 ? [] : [factor]), ...names];
  return factors.length === 1 ? (factors[0] ?? "1") : `(* ${factors.join(" ")})`;
}
