import { InvariantError } from "../../spec/shapes/index.ts";
import { isBounded, type PositFormat, positName } from "../../spec/wire/index.ts";
import { type PositArithmetic, type PositCode, significantBits } from "./arithmetic.ts";
import { doubleToPosit, layoutOf, type PositLayout } from "./rounding.ts";

const words: DataView = new DataView(new ArrayBuffer(8));

/**
 * Tells whether a quire is one of whole words, which has as many places after the point as before it. Where
 * regimes are bounded, that of b-posits ⟨n, 6, 5⟩ is such; products then have to be doubles.
 */
function isOfWords(format: PositFormat, reach: number): boolean {
  if (reach % 8 !== 0) return false;
  if (!isBounded(format)) return true;
  return format.regimeBits === 6 && format.exponentBits === 5 && 2 * significantBits(format) <= 51;
}

/**
 * The quire of posits of 8, 16 or 32 bits, or of b-posits of up to 32, in words of 32, without big integers:
 * sums of products, exact but for what products of b-posits have below the last place, where they are rounded
 * as they enter. What leaves its bits is NaR, and NaR stays. Cost of a product: the words that change; twice
 * for posits of 32 bits, whose products of 56 bits are two doubles. Throws {@link InvariantError} for another
 * format.
 */
export class WordQuire {
  readonly #posits: PositArithmetic;
  readonly #layout: PositLayout;
  /** Products of two posits are doubles. */
  readonly #isNarrow: boolean;
  /** Adding and subtracting it rounds to the last place; none is needed where nothing lies below that. */
  readonly #rounds: number | undefined;
  readonly #limbs: Int32Array;
  /** The number of places after the point. */
  readonly #fraction: number;
  #isReal = true;

  constructor(posits: PositArithmetic) {
    const { format } = posits;
    const layout = layoutOf(format);
    const { reach } = layout;
    if (!isOfWords(format, reach)) throw new InvariantError(`a quire of words for ${positName(format)}`);
    this.#posits = posits;
    this.#layout = layout;
    this.#isNarrow = 2 * significantBits(format) <= 53;
    this.#limbs = new Int32Array((32 + 4 * reach) / 32);
    this.#fraction = 2 * reach;
    this.#rounds = isBounded(format) ? 1.5 * 2 ** (52 - 2 * reach) : undefined;
  }

  /** Sets it to 0. */
  clear(): void {
    this.#limbs.fill(0);
    this.#isReal = true;
  }

  /** Tells whether the quire holds a number, and not NaR. */
  get isReal(): boolean {
    return this.#isReal;
  }

  /** Adds a posit: `qAddP`. */
  add(x: PositCode): void {
    this.#addExactly(this.#posits.toNumber(x));
  }

