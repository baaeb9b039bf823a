import { type Rational, rational, rationalFromNumber, rationalOf } from "../../../reference/index.ts";
import { InvariantError, present } from "../../../spec/shapes/index.ts";
import { binadeOf } from "../../../spec/wire/index.ts";

/**
 * A host is the arithmetic that rewritten code computes with: its operators, `Math` and `Number`. Numbers of
 * the code itself stay JavaScript's; what is made of a symbol is the host's.
 */
export interface Host {
  readonly operators: Readonly<Record<string, (...operands: readonly unknown[]) => unknown>>;
  readonly math: Readonly<Record<string, unknown>>;
  readonly number: Readonly<Record<string, unknown>>;
  /** Returns the greatest power of two that is not greater than a size. */
  binade(x: unknown): unknown;
}

/** This is known of the sign of a symbol: that it is at least 0, that it is more, or nothing. */
export type Sign = "any" | "size" | "positive";

/** A symbol is an SMT-LIB term of sort Real that stands for a number of the code. */
export class Term {
  readonly text: string;
  readonly sign: Sign;

  constructor(text: string, sign: Sign) {
    this.text = text;
    this.sign = sign;
  }

  toString(): string {
    return this.text;
  }
}

/** An exact number stands for itself where rewritten code is run at a model's numbers. */
export class Exact {
  readonly value: Rational;

  constructor(value: Rational) {
    this.value = value;
  }

  toString(): string {
    return textOf(this.value);
  }
}

/** Writes a rational number in SMT-LIB. */
export function textOf({ numerator, denominator }: Rational): string {
  const size = numerator < 0n ? -numerator : numerator;
  const whole = denominator === 1n ? `${size}.0` : `(/ ${size}.0 ${denominator}.0)`;
  return numerator < 0n ? `(- ${whole})` : whole;
}

/** Writes a number of JavaScript; what is next to its smallest one is written as a multiple of that. */
export function numeral(x: number): string {
  if (!Number.isFinite(x)) throw new InvariantError(`${x} is no real number`);
  if (x !== 0 && Math.abs(x) < 2 ** -1000) {
    const text = `(* ${Math.abs(x) / Number.MIN_VALUE}.0 tiny)`;
    return x < 0 ? `(- ${text})` : text;
  }
  return textOf(rationalFromNumber(x));
}
const field = present(rational.levels.orderedField, "the order of the rational numbers");

type Binary = "add" | "subtract" | "multiply" | "divide";
type Comparing = "less" | "atMost" | "greater" | "atLeast" | "same";

/** What is left to say of a kind of numbers: how they are computed, compared and written. */
interface Kind<T> {
  is(x: unknown): x is T;
  compute(name: Binary, x: number | T, y: number | T): unknown;
  compare(name: Comparing, x: number | T, y: number | T): boolean;
  negative(x: T): T;
  size(x: T): T;
  root(x: T): T;
  floor(x: T): T;
  binade(x: T): T;
}

const native: Readonly<Record<Binary, (x: number, y: number) => number>> = {
  add: (x, y) => x + y,
  subtract: (x, y) => x - y,
  multiply: (x, y) => x * y,
  divide: (x, y) => x / y,
};

const compared: Readonly<Record<Comparing, (x: number, y: number) => boolean>> = {
  less: (x, y) => x < y,
  atMost: (x, y) => x <= y,
  greater: (x, y) => x > y,
  atLeast: (x, y) => x >= y,
  same: (x, y) => x === y,
};

