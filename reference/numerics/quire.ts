import type { Additive, Algebra } from "../../spec/shapes/index.ts";
import { isBounded, type PositFormat, positName, positReach } from "../../spec/wire/index.ts";
import { dyadicOf, notReal, type Posit, roundToPosit } from "../algebras/posit_format.ts";
import { type Rational, rational, rationalOf } from "../algebras/rational.ts";

/**
 * A quire's code as a two's-complement integer in units of its last place; the least integer is NaR. The
 * standard's posits have 16n bits, and the square of the least positive posit, 2^(16 − 8n), as last place
 * [Posit Standard (2022), 3.4].
 */
export type Quire = bigint;

/**
 * Quires of the posits of one format can do this [Posit Standard (2022), 5.11]. All but `toPosit` is exact,
 * since posits and their products are multiples of the last place. Of b-posits wider than 12 bits not all
 * products are: those are rounded to the nearest multiple as they enter, ties to even, so that the order of
 * terms means nothing there either. NaR is what leaves the bits, and stays.
 */
export interface QuireOperations {
  readonly bits: number;
  readonly notReal: Quire;
  /** Is the standard's `pToQ`. */
  fromPosit(x: Posit): Quire;
  /** Is `qToP`: the only operation that rounds, as posits do. */
  toPosit(q: Quire): Posit;
  /** Is `qNegate`. */
  negative(q: Quire): Quire;
  /** Is `qAbs`. */
  absolute(q: Quire): Quire;
  /** Is `qAddQ`. */
  add(q: Quire, r: Quire): Quire;
  /** Is `qSubQ`. */
  subtract(q: Quire, r: Quire): Quire;
  /** Is `qAddP`. */
  addPosit(q: Quire, x: Posit): Quire;
  /** Is `qSubP`. */
  subtractPosit(q: Quire, x: Posit): Quire;
  /** Is `qMulAdd`: q + x y. */
  multiplyAdd(q: Quire, x: Posit, y: Posit): Quire;
  /** Is `qMulSub`: q − x y. */
  multiplySubtract(q: Quire, x: Posit, y: Posit): Quire;
}

/** b-posits ⟨n, 6, 5⟩ of every width have the quire of that paper. */
function isOfPaper(format: PositFormat): boolean {
  return isBounded(format) && format.regimeBits === 6 && format.exponentBits === 5;
}

/**
 * Returns the places of a quire after the point. Posits with bounded regimes have fractions at the lower end
 * too, and the quire has places for the fractions of their products; that of b-posits ends at 2⁻³⁸⁴ whatever
 * their width is [Jonnalagadda, Thotli and Gustafson 2026].
 */
export function quirePlaces(format: PositFormat): number {
  const fraction = format.width - 1 - format.regimeBits - format.exponentBits;
  const isShort = !isBounded(format) || isOfPaper(format);
  return 2 * (positReach(format) + (isShort ? 0 : Math.max(0, fraction)));
}

/** Returns the bits of a quire: a sign, 31 bits of carry guard, and twice the range on either side. */
export function quireBits(format: PositFormat): number {
  return 32 + 2 * positReach(format) + quirePlaces(format);
}

/** Tells whether every product of two posits of a format is a multiple of its quire's last place. */
export function isExactQuire(format: PositFormat): boolean {
  return !isOfPaper(format) || format.width <= 12;
}

/** Returns x · 2^places to the nearest integer, ties to even. */
function shifted(x: bigint, places: number): bigint {
  if (places >= 0) return x << BigInt(places);
  const [down, half] = [BigInt(-places), 1n << BigInt(-places - 1)];
  const floor = x >> down;
  const rest = x - (floor << down);
  return rest > half || (rest === half && floor % 2n !== 0n) ? floor + 1n : floor;
}

