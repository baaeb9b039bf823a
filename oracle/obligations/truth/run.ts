import { rational, rationalFromNumber } from "../../../reference/index.ts";
import { present } from "../../../spec/shapes/index.ts";
import { type Binary, type Comparing, type Host, hostOf, isPower } from "./host.ts";
import { numeral, textOf } from "./numerals.ts";

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

/** This is what was assumed on the way to a result of the code, and what was named. */
export interface Path {
  readonly declarations: readonly string[];
  /** These hold of what was named. */
  readonly facts: readonly string[];
  /** The code took its branches because of these. */
  readonly conditions: readonly string[];
}

/**
 * A run follows one path through the code; branches on symbols are taken as it is told, and else to `true`.
 */
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
      floor: (x) =>
        this.fresh(
          (name) => [`(is_int ${name})`, `(<= ${name} ${x.text})`, `(< ${x.text} (+ ${name} 1.0))`],
          x.sign === "any" ? "any" : "size",
        ),
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
   * Rounds to float64: by at most 2⁻⁵³ of the number. Of tiny numbers sums are exact, and others are off by
   * at
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

const field = present(rational.levels.orderedField, "the order of the rational numbers");
const ROUNDOFF = rationalFromNumber(2 ** -53);
const MORE = field.add(field.one, ROUNDOFF);
const LESS = field.add(field.one, field.negative(ROUNDOFF));

const signs: Readonly<Record<Binary, string>> = { add: "+", subtract: "-", multiply: "*", divide: "/" };

function written(x: number | Term): string {
  return typeof x === "number" ? numeral(x) : x.text;
}