/** Makes a host of a kind of numbers: JavaScript's numbers compute among themselves as they do. */
function hostOf<T>(kind: Kind<T>): Host {
  const isNumber = (x: unknown): x is number => typeof x === "number";
  const numberOf = (x: unknown): number | T => {
    if (isNumber(x) || kind.is(x)) return x;
    throw new InvariantError(`the code computes with ${String(x)}`);
  };
  const binary =
    (name: Binary) =>
    (a: unknown, b: unknown): unknown => {
      if (isNumber(a) && isNumber(b)) return native[name](a, b);
      if (typeof a === "string" || typeof b === "string") return `${String(a)}${String(b)}`;
      const [x, y] = [numberOf(a), numberOf(b)];
      return shortened(name, x, y) ?? kind.compute(name, x, y);
    };
  /** What is neutral or absorbs, and what is not finite, is decided as JavaScript does. */
  const shortened = (name: Binary, x: number | T, y: number | T): unknown => {
    if (isNumber(x) && !Number.isFinite(x)) {
      if (Number.isNaN(x) || name === "add" || name === "subtract") return x;
      throw new InvariantError(`an infinity is multiplied or divided by a symbol`);
    }
    if (isNumber(y) && !Number.isFinite(y)) {
      if (Number.isNaN(y) || name === "add") return y;
      if (name === "subtract") return -y;
      throw new InvariantError(`a symbol is multiplied or divided by an infinity`);
    }
    if (name === "add" && x === 0) return y;
    if ((name === "add" || name === "subtract") && y === 0) return x;
    if (name === "multiply" && (x === 0 || y === 0)) return 0;
    if (name === "multiply" && x === 1) return y;
    if ((name === "multiply" || name === "divide") && y === 1) return x;
    return name === "divide" && x === 0 ? 0 : undefined;
  };
  const comparison =
    (name: Comparing) =>
    (a: unknown, b: unknown): boolean => {
      if (!kind.is(a) && !kind.is(b)) return name === "same" ? a === b : compared[name](Number(a), Number(b));
      if ((!kind.is(a) && !isNumber(a)) || (!kind.is(b) && !isNumber(b))) return false;
      // A symbol is finite.
      if (isNumber(a) && !Number.isFinite(a)) return compared[name](a, 0);
      if (isNumber(b) && !Number.isFinite(b)) return compared[name](0, b);
      return kind.compare(name, a, b);
    };
  const same = comparison("same");
  const multiply = binary("multiply");
  const unary =
    (of: (x: T) => unknown, otherwise: (x: number) => unknown) =>
    (x: unknown): unknown =>
      kind.is(x) ? of(x) : otherwise(Number(x));
  const extreme =
    (name: "greater" | "less", otherwise: (...all: number[]) => number) =>
    (...all: readonly unknown[]): unknown => {
      if (all.every(isNumber)) return otherwise(...all);
      if (all.some((x) => isNumber(x) && Number.isNaN(x))) return Number.NaN;
      const isFurther = comparison(name);
      return all.reduce((most, x) => (isFurther(x, most) ? x : most));
    };
  const root = unary(kind.root, Math.sqrt);
  const add = binary("add");
  return {
    operators: {
      add,
      subtract: binary("subtract"),
      multiply,
      divide: binary("divide"),
      remainder: (x, y) => Number(x) % Number(y),
      power: (x, y) => {
        if (isNumber(x) && isNumber(y)) return x ** y;
        if (!isNumber(y) || !Number.isInteger(y) || y < 1) throw new InvariantError("no power of a symbol");
        return Array.from({ length: y }, () => x).reduce(multiply);
      },
      negative: unary(kind.negative, (x) => -x),
      less: comparison("less"),
      atMost: comparison("atMost"),
      greater: comparison("greater"),
      atLeast: comparison("atLeast"),
      same,
      differs: (x, y) => !same(x, y),
    },
    math: {
      ...Object.fromEntries(Object.getOwnPropertyNames(Math).map((name) => [name, Reflect.get(Math, name)])),
      abs: unary(kind.size, Math.abs),
      sqrt: root,
      floor: unary(kind.floor, Math.floor),
      ceil: unary((x) => kind.negative(kind.floor(kind.negative(x))), Math.ceil),
      max: extreme("greater", Math.max),
      min: extreme("less", Math.min),
      hypot: (...all: readonly unknown[]) => root(all.map((x) => multiply(x, x)).reduce((x, y) => add(x, y))),
    },
    number: {
      ...Object.fromEntries(
        Object.getOwnPropertyNames(Number).map((name) => [name, Reflect.get(Number, name)]),
      ),
      isFinite: (x: unknown) => kind.is(x) || Number.isFinite(x),
      isNaN: (x: unknown) => !kind.is(x) && Number.isNaN(x),
    },
    binade: unary(kind.binade, binadeOf),
  };
}

/** This is what was assumed on the way to a result of the code, and what was named. */
export interface Path {
  readonly declarations: readonly string[];
  /** These hold of what was named. */
  readonly facts: readonly string[];
  /** The code took its branches because of these. */
  readonly conditions: readonly string[];
}

