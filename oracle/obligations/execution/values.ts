import { InvariantError } from "../../../spec/shapes/index.ts";
import type { Word } from "./terms.ts";

/**
 * An unknown of a program, `word · 2^−places`: a big integer, or a number, which is a double without a sign
 * of zero.
 */
export class Unknown {
  readonly kind: "bigint" | "number";
  readonly word: Word;
  readonly places: number;

  constructor(kind: "bigint" | "number", word: Word, places: number = 0) {
    this.kind = kind;
    this.word = word;
    this.places = places;
  }
}

/** A text of digits of which some are unknown; a digit is a number. */
export class Digits {
  readonly items: readonly Value[];
  /** A digit stands for so many bits. */
  readonly bits: number;

  constructor(items: readonly Value[], bits: number) {
    this.items = items;
    this.bits = bits;
  }
}

/** A double as its two words, of which the first has the sign. */
export class DoubleWords {
  readonly high: Value;
  readonly low: Value;

  constructor(high: Value, low: Value) {
    this.high = high;
    this.low = low;
  }
}

/** A program's object. */
export class Fields {
  readonly of: Map<string, Value>;

  constructor(of: ReadonlyMap<string, Value>) {
    this.of = new Map(of);
  }
}

/** A program's array, or typed array, which stores what `stored` makes of a value. */
export class List {
  readonly items: Value[];
  readonly stored: (value: Value) => Value;

  constructor(items: readonly Value[], stored: (value: Value) => Value = (value) => value) {
    this.items = [...items];
    this.stored = stored;
  }
}

/** A function of a program, or one of the host. */
export class Callable {
  readonly call: (operands: readonly Value[]) => Value;

  constructor(call: (operands: readonly Value[]) => Value) {
    this.call = call;
  }
}

export type Value =
  | bigint
  | number
  | string
  | boolean
  | undefined
  | Unknown
  | Digits
  | DoubleWords
  | Fields
  | List
  | Callable;

/** Makes a program's value of plain data. Throws {@link InvariantError} for other things. */
export function lifted(data: unknown): Value {
  switch (typeof data) {
    case "bigint":
    case "number":
    case "string":
    case "boolean":
    case "undefined":
      return data;
    default:
      if (data instanceof Unknown || data instanceof DoubleWords || data instanceof Callable) return data;
      if (data instanceof Fields || data instanceof List || data instanceof Digits) return data;
      if (Array.isArray(data)) return new List(data.map(lifted));
      if (typeof data === "object" && data !== null)
        return new Fields(new Map(Object.entries(data).map(([name, field]) => [name, lifted(field)])));
      throw new InvariantError(`no value of a program: ${String(data)}`);
  }
}

/** Returns a field of an object. Throws {@link InvariantError} if there is none. */
export function fieldOf(value: Value, name: string): Value {
  if (value instanceof Fields && value.of.has(name)) return value.of.get(name);
  throw new InvariantError(`a program's result has no ${name}`);
}

/** Returns an integer, known or not, as a word. Throws {@link InvariantError} for other values. */
export function wordOf(value: Value, constant: (value: bigint) => Word): Word {
  if (value instanceof Unknown && value.places === 0) return value.word;
  if (typeof value === "bigint") return constant(value);
  if (typeof value === "number" && Number.isInteger(value)) return constant(BigInt(value));
  throw new InvariantError("a program's result is no integer");
}
