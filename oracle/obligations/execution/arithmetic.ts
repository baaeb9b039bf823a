import { InvariantError } from "../../../spec/shapes/index.ts";
import type { Way } from "./paths.ts";
import { bitsFor, literalWord, type Word } from "./terms.ts";
import { Unknown, type Value } from "./values.ts";

/** A double keeps so many bits. */
const DOUBLE_BITS = 53;
const WORD_BITS = 32;

/**
 * Arithmetic on unknown integers, and on unknown numbers as integers times a power of two: every word is as
 * wide as what it can be asks for, so nothing overflows. What a double does not hold is rounded where the
 * binade is known, and is refused elsewhere.
 */
export class Arithmetic {
  readonly way: Way;
  /** Negated words, by their texts, and what they are the negatives of. */
  readonly #negated = new Map<string, string>();

  constructor(way: Way) {
    this.way = way;
  }

  /** Makes an unknown, or the number that it must be. */
  made(kind: "bigint" | "number", word: Word, places: number = 0): Value {
    const [low, high] = this.way.rangeOf(word);
    if (low === high) return kind === "bigint" ? low : Number(low) * 2 ** -places;
    const bits = bitsFor(low, high);
    const text = bits < word.bits ? this.way.terms.inBits(word, bits) : word.text;
    return new Unknown(kind, { text, bits: Math.min(bits, word.bits), low, high }, places);
  }

  /** Returns a value as an unknown, which it may be already. */
  unknown(value: Value): Unknown {
    if (value instanceof Unknown) return value;
    if (typeof value === "bigint") return new Unknown("bigint", this.way.constant(value));
    if (typeof value !== "number" || !Number.isFinite(value))
      throw new InvariantError(`no number that an unknown is reckoned with: ${String(value)}`);
    let [scaled, places] = [value, 0];
    while (!Number.isInteger(scaled)) [scaled, places] = [scaled * 2, places + 1];
    return new Unknown("number", this.way.constant(BigInt(scaled)), places);
  }

  range({ word }: Unknown): readonly [bigint, bigint] {
    return this.way.rangeOf(word);
  }

