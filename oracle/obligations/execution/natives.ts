import { InvariantError } from "../../../spec/shapes/index.ts";
import type { Arithmetic } from "./arithmetic.ts";
import { Callable, Digits, DoubleWords, Fields, List, Unknown, type Value } from "./values.ts";

/** The numbers of the exponent and of the fraction's upper part in the first word of a double. */
const BIAS = 1023;
const UPPER_BITS = 20;
const FRACTION_BITS = 52;

/** Finds what the host offers under a name: functions on numbers, and bytes that hold a double. */
export function nativeOf(arithmetic: Arithmetic, name: string): Value {
  switch (name) {
    case "Math":
      return mathOf(arithmetic);
    case "Number":
      return functions({
        call: (value) => numberOf(arithmetic, value),
        isFinite: (value) => value instanceof Unknown || Number.isFinite(value),
        isInteger: (value) => isInteger(arithmetic, value),
        parseInt: (text, base) => digitsValue(arithmetic, "number", text, base),
        NaN: Number.NaN,
        POSITIVE_INFINITY: Number.POSITIVE_INFINITY,
        NEGATIVE_INFINITY: Number.NEGATIVE_INFINITY,
      });
    case "BigInt":
      return functions({
        call: (value) => bigintOf(arithmetic, value),
        asIntN: (bits, value) => signedOf(arithmetic, bits, value),
      });
    case "Array":
      return functions({ from: listFrom });
    case "Infinity":
      return Number.POSITIVE_INFINITY;
    default:
      throw new InvariantError(`a program uses ${name}, which is not known`);
  }
}

/** Makes a list of so many items, each by its place. */
function listFrom(of: Value, make: Value): Value {
  const length = of instanceof Fields ? plain(of.of.get("length")) : Number.NaN;
  if (!(make instanceof Callable && Number.isInteger(length)))
    throw new InvariantError("a list is made of a length and a function");
  return new List(Array.from({ length }, (_, place) => make.call([undefined, place])));
}

/** Makes what a program creates by `new`. */
export function newNative(name: string): Value {
  // Its bytes are those of a double, and nothing is left in them from one use to the next.
  if (name === "ArrayBuffer") return undefined;
  throw new InvariantError(`a program makes a new ${name}, which is not known`);
}

type Host = (...operands: readonly Value[]) => Value;

/** Makes an object of functions; it may be called itself. */
function functions(of: Readonly<Record<string, Host | number>>): Fields {
  return new Fields(
    new Map(
      Object.entries(of).map(([name, value]) => [
        name,
        typeof value === "number" ? value : new Callable((operands) => value(...operands)),
      ]),
    ),
  );
}

function mathOf(arithmetic: Arithmetic): Fields {
  const known =
    (host: (...numbers: readonly number[]) => number, unknown: (x: Unknown) => Value): Host =>
    (x) =>
      x instanceof Unknown ? unknown(x) : host(plain(x));
  const chosen =
    (relation: "<" | ">"): Host =>
    (first, ...others) =>
      others.reduce((best, x) => (compared(arithmetic, relation, x, best) ? x : best), first);
  return functions({
    abs: known(Math.abs, (x) => (arithmetic.isNegative(x) ? arithmetic.negative(x) : x)),
    floor: known(Math.floor, (x) => arithmetic.floor(x)),
    ceil: known(Math.ceil, (x) =>
      negated(arithmetic, arithmetic.floor(arithmetic.unknown(arithmetic.negative(x)))),
    ),
    round: known(Math.round, (x) => arithmetic.floor(arithmetic.unknown(arithmetic.add(x, 0.5)))),
    sign: known(Math.sign, (x) => (arithmetic.isNegative(x) ? -1 : arithmetic.compare("===", x, 0) ? 0 : 1)),
    clz32: known(Math.clz32, (x) => {
      const word = arithmetic.unknown(arithmetic.shift(">>>", x, 0)).word;
      return 32 - arithmetic.way.lengthOf(word);
    }),
    fround: known(Math.fround, (x) => arithmetic.inFormat(x.word, x.places, 24)),
    min: chosen("<"),
    max: chosen(">"),
  });
}