/** A run follows one path through the code; branches on symbols are taken as it is told, and else to `true`. */
export class Run {
  /** Computes exactly. */
  readonly exact: Host;
  /** Rounds as float64 does, by as much as that may. */
  readonly rounding: Host;
  readonly #prefix: string;
  readonly #told: readonly boolean[];
  readonly #taken: boolean[] = [];
  readonly #conditions: string[] = [];
  readonly #declarations: string[] = [];
  readonly #facts: string[] = [];
  readonly #decided = new Map<string, boolean>();
  readonly #named = new Map<string, Term>();
  readonly #growths: { readonly name: string; readonly of: string; readonly is: string }[] = [];
  readonly #binades: { readonly of: string; readonly is: string }[] = [];

  constructor(prefix: string, told: readonly boolean[]) {
    this.#prefix = prefix;
    this.#told = told;
    this.exact = this.#host(false);
    this.rounding = this.#host(true);
  }

  #host(isRounding: boolean): Host {
    return hostOf<Term>({
      is: (x) => x instanceof Term,
      compute: (name, x, y) => this.#computed(name, x, y, isRounding),
      compare: (name, x, y) => this.#compared(name, x, y),
      negative: (x) => this.#defined(`(- ${x.text})`, "any"),
      size: (x) => (x.sign === "any" ? this.size(x.text) : x),
      root: (x) => this.#rootOf(x, isRounding),
      floor: (x) => this.#defined(`(to_real (to_int ${x.text}))`, x.sign === "any" ? "any" : "size"),
      binade: (x) => this.binade(x.text),
    });
  }

  get path(): Path {
    return { declarations: this.#declarations, facts: this.#facts, conditions: this.#conditions };
  }

  /** Returns the branches of the next path, or `undefined` after the last. */
  get following(): readonly boolean[] | undefined {
    const last = this.#taken.lastIndexOf(true);
    return last < 0 ? undefined : [...this.#taken.slice(0, last), false];
  }

  decide(condition: string): boolean {
    const known = this.#decided.get(condition);
    if (known !== undefined) return known;
    const answer = this.#told[this.#taken.length] ?? true;
    this.#taken.push(answer);
    this.#decided.set(condition, answer);
    this.#conditions.push(answer ? condition : `(not ${condition})`);
    return answer;
  }

  #compared(name: Comparing, x: number | Term, y: number | Term): boolean {
    const [a, b] = [written(x), written(y)];
    const areSame = a === b;
    const isLess = (p: number | Term, q: number | Term): boolean => {
      if (areSame) return false;
      // Nothing is less than 0 that is a size, and a positive number is more.
      if (q === 0 && signOf(p) !== "any") return false;
      if (p === 0 && signOf(q) === "positive") return true;
      return this.decide(`(< ${written(p)} ${written(q)})`);
    };
    switch (name) {
      case "less":
        return isLess(x, y);
      case "greater":
        return isLess(y, x);
      case "atMost":
        return !isLess(y, x);
      case "atLeast":
        return !isLess(x, y);
      case "same":
        if (areSame) return true;
        if ((x === 0 && signOf(y) === "positive") || (y === 0 && signOf(x) === "positive")) return false;
        return this.decide(`(= ${a} ${b})`);
    }
  }

  /** Names a number of which the facts hold; `facts` has the name in it. */
  fresh(facts: (name: string) => readonly string[], sign: Sign = "any"): Term {
    const name = `${this.#prefix}r${this.#declarations.length}`;
    this.#declarations.push(`(declare-const ${name} Real)`);
    this.#facts.push(...facts(name));
    return new Term(name, sign);
  }

  /** Names what a way of rounding makes of a number: of the same number the same. */
  rounded(of: string, way: string, fact: (name: string) => string): Term {
    const key = `${way} ${of}`;
    const term = this.#named.get(key) ?? this.fresh((name) => [fact(name)]);
    this.#named.set(key, term);
    return term;
  }

  size(text: string): Term {
    return this.#defined(`(ite (< ${text} 0.0) (- ${text}) ${text})`, "size");
  }

  /** Returns the binade of a size: half of it is less, and a greater size has no lesser binade. */
  binade(size: string): Term {
    const before = [...this.#binades];
    const known = before.find(({ of }) => of === size);
    if (known !== undefined) return new Term(known.is, "size");
    const term = this.fresh(
      (name) => [
        `(<= 0.0 ${name})`,
        `(<= ${name} ${size})`,
        `(=> (< 0.0 ${size}) (< ${size} (* 2.0 ${name})))`,
        ...before.flatMap(({ of, is }) => [
          `(=> (<= ${size} ${of}) (<= ${name} ${is}))`,
          `(=> (<= ${of} ${size}) (<= ${is} ${name}))`,
        ]),
      ],
      "size",
    );
    this.#binades.push({ of: size, is: term.text });
    return term;
  }

  /** Returns what a function makes of a size, of which nothing is known but that it is a size and grows. */
  growing(name: string, size: string): Term {
    const before = [...this.#growths];
    const known = before.find((other) => other.name === name && other.of === size);
    if (known !== undefined) return new Term(known.is, "size");
    const term = this.fresh(
      (is) => [
        `(<= 0.0 ${is})`,
        ...before
          .filter((other) => other.name === name)
          .flatMap((other) => [
            `(=> (<= ${size} ${other.of}) (<= ${is} ${other.is}))`,
            `(=> (<= ${other.of} ${size}) (<= ${other.is} ${is}))`,
          ]),
      ],
      "size",
    );
    this.#growths.push({ name, of: size, is: term.text });
    return term;
  }

  #defined(text: string, sign: Sign): Term {
    const known = this.#named.get(text);
    if (known !== undefined) return known;
    const name = `${this.#prefix}d${this.#declarations.length}`;
    this.#declarations.push(`(define-fun ${name} () Real ${text})`);
    const term = new Term(name, sign);
    this.#named.set(text, term);
    return term;
  }

  #rootOf(x: Term, isRounding: boolean): Term {
    const exact = this.fresh((name) => [`(<= 0.0 ${name})`, `(= (* ${name} ${name}) ${x.text})`], "size");
    return isRounding ? this.#rounded(exact, false) : exact;
  }

  #computed(name: Binary, x: number | Term, y: number | Term, isRounding: boolean): Term {
    const key = `${name} ${written(x)} ${written(y)} ${isRounding}`;
    const known = this.#named.get(key);
    if (known !== undefined) return known;
    const isScaling = name === "multiply" || name === "divide";
    const exact =
      name === "divide" && y instanceof Term
        ? this.#quotient(x, y)
        : this.#defined(`(${signs[name]} ${written(x)} ${written(y)})`, signOfResult(name, x, y));
    const isExact = !isRounding || (isScaling && (isPower(x) || isPower(y)));
    const term = isExact ? exact : this.#rounded(exact, isScaling);
    // Rounding keeps the order, and operands are numbers already.
    if (term !== exact && name === "multiply")
      for (const [factor, other] of [
        [x, y],
        [y, x],
      ] as const)
        if (typeof factor === "number" && factor > 1 && other instanceof Term)
          this.#facts.push(`(=> (<= 0.0 ${other.text}) (<= ${other.text} ${term.text}))`);
    this.#named.set(key, term);
    return term;
  }

  /** A quotient is the number whose product with the divisor is the dividend. */
  #quotient(x: number | Term, y: Term): Term {
    const sign = signOfResult("divide", x, y);
    const [a, b] = [written(x), y.text];
    return this.fresh(
      (name) => [
        `(=> (not (= ${b} 0.0)) (= (* ${name} ${b}) ${a}))`,
        ...(sign === "any" ? [] : [`(=> (< 0.0 ${b}) (<= 0.0 ${name}))`]),
      ],
      sign,
    );
  }

  /**
   * Rounds to float64: by at most 2⁻⁵³ of the number. Of tiny numbers sums are exact, and others are off by at
   * most the smallest one.
   */
  #rounded({ text, sign }: Term, isScaling: boolean): Term {
    const isTiny = `(<= ${sign === "any" ? this.size(text).text : text} (* ${TINY} tiny))`;
    const [least, most] = isScaling ? [`(- ${text} tiny)`, `(+ ${text} tiny)`] : [text, text];
    if (sign !== "any")
      return this.fresh(
        (name) => [
          `(<= 0.0 ${name})`,
          `(=> (= ${text} 0.0) (= ${name} 0.0))`,
          `(<= (ite ${isTiny} ${least} (* ${textOf(LESS)} ${text})) ${name})`,
          `(<= ${name} (ite ${isTiny} ${most} (* ${textOf(MORE)} ${text})))`,
        ],
        isScaling ? "size" : sign,
      );
    return this.fresh((name) => {
      const error = `(ite ${isTiny} ${isScaling ? "tiny" : "0.0"} (* ${textOf(ROUNDOFF)} ${this.binade(this.size(name).text).text}))`;
      return [`(<= (- ${text} ${error}) ${name})`, `(<= ${name} (+ ${text} ${error}))`];
    });
  }
}