  /** Applies an operation of SMT-LIB to words that are made wide enough for the result. */
  #applied(operation: string, words: readonly Word[], low: bigint, high: bigint, least: number = 0): Word {
    const { terms } = this.way;
    const bits = Math.max(bitsFor(low, high), least);
    const texts = words.map((word) => terms.inBits(word, bits));
    return terms.word(`(${operation} ${texts.join(" ")})`, bits, low, high);
  }

  /** Multiplies by 2^count. */
  shiftedUp(x: Unknown, count: number): Unknown {
    if (count === 0) return x;
    const [low, high] = this.range(x);
    const by = BigInt(count);
    if (low === high) return new Unknown(x.kind, this.way.constant(low << by), x.places);
    const bits = bitsFor(low << by, high << by);
    const text = this.way.terms.inBits(x.word, bits - count);
    const zeros = literalWord(0n, count);
    const word = this.way.terms.word(`(concat ${text} ${zeros})`, bits, low << by, high << by);
    return new Unknown(x.kind, word, x.places);
  }

  /** Divides by 2^count and rounds down. */
  shiftedDown(x: Unknown, count: number): Value {
    if (count === 0) return x;
    const [low, high] = this.range(x);
    const by = BigInt(count);
    const [least, most] = [low >> by, high >> by];
    const word = this.#narrow(x);
    if (count >= word.bits) {
      const isNegative = high < 0n || (low < 0n && this.way.compare("<", word, this.way.constant(0n)));
      return this.made(x.kind, this.way.constant(isNegative ? -1n : 0n), x.places);
    }
    const text = `((_ extract ${word.bits - 1} ${count}) ${word.text})`;
    return this.made(x.kind, this.way.terms.word(text, word.bits - count, least, most), x.places);
  }

  #narrow({ word }: Unknown): Word {
    const [low, high] = this.way.rangeOf(word);
    const bits = Math.min(word.bits, bitsFor(low, high));
    return { text: this.way.terms.inBits(word, bits), bits, low, high };
  }

  /** Brings two unknowns to the same last place. */
  aligned(x: Value, y: Value): readonly [Unknown, Unknown] {
    const [a, b] = [this.unknown(x), this.unknown(y)];
    const places = Math.max(a.places, b.places);
    const at = (one: Unknown): Unknown =>
      new Unknown(one.kind, this.shiftedUp(one, places - one.places).word, places);
    return [at(a), at(b)];
  }

  add(x: Value, y: Value): Value {
    const [a, b] = this.aligned(x, y);
    const [[low, high], [least, most]] = [this.range(a), this.range(b)];
    return this.#rounded(a, this.#applied("bvadd", [a.word, b.word], low + least, high + most), a.places);
  }

  subtract(x: Value, y: Value): Value {
    const [a, b] = this.aligned(x, y);
    const [[low, high], [least, most]] = [this.range(a), this.range(b)];
    return this.#rounded(a, this.#applied("bvsub", [a.word, b.word], low - most, high - least), a.places);
  }

  multiply(x: Value, y: Value): Value {
    const [a, b] = [this.unknown(x), this.unknown(y)];
    const [[low, high], [least, most]] = [this.range(a), this.range(b)];
    const ends = [low * least, low * most, high * least, high * most];
    const word = this.#applied("bvmul", [a.word, b.word], smallest(ends), greatest(ends));
    return this.#rounded(a, word, a.places + b.places);
  }

  negative(x: Unknown): Value {
    const [low, high] = this.range(x);
    const word = this.#applied("bvneg", [x.word], -high, -low);
    this.#negated.set(word.text, x.word.text);
    return this.made(x.kind, word, x.places);
  }

  /** Divides numbers by a power of two; big integers, towards 0. */
  divide(x: Value, y: Value): Value {
    const kind = this.unknown(x).kind;
    if (y instanceof Unknown) {
      if (kind === "bigint") return this.#quotient(this.unknown(x), y);
      return this.divide(x, Number(this.way.pick(y.word)) * 2 ** -y.places);
    }
    const [dividend, divisor] = [this.unknown(x), this.unknown(y)];
    const size = this.range(divisor)[0];
    const power = exponentOf(size < 0n ? -size : size);
    if (power === undefined) {
      if (kind === "bigint") return this.#quotient(dividend, divisor);
      throw new InvariantError(`an unknown number is divided by ${String(y)}, which is no power of two`);
    }
    const signed = size < 0n ? this.unknown(this.negative(dividend)) : dividend;
    if (kind === "number") return this.#scaled(signed, divisor.places - power);
    const [low] = this.range(signed);
    if (low < 0n && this.way.compare("<", signed.word, this.way.constant(0n))) {
      const up = this.shiftedDown(this.unknown(this.negative(signed)), power);
      return up instanceof Unknown ? this.negative(up) : typeof up === "bigint" ? -up : up;
    }
    return this.shiftedDown(signed, power);
  }

  /** Multiplies a number by 2^exponent. */
  #scaled(x: Unknown, exponent: number): Value {
    const places = x.places - exponent;
    if (places >= 0) return this.made("number", x.word, places);
    return this.made("number", this.shiftedUp(x, -places).word, 0);
  }

  #quotient(x: Unknown, y: Unknown): Value {
    const [[low, high], [least, most]] = [this.range(x), this.range(y)];
    if (least <= 0n && most >= 0n) throw new InvariantError("a big integer may be divided by 0");
    const size = greatest([-low, high, low, -high]);
    const bits = 1 + Math.max(bitsFor(-size, size), bitsFor(least, most));
    return this.made("bigint", this.#applied("bvsdiv", [x.word, y.word], -size, size, bits));
  }

  /** Takes the remainder by a power of two, of the sign of the dividend. */
  remainder(x: Value, y: Value): Value {
    const [a, b] = [this.unknown(x), this.unknown(y)];
    const [size, other] = this.range(b);
    const power = exponentOf(size);
    if (size !== other || power === undefined || a.places + b.places !== 0)
      throw new InvariantError("a remainder by what is no power of two");
    const isNegative = this.range(a)[0] < 0n && this.way.compare("<", a.word, this.way.constant(0n));
    const positive = isNegative ? this.unknown(this.negative(a)) : a;
    const rest = this.lowBits(positive, power);
    if (!isNegative) return rest;
    return rest instanceof Unknown ? this.negative(rest) : typeof rest === "bigint" ? -rest : -Number(rest);
  }

  /** Returns the lowest bits of an integer as one that is not negative. */
  lowBits(x: Unknown, count: number): Value {
    const [low, high] = this.range(x);
    if (low >= 0n && high < 1n << BigInt(count)) return x;
    if (count === 0) return x.kind === "bigint" ? 0n : 0;
    const text = this.way.terms.inBits(x.word, count);
    const word = this.way.terms.word(`(concat #b0 ${text})`, count + 1, 0n, (1n << BigInt(count)) - 1n);
    return this.made(x.kind, word);
  }

  /** Returns the lowest bits of an integer in two's complement. */
  signedBits(x: Unknown, count: number): Value {
    const end = 1n << BigInt(count - 1);
    const [low, high] = this.range(x);
    if (low >= -end && high < end) return x;
    const word = { text: this.way.terms.inBits(x.word, count), bits: count, low: -end, high: end - 1n };
    return this.made(x.kind, word);
  }

  /** Applies `&`, `|` or `^` to integers; numbers are cut to 32 bits before. */
  bitwise(operator: "&" | "|" | "^", x: Value, y: Value): Value {
    const [a, b] = [this.#cut(this.unknown(x)), this.#cut(this.unknown(y))];
    const [[low, high], [least, most]] = [this.range(a), this.range(b)];
    const bits = Math.max(bitsFor(low, high), bitsFor(least, most));
    const name = { "&": "bvand", "|": "bvor", "^": "bvxor" }[operator];
    const end = 1n << BigInt(bits - 1);
    const arePositive = low >= 0n && least >= 0n;
    if (operator !== "&" && (fillsZerosOf(low, high, least, most) || fillsZerosOf(least, most, low, high)))
      return this.made(a.kind, this.#applied(name, [a.word, b.word], low + least, high + most, bits));
    // x & −x is the lowest bit of x.
    if (operator === "&" && low > 0n && this.#negated.get(b.word.text) === a.word.text)
      return this.made(a.kind, this.#applied(name, [a.word, b.word], 1n, high, bits));
    const isMasked = operator === "&" && (low >= 0n || least >= 0n);
    const mask = low >= 0n && (least < 0n || high < most) ? high : most;
    const [from, to] = isMasked ? [0n, mask] : [arePositive ? 0n : -end, end - 1n];
    return this.made(a.kind, this.#applied(name, [a.word, b.word], from, to, bits));
  }

  /** Cuts a number to a word of 32 bits, as JavaScript's operators on bits do. */
  #cut(x: Unknown): Unknown {
    if (x.kind === "bigint") return x;
    if (x.places > 0) throw new InvariantError("bits of a number that is no integer");
    return this.unknown(this.signedBits(x, WORD_BITS));
  }

  complement(x: Unknown): Value {
    const cut = this.#cut(x);
    const [low, high] = this.range(cut);
    return this.made(cut.kind, this.#applied("bvnot", [cut.word], -high - 1n, -low - 1n));
  }

  /** Shifts bits. By how many is known on each way. */
  shift(operator: "<<" | ">>" | ">>>", x: Value, y: Value): Value {
    const whole = this.unknown(x);
    const amount = y instanceof Unknown ? this.way.pick(y.word) : BigInt(this.#integer(y));
    if (whole.kind === "bigint") {
      const isUp = (operator === "<<") === amount >= 0n;
      const size = Number(amount < 0n ? -amount : amount);
      return isUp ? this.made("bigint", this.shiftedUp(whole, size).word) : this.shiftedDown(whole, size);
    }
    const count = Number(BigInt.asUintN(5, amount));
    const cut = this.#cut(whole);
    if (operator === "<<") return this.signedBits(this.shiftedUp(cut, count), WORD_BITS);
    if (operator === ">>") return this.shiftedDown(cut, count);
    const positive = this.lowBits(cut, WORD_BITS);
    return positive instanceof Unknown
      ? this.shiftedDown(positive, count)
      : this.#integer(positive) >>> count;
  }

  #integer(value: Value): number {
    if (typeof value === "number" || typeof value === "bigint") return Number(value);
    throw new InvariantError("an integer is wanted");
  }

  /** Returns the greatest integer up to a number. */
  floor(x: Unknown): Value {
    const down = this.shiftedDown(x, x.places);
    return down instanceof Unknown ? this.made("number", down.word) : Math.floor(Number(down));
  }

  isNegative(x: Unknown): boolean {
    return this.way.compare("<", x.word, this.way.constant(0n));
  }

  compare(relation: "<" | "<=" | ">" | ">=" | "===" | "!==", x: Value, y: Value): boolean {
    for (const [one, other, isLeft] of [
      [x, y, true],
      [y, x, false],
    ] as const)
      if (typeof one === "number" && !Number.isFinite(one) && other instanceof Unknown)
        return compared(relation, isLeft ? one : 0, isLeft ? 0 : one);
    const [a, b] = this.aligned(x, y);
    return this.way.compare(relation, a.word, b.word);
  }

  /** Rounds a number to a double. */
  #rounded(like: Unknown, word: Word, places: number): Value {
    return like.kind === "bigint" ? this.made("bigint", word) : this.inFormat(word, places, DOUBLE_BITS);
  }

  /**
   * Rounds a number to so many bits, to nearest, ties to even; its binade has to be known, or it has no more.
   */
  inFormat(word: Word, places: number, bits: number): Value {
    const [low, high] = this.way.rangeOf(word);
    const most = 1n << BigInt(bits);
    if (low >= -most && high <= most) return this.made("number", word, places);
    const length = low.toString(2).length;
    if (low <= 0n || high > 1n << BigInt(length))
      throw new InvariantError(`a number of ${word.bits} bits is rounded, and its binade is not known`);
    const dropped = length - bits;
    const whole = new Unknown("bigint", word);
    const down = this.shiftedDown(whole, dropped);
    const rest = this.lowBits(whole, dropped);
    const half = 1n << BigInt(dropped - 1);
    const isOdd = (): boolean => this.compare("===", this.lowBits(this.unknown(down), 1), 1n);
    const isUp = this.compare(">", rest, half) || (this.compare("===", rest, half) && isOdd());
    const rounded = isUp ? this.add(down, 1n) : down;
    return this.#scaled(new Unknown("number", this.unknown(rounded).word, places), dropped);
  }
}

/** Compares two numbers that are known. */
export function compared<T extends number | bigint>(
  relation: "<" | "<=" | ">" | ">=" | "===" | "!==",
  x: T,
  y: T,
): boolean {
  switch (relation) {
    case "<":
      return x < y;
    case "<=":
      return x <= y;
    case ">":
      return x > y;
    case ">=":
      return x >= y;
    case "===":
      return x === y;
    case "!==":
      return x !== y;
  }
}

/**
 * Tells whether an integer from `least` to `most` has bits only where the one of `low` and `high` has none.
 */
function fillsZerosOf(low: bigint, high: bigint, least: bigint, most: bigint): boolean {
  return low === high && low > 0n && least >= 0n && most < (low & -low);
}

/** Returns the exponent of a power of two. */
function exponentOf(size: bigint): number | undefined {
  if (size <= 0n || (size & (size - 1n)) !== 0n) return undefined;
  return size.toString(2).length - 1;
}

const smallest = (values: readonly bigint[]): bigint => values.reduce((x, y) => (x < y ? x : y));
const greatest = (values: readonly bigint[]): bigint => values.reduce((x, y) => (x > y ? x : y));