function compared(arithmetic: Arithmetic, relation: "<" | ">", x: Value, y: Value): boolean {
  if (x instanceof Unknown || y instanceof Unknown) return arithmetic.compare(relation, x, y);
  return relation === "<" ? plain(x) < plain(y) : plain(x) > plain(y);
}

function negated(arithmetic: Arithmetic, value: Value): Value {
  return value instanceof Unknown ? arithmetic.negative(value) : -plain(value);
}

function plain(value: Value): number {
  if (typeof value === "number") return value;
  throw new InvariantError(`a number is wanted, and not ${String(value)}`);
}

function isInteger(arithmetic: Arithmetic, value: Value): boolean {
  if (!(value instanceof Unknown)) return Number.isInteger(value);
  if (value.places === 0) return true;
  const whole = new Unknown("bigint", value.word);
  return arithmetic.compare("===", arithmetic.lowBits(whole, value.places), 0n);
}

function numberOf(arithmetic: Arithmetic, value: Value): Value {
  if (value instanceof Unknown) return arithmetic.made("number", value.word, value.places);
  return Number(value);
}

function bigintOf(arithmetic: Arithmetic, value: Value): Value {
  if (value instanceof Unknown && value.places === 0) return arithmetic.made("bigint", value.word);
  if (value instanceof Digits) return digitsValue(arithmetic, "bigint", value);
  if (typeof value === "bigint" || typeof value === "number" || typeof value === "string")
    return BigInt(value);
  throw new InvariantError("no big integer is made of this");
}

function signedOf(arithmetic: Arithmetic, bits: Value, value: Value): Value {
  if (value instanceof Unknown) return arithmetic.signedBits(value, plain(bits));
  if (typeof value === "bigint") return BigInt.asIntN(plain(bits), value);
  throw new InvariantError("a big integer is wanted");
}

/** Reads a text of digits as a number. */
function digitsValue(arithmetic: Arithmetic, kind: "bigint" | "number", text: Value, base?: Value): Value {
  if (typeof text === "string") return Number.parseInt(text, plain(base));
  if (!(text instanceof Digits)) throw new InvariantError("a text of digits is wanted");
  if (base !== undefined && base !== 2 ** text.bits) throw new InvariantError("digits of another base");
  const { way } = arithmetic;
  const zero: Value = kind === "bigint" ? 0n : 0;
  return text.items.reduce<Value>((read, digit) => {
    const next = kind === "bigint" ? bigintOf(arithmetic, digit) : digit;
    if (!(read instanceof Unknown) && !(next instanceof Unknown))
      return kind === "bigint"
        ? (BigInt(String(read)) << BigInt(text.bits)) + BigInt(String(next))
        : Number(read) * 2 ** text.bits + Number(next);
    const up = arithmetic.shiftedUp(arithmetic.unknown(read), text.bits);
    const [low, high] = way.rangeOf(up.word);
    const [least, most] = way.rangeOf(arithmetic.unknown(next).word);
    const sum = arithmetic.add(up, next);
    // The digit's bits are those that the shift has left.
    return low + least >= 0n && sum instanceof Unknown
      ? arithmetic.made(kind, { ...sum.word, low: low + least, high: high + most })
      : sum;
  }, zero);
}

/** Finds a method of a text or of digits, of a list, or of bytes. */
export function methodOf(arithmetic: Arithmetic, of: Value, name: string): Value {
  if (of instanceof Unknown || typeof of === "bigint") {
    if (name !== "toString") throw new InvariantError(`no method ${name} of an integer`);
    return new Callable(([base]) =>
      of instanceof Unknown ? written(arithmetic, of, plain(base)) : of.toString(plain(base)),
    );
  }
  if (typeof of === "string" || of instanceof Digits) return textMethod(arithmetic, of, name);
  if (of instanceof List) return listMethod(of, name);
  throw new InvariantError(`no method ${name} is known here`);
}