  /** Adds a product: `qMulAdd`. */
  multiplyAdd(x: PositCode, y: PositCode): void {
    const a = this.#posits.toNumber(x);
    const b = this.#posits.toNumber(y);
    if (this.#isNarrow) this.#addExactly(this.#rounded(a * b));
    else {
      // a has 14 bits and a rest, each multiplied by 28 bits of b.
      const wide = a * (2 ** 39 + 1);
      const high = wide - (wide - a);
      this.#addExactly(high * b);
      this.#addExactly((a - high) * b);
    }
  }

  /** Rounds once: `qToP`. */
  toPosit(): PositCode {
    if (!this.#isReal) return this.#posits.notReal;
    const isNegative = (this.#limbs.at(-1) ?? 0) < 0;
    const limbs = isNegative ? negated(this.#limbs) : this.#limbs;
    const top = limbs.findLastIndex((limb) => limb !== 0);
    if (top < 0) return 0;
    const at = (place: number): number => (limbs[place] ?? 0) >>> 0;
    // A double takes 53 of the first 64 bits, and whether there is a bit set after them.
    const shift = Math.clz32(at(top));
    const joined = (upper: number, lower: number): number =>
      shift === 0 ? upper : ((upper << shift) | (lower >>> (32 - shift))) >>> 0;
    const high = joined(at(top), at(top - 1));
    const low = joined(at(top - 1), at(top - 2));
    const isMore =
      (low & 0x7ff) !== 0 ||
      at(top - 2) << shift !== 0 ||
      limbs.subarray(0, Math.max(0, top - 2)).some((limb) => limb !== 0);
    const position = 32 * top + 31 - shift;
    const size = (high * 2 ** 21 + (low >>> 11)) * 2 ** (position - 52 - this.#fraction);
    const code = doubleToPosit(this.#layout, size, isMore ? 1 : 0);
    return isNegative ? -code : code;
  }

  /** Rounds a product to a multiple of the last place, ties to even. Greater ones are such multiples. */
  #rounded(x: number): number {
    const rounds = this.#rounds;
    return rounds === undefined || Math.abs(x) > rounds / 4 ? x : x + rounds - rounds;
  }

  /** Adds a double that is a multiple of the last place; NaN makes it NaR. */
  #addExactly(x: number): void {
    if (!this.#isReal || x === 0) return;
    if (x - x !== 0) {
      this.#isReal = false;
      return;
    }
    words.setFloat64(0, x);
    const upper = words.getInt32(0);
    const shift = ((upper >>> 20) & 0x7ff) - 1023 - 52 + this.#fraction;
    let high = (upper & 0xfffff) | 0x100000;
    let low = words.getInt32(4);
    let first = 0;
    if (shift > 0) first = shift >>> 5;
    else if (shift <= -32) {
      // The bits below the last place are 0.
      low = high >>> (-shift - 32);
      high = 0;
    } else if (shift < 0) {
      low = (low >>> -shift) | (high << (32 + shift));
      high >>>= -shift;
    }
    const by = shift > 0 ? shift & 31 : 0;
    const isLess = x < 0;
    const over = 32 - by;
    if (by === 0) this.#addWords(first, isLess, low, high, 0);
    else this.#addWords(first, isLess, low << by, (low >>> over) | (high << by), high >>> over);
  }

  /** Adds or subtracts three words from a place on, with carries as far as they go. */
  #addWords(first: number, isLess: boolean, low: number, middle: number, high: number): void {
    const limbs = this.#limbs;
    const last = limbs.length - 1;
    const before = limbs[last] ?? 0;
    // −w is the complement of w, plus 1.
    const turned = isLess ? -1 : 0;
    let carry = isLess ? 1 : 0;
    for (let place = first; place <= last; place++) {
      const place3 = place - first;
      const word = (place3 === 0 ? low : place3 === 1 ? middle : place3 === 2 ? high : 0) ^ turned;
      // Beyond the words, adding 0 without a carry, or all ones with one, changes nothing.
      if (place3 > 2 && (carry === 1) === isLess) break;
      const total = ((limbs[place] ?? 0) >>> 0) + (word >>> 0) + carry;
      limbs[place] = total;
      carry = total > 0xffffffff ? 1 : 0;
    }
    this.#checkRange(before, limbs[last] ?? 0, isLess);
  }

  /** Makes it NaR if it crossed an end of its words, or is the least word itself. */
  #checkRange(before: number, after: number, isLess: boolean): void {
    const isBeyond = before < 0 !== after < 0 && after < 0 !== isLess;
    const isLeast = after === -0x80000000 && this.#limbs.subarray(0, -1).every((limb) => limb === 0);
    if (isBeyond || isLeast) this.#isReal = false;
  }
}

/** Returns the words of −q. */
function negated(limbs: Int32Array): Int32Array {
  const result = new Int32Array(limbs.length);
  let carry = 1;
  for (const [place, limb] of limbs.entries()) {
    const total = (~limb >>> 0) + carry;
    result[place] = total;
    carry = total > 0xffffffff ? 1 : 0;
  }
  return result;
}

/** Computes the fused dot product, `fdp`: a sum of products of posits, rounded once. */
export function fusedDotProduct(
  posits: PositArithmetic,
  xs: readonly PositCode[],
  ys: readonly PositCode[],
): PositCode {
  const quire = new WordQuire(posits);
  for (const [place, x] of xs.entries()) quire.multiplyAdd(x, ys[place] ?? 0);
  return quire.toPosit();
}