/** Multiples of float64's smallest number up to so many times it are numbers of float64 all. */
const TINY = numeral(2 ** 53);

function signOf(x: number | Term): Sign {
  if (x instanceof Term) return x.sign;
  return x > 0 ? "positive" : x === 0 ? "size" : "any";
}

function signOfResult(name: Binary, x: number | Term, y: number | Term): Sign {
  const [a, b] = [signOf(x), signOf(y)];
  if (name === "subtract" || a === "any" || b === "any") return "any";
  const isPositive =
    name === "add" ? a === "positive" || b === "positive" : a === "positive" && b === "positive";
  return isPositive ? "positive" : "size";
}

const ROUNDOFF = rationalFromNumber(2 ** -53);
const HALF_ROUNDOFF = rationalFromNumber(2 ** -54);
const MORE = field.add(field.one, ROUNDOFF);
const LESS = field.add(field.one, field.negative(ROUNDOFF));

const signs: Readonly<Record<Binary, string>> = { add: "+", subtract: "-", multiply: "*", divide: "/" };

function written(x: number | Term): string {
  return typeof x === "number" ? numeral(x) : x.text;
}

function isPower(x: number | Term): boolean {
  return typeof x === "number" && x > 0 && Math.abs(Math.log2(x)) < 100 && Number.isInteger(Math.log2(x));
}