/** The operations on quires of the posits of a format, which is one that is offered. */
export function quireOperations(format: PositFormat): QuireOperations {
  const [bits, fraction] = [quireBits(format), quirePlaces(format)];
  const nothing: Quire = -(1n << BigInt(bits - 1));
  const positNothing = notReal(format);
  const fitting = (exact: bigint): Quire => (exact > nothing && exact < -nothing ? exact : nothing);
  const plus = (q: Quire, r: Quire): Quire => (q === nothing || r === nothing ? nothing : fitting(q + r));
  const negative = (q: Quire): Quire => (q === nothing ? q : -q);
  const fromPosit = (x: Posit): Quire => {
    if (x === positNothing) return nothing;
    const { significand, exponent } = dyadicOf(format, x);
    return shifted(significand, exponent + fraction);
  };
  const product = (x: Posit, y: Posit): Quire => {
    if (x === positNothing || y === positNothing) return nothing;
    const [a, b] = [dyadicOf(format, x), dyadicOf(format, y)];
    return shifted(a.significand * b.significand, a.exponent + b.exponent + fraction);
  };
  return {
    bits,
    notReal: nothing,
    fromPosit,
    toPosit: (q) => roundToPosit(format, quireValue(format, q)),
    negative,
    absolute: (q) => (q < 0n ? negative(q) : q),
    add: plus,
    subtract: (q, r) => plus(q, negative(r)),
    addPosit: (q, x) => plus(q, fromPosit(x)),
    subtractPosit: (q, x) => plus(q, negative(fromPosit(x))),
    multiplyAdd: (q, x, y) => plus(q, product(x, y)),
    multiplySubtract: (q, x, y) => plus(q, negative(product(x, y))),
  };
}

/** Returns the number that a quire stands for; of NaR the element without value. */
export function quireValue(format: PositFormat, q: Quire): Rational {
  const isNothing = q === -(1n << BigInt(quireBits(format) - 1));
  return rationalOf(isNothing ? 0n : q, isNothing ? 0n : 1n << BigInt(quirePlaces(format)));
}

/**
 * Sums of posits as quires take them, rounded once at the end. Law: whatever the order of the terms, of
 * which there may be 2³¹ − 1 products, the same code.
 */
export interface QuireSums {
  sum(terms: readonly Posit[]): Posit;
  /** Is `fdp`, the fused dot product. */
  dot(xs: readonly Posit[], ys: readonly Posit[]): Posit;
}

/** {@link QuireSums} of the posits of a format. Missing factors count as 0. */
export function quireSums(format: PositFormat): QuireSums {
  const quire = quireOperations(format);
  return {
    sum: (terms) => quire.toPosit(terms.reduce(quire.addPosit, 0n)),
    dot: (xs, ys) =>
      quire.toPosit(xs.reduce((total, x, place) => quire.multiplyAdd(total, x, ys[place] ?? 0n), 0n)),
  };
}

/**
 * Makes an algebra of quires: what adds and nothing else, for the product of two quires is none. Elements are
 * written as codes, `0x` and all digits; a number is read if it is a quire's to the last digit.
 */
export function quireAlgebra(format: PositFormat): Algebra<Quire, boolean> {
  const quire = quireOperations(format);
  const additive: Additive<Quire> = { zero: 0n, add: quire.add, detach: (q) => q };
  return {
    name: positName(format).replace("posit", "quire"),
    additive,
    levels: {
      additive,
      semiring: undefined,
      ring: undefined,
      field: undefined,
      real: undefined,
      ordered: undefined,
      orderedField: undefined,
      orderedReal: undefined,
    },
    isSame: (q, r) => q === r,
    format: (q) => `0x${BigInt.asUintN(quire.bits, q).toString(16).padStart(digitsOf(quire), "0")}`,
    parse: (text) => parseQuire(format, quire, text),
  };
}

function digitsOf({ bits }: QuireOperations): number {
  return Math.ceil(bits / 4);
}

function parseQuire(format: PositFormat, quire: QuireOperations, text: string): Quire | undefined {
  if (/^0x[0-9a-f]+$/i.test(text)) {
    const bits = BigInt(text);
    const isCode = text.length === 2 + digitsOf(quire) && bits < 1n << BigInt(quire.bits);
    return isCode ? BigInt.asIntN(quire.bits, bits) : undefined;
  }
  if (/^nar$/i.test(text)) return quire.notReal;
  const x = rational.parse(text);
  if (x === undefined || x.denominator === 0n) return undefined;
  const { numerator, denominator } = rationalOf(x.numerator << BigInt(quirePlaces(format)), x.denominator);
  return denominator === 1n && numerator > quire.notReal && numerator < -quire.notReal
    ? numerator
    : undefined;
}