/** Writes a positive integer in digits, of which there are as many as the way says. */
function written(arithmetic: Arithmetic, x: Unknown, base: number): Value {
  const bits = Math.log2(base);
  const length = Math.max(1, Math.ceil(arithmetic.way.lengthOf(x.word) / bits));
  const items = Array.from({ length }, (_, place) => {
    const rest = arithmetic.shiftedDown(x, bits * (length - 1 - place));
    const digit =
      rest instanceof Unknown ? arithmetic.lowBits(rest, bits) : BigInt(String(rest)) % BigInt(base);
    return numberOf(arithmetic, digit);
  });
  return new Digits(items, bits);
}

function itemsOf(text: Value, bits: number): readonly Value[] {
  if (text instanceof Digits) return text.items;
  return [...String(text)].map((letter) => Number.parseInt(letter, 2 ** bits));
}

function textMethod(arithmetic: Arithmetic, of: string | Digits, name: string): Value {
  if (typeof of === "string" && name !== "concat")
    switch (name) {
      case "slice":
        return new Callable(([from, to]) => of.slice(plain(from), to === undefined ? undefined : plain(to)));
      case "padStart":
      case "padEnd":
        return new Callable(([length, fill]) => of[name](plain(length), String(fill)));
      case "startsWith":
        return new Callable(([start]) => of.startsWith(String(start)));
      case "indexOf":
        return new Callable(([letter]) => of.indexOf(String(letter)));
      default:
        throw new InvariantError(`no method ${name} of a text`);
    }
  const { items, bits } = typeof of === "string" ? new Digits(itemsOf(of, 1), 1) : of;
  const isDigit = (item: Value, letter: Value): boolean =>
    arithmetic.compare("===", item, Number.parseInt(String(letter), 2 ** bits));
  const filling = (length: Value, fill: Value): readonly Value[] =>
    Array.from({ length: Math.max(0, plain(length) - items.length) }, () =>
      Number.parseInt(String(fill), 2 ** bits),
    );
  switch (name) {
    case "slice":
      return new Callable(
        ([from, to]) => new Digits(items.slice(plain(from), to === undefined ? undefined : plain(to)), bits),
      );
    case "padStart":
      return new Callable(([length, fill]) => new Digits([...filling(length, fill), ...items], bits));
    case "padEnd":
      return new Callable(([length, fill]) => new Digits([...items, ...filling(length, fill)], bits));
    case "concat":
      return new Callable(([other]) => new Digits([...items, ...itemsOf(other, bits)], bits));
    case "startsWith":
      return new Callable(([letter]) => items.length > 0 && isDigit(items[0], letter));
    case "indexOf":
      return new Callable(([letter]) => items.findIndex((item) => isDigit(item, letter)));
    default:
      throw new InvariantError(`no method ${name} of digits`);
  }
}

/** Puts the texts and values of a template together: `0b` and digits, or known ones. */
export function templateOf(texts: readonly string[], values: readonly Value[]): Value {
  const digits = values.find((value) => value instanceof Digits);
  if (digits === undefined)
    return texts.map((text, place) => text + (place < values.length ? String(values[place]) : "")).join("");
  const [first = "", ...others] = texts;
  const start = first.startsWith("0b") ? first.slice(2) : first;
  return new Digits(
    [start, ...others].flatMap((text, place) => [
      ...itemsOf(text, digits.bits),
      ...(place < values.length ? itemsOf(values[place], digits.bits) : []),
    ]),
    digits.bits,
  );
}

function listMethod(of: List, name: string): Value {
  const { items, stored } = of;
  switch (name) {
    case "push":
      return new Callable((values) => items.push(...values));
    case "at":
      return new Callable(([place]) => items.at(plain(place)));
    case "fill":
      return new Callable(([value]) => {
        items.fill(value);
        return of;
      });
    case "subarray":
    case "slice":
      return new Callable(([from, to]) => {
        return new List(items.slice(plain(from), to === undefined ? undefined : plain(to)), stored);
      });
    case "entries":
      return new Callable(() => new List(items.map((item, place) => new List([place, item]))));
    case "map":
    case "every":
    case "some":
    case "findLastIndex":
    case "reduce":
      return new Callable(([callback, start]) => walked(of, name, callback, start));
    default:
      throw new InvariantError(`no method ${name} of a list`);
  }
}