/** Rewritten code computes so at a model's numbers: exactly, or as much too little as float64 may. */
export function exactHost(isShort: boolean): Host {
  const of = (x: number | Exact): Rational => (typeof x === "number" ? rationalFromNumber(x) : x.value);
  const operations: Readonly<Record<Binary, (x: Rational, y: Rational) => Rational>> = {
    add: field.add,
    subtract: (x, y) => field.add(x, field.negative(y)),
    multiply: field.multiply,
    divide: field.divide,
  };
  const isLess = (x: Rational, y: Rational): boolean => field.less(x, y) === true;
  const size = ({ value }: Exact): Exact =>
    new Exact(isLess(value, field.zero) ? field.negative(value) : value);
  return hostOf<Exact>({
    is: (x) => x instanceof Exact,
    compute: (name, x, y) => {
      const exact = operations[name](of(x), of(y));
      const isScaled = (name === "multiply" || name === "divide") && [x, y].some((z) => isPowerOfTwo(z));
      if (!isShort || isScaled) return new Exact(exact);
      // Half a unit in the last place of a result that may be below the exact one's binade.
      const lost = field.multiply(binadeOfRational(size(new Exact(exact)).value), HALF_ROUNDOFF);
      return new Exact(field.add(exact, isLess(exact, field.zero) ? lost : field.negative(lost)));
    },
    compare: (name, a, b) => {
      const [x, y] = [of(a), of(b)];
      switch (name) {
        case "less":
          return isLess(x, y);
        case "greater":
          return isLess(y, x);
        case "atMost":
          return !isLess(y, x);
        case "atLeast":
          return !isLess(x, y);
        case "same":
          return rational.isSame(x, y);
      }
    },
    negative: ({ value }) => new Exact(field.negative(value)),
    size,
    root: ({ value }) => {
      const { numerator, denominator } = value;
      const [above, below] = [numerator, denominator].map((x) => BigInt(Math.round(Math.sqrt(Number(x)))));
      const root = rationalOf(above ?? 0n, below ?? 1n);
      if (rational.isSame(field.multiply(root, root), value)) return new Exact(root);
      throw new InvariantError("the root of a model's number is not rational");
    },
    floor: ({ value }) => new Exact(field.floor(value)),
    binade: (x) => new Exact(binadeOfRational(size(x).value)),
  });
}

function isPowerOfTwo(x: number | Exact): boolean {
  return typeof x === "number" && isPower(x);
}

/** Returns the greatest power of two that is at most a rational size. */
export function binadeOfRational(size: Rational): Rational {
  if (size.numerator === 0n) return field.zero;
  let exponent = size.numerator.toString(2).length - size.denominator.toString(2).length + 1;
  const power = (by: number): Rational =>
    by < 0 ? rationalOf(1n, 1n << BigInt(-by)) : rationalOf(1n << BigInt(by), 1n);
  while (field.less(size, power(exponent)) === true) exponent--;
  return power(exponent);
}
