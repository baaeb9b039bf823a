import type { Additive, Algebra } from "../../spec/shapes/index.ts";
import { dyadicOf, notReal, type Posit, roundToPosit } from "../algebras/posit_format.ts";
import { type Rational, rational, rationalOf } from "../algebras/rational.ts";

/**
 * A quire's code as a two's-complement integer of 16n bits, in units of its last place 2^(16 − 8n), which is
 * the square of the least positive posit; the least integer is NaR [Posit Standard (2022), 3.4].
 */
export type Quire = bigint;

/**
 * Quires of the posits of one width can do this [Posit Standard (2022), 5.11]. All but `toPosit` is exact:
 * posits and their products are multiples of the last place. NaR is what leaves the 16n bits, and stays.
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

/** Returns the places of a quire after the point. */
function quireFraction(width: number): number {
  return 8 * width - 16;
}

/** The operations on quires of the posits of `width` bits, which is one that posits are offered in. */
export function quireOperations(width: number): QuireOperations {
  const bits = 16 * width;
  const nothing: Quire = -(1n << BigInt(bits - 1));
  const positNothing = notReal(width);
  const fitting = (exact: bigint): Quire => (exact > nothing && exact < -nothing ? exact : nothing);
  const plus = (q: Quire, r: Quire): Quire => (q === nothing || r === nothing ? nothing : fitting(q + r));
  const negative = (q: Quire): Quire => (q === nothing ? q : -q);
  const fromPosit = (x: Posit): Quire => {
    if (x === positNothing) return nothing;
    const { significand, exponent } = dyadicOf(width, x);
    return significand << BigInt(exponent + quireFraction(width));
  };
  const product = (x: Posit, y: Posit): Quire => {
    if (x === positNothing || y === positNothing) return nothing;
    const [a, b] = [dyadicOf(width, x), dyadicOf(width, y)];
    return (a.significand * b.significand) << BigInt(a.exponent + b.exponent + quireFraction(width));
  };
  return {
    bits,
    notReal: nothing,
    fromPosit,
    toPosit: (q) => roundToPosit(width, quireValue(width, q)),
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
export function quireValue(width: number, q: Quire): Rational {
  const isNothing = q === -(1n << BigInt(16 * width - 1));
  return rationalOf(isNothing ? 0n : q, isNothing ? 0n : 1n << BigInt(quireFraction(width)));
}

/**
 * Sums of posits as quires take them: exactly, and rounded once. Law: whatever the order of the terms, of
 * which there may be 2³¹ − 1 products, the same code.
 */
export interface QuireSums {
  sum(terms: readonly Posit[]): Posit;
  /** Is `fdp`, the fused dot product. */
  dot(xs: readonly Posit[], ys: readonly Posit[]): Posit;
}

/** {@link QuireSums} of the posits of `width` bits. Missing factors count as 0. */
export function quireSums(width: number): QuireSums {
  const quire = quireOperations(width);
  return {
    sum: (terms) => quire.toPosit(terms.reduce(quire.addPosit, 0n)),
    dot: (xs, ys) =>
      quire.toPosit(xs.reduce((total, x, place) => quire.multiplyAdd(total, x, ys[place] ?? 0n), 0n)),
  };
}

/**
 * Makes an algebra of quires: what adds and nothing else, for the product of two quires is none. Elements are
 * written as codes, `0x` and 4n digits; a number is read if it is a quire's to the last digit.
 */
export function quireAlgebra(width: number): Algebra<Quire, boolean> {
  const quire = quireOperations(width);
  const additive: Additive<Quire> = { zero: 0n, add: quire.add, detach: (q) => q };
  return {
    name: `quire${width}`,
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
    format: (q) =>
      `0x${BigInt.asUintN(quire.bits, q)
        .toString(16)
        .padStart(4 * width, "0")}`,
    parse: (text) => parseQuire(width, quire, text),
  };
}

function parseQuire(width: number, quire: QuireOperations, text: string): Quire | undefined {
  if (/^0x[0-9a-f]+$/i.test(text))
    return text.length === 2 + 4 * width ? BigInt.asIntN(quire.bits, BigInt(text)) : undefined;
  if (/^nar$/i.test(text)) return quire.notReal;
  const x = rational.parse(text);
  if (x === undefined || x.denominator === 0n) return undefined;
  const { numerator, denominator } = rationalOf(x.numerator << BigInt(quireFraction(width)), x.denominator);
  return denominator === 1n && numerator > quire.notReal && numerator < -quire.notReal
    ? numerator
    : undefined;
}