function walked(
  { items }: List,
  name: "map" | "every" | "some" | "findLastIndex" | "reduce",
  callback: Value,
  start: Value,
): Value {
  if (!(callback instanceof Callable)) throw new InvariantError("a list is walked without a function");
  const ask = (item: Value, place: number): Value => callback.call([item, place]);
  switch (name) {
    case "map":
      return new List(items.map(ask));
    case "every":
      return items.every((item, place) => ask(item, place) === true);
    case "some":
      return items.some((item, place) => ask(item, place) === true);
    case "findLastIndex":
      return items.findLastIndex((item, place) => ask(item, place) === true);
    case "reduce":
      return items.reduce((total, item) => callback.call([total, item]), start);
  }
}

/** Makes the view of eight bytes that a module takes doubles apart with. */
export function doubleView(arithmetic: Arithmetic): Fields {
  let held = new DoubleWords(0, 0);
  const half = (at: Value): Value => (at === 0 ? held.high : held.low);
  return functions({
    setFloat64: (_, x) => {
      held = wordsOf(arithmetic, x);
      return undefined;
    },
    getFloat64: () => held,
    setInt32: (at, value) => {
      held = at === 0 ? new DoubleWords(value, held.low) : new DoubleWords(held.high, value);
      return undefined;
    },
    getInt32: (at) => int32Of(arithmetic, half(at)),
    getUint32: (at) => unsigned(arithmetic, half(at)),
    getUint16: (at) => {
      if (at !== 0) throw new InvariantError("the first 16 bits of a double are wanted");
      const high = unsigned(arithmetic, held.high);
      return high instanceof Unknown ? arithmetic.shift(">>>", high, 16) : plain(high) >>> 16;
    },
  });
}

/** Finds what a typed array of this name stores of a value; `undefined` if none is called so. */
export function storedIn(arithmetic: Arithmetic, name: string): ((value: Value) => Value) | undefined {
  if (name === "Int32Array") return (value) => int32Of(arithmetic, value);
  if (name === "Uint8Array") return (value) => byteOf(arithmetic, value);
  return undefined;
}

function byteOf(arithmetic: Arithmetic, value: Value): Value {
  const word = int32Of(arithmetic, value);
  return word instanceof Unknown ? arithmetic.bitwise("&", word, 255) : plain(word) & 255;
}

/** Stores a number as a word of 32 bits. */
function int32Of(arithmetic: Arithmetic, value: Value): Value {
  return value instanceof Unknown ? arithmetic.shift(">>", value, 0) : plain(value ?? 0) | 0;
}

function unsigned(arithmetic: Arithmetic, value: Value): Value {
  return value instanceof Unknown ? arithmetic.shift(">>>", value, 0) : plain(value) >>> 0;
}

/** Writes a number as a double. Of an unknown one that is positive the way picks the binade. */
function wordsOf(arithmetic: Arithmetic, x: Value): DoubleWords {
  if (x instanceof DoubleWords) return x;
  if (!(x instanceof Unknown)) {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, plain(x));
    return new DoubleWords(view.getInt32(0), view.getInt32(4));
  }
  const isNegative = arithmetic.isNegative(x);
  const size = isNegative ? arithmetic.unknown(arithmetic.negative(x)) : x;
  const top = arithmetic.way.lengthOf(size.word) - 1;
  const whole = new Unknown("bigint", size.word);
  const fraction = arithmetic.unknown(
    top <= FRACTION_BITS
      ? arithmetic.made("bigint", arithmetic.shiftedUp(whole, FRACTION_BITS - top).word)
      : arithmetic.shiftedDown(whole, top - FRACTION_BITS),
  );
  const upper = arithmetic.shiftedDown(fraction, 32);
  const below = arithmetic.subtract(upper, 1n << BigInt(UPPER_BITS));
  const exponent = BigInt(top - x.places + BIAS + (isNegative ? 2048 : 0)) << BigInt(UPPER_BITS);
  const high = arithmetic.add(below, exponent);
  return new DoubleWords(
    int32Of(arithmetic, numberOf(arithmetic, high)),
    int32Of(arithmetic, numberOf(arithmetic, arithmetic.lowBits(fraction, 32))),
  );
}
