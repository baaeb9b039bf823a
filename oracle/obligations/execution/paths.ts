import { InvariantError } from "../../../spec/shapes/index.ts";
import { bitsFor, literalWord, type Terms, type Word } from "./terms.ts";

/** More ways through a program than this are too many to write down. */
const MOST_PATHS = 20_000;

/** One way through a program, and what came out at its end. */
export interface Path<T> {
  /** These are terms of sort Bool; together they say which unknowns go this way. */
  readonly conditions: readonly string[];
  readonly result: T;
}

export type Comparison = "<" | "<=" | ">" | ">=" | "===" | "!==";

const relations: Readonly<Record<Exclude<Comparison, "!==">, string>> = {
  "<": "bvslt",
  "<=": "bvsle",
  ">": "bvsgt",
  ">=": "bvsge",
  "===": "=",
};

/** Where a program asks something of an unknown, a way takes one of the answers, and notes it. */
export class Way {
  readonly terms: Terms;
  readonly #taken: boolean[];
  #asked = 0;
  readonly #conditions: string[] = [];
  readonly #ranges = new Map<string, readonly [bigint, bigint]>();

  constructor(terms: Terms, taken: boolean[]) {
    this.terms = terms;
    this.#taken = taken;
  }

  get conditions(): readonly string[] {
    return this.#conditions;
  }

  /** Takes an answer to a question that is a term of sort Bool: yes first, and no on another way. */
  decide(question: string): boolean {
    const name = this.terms.named(question, "Bool");
    const answer = this.#taken[this.#asked] ?? true;
    this.#taken[this.#asked] = answer;
    this.#asked += 1;
    this.#conditions.push(answer ? name : `(not ${name})`);
    return answer;
  }

  /** Returns what the word can be on this way. */
  rangeOf({ text, low, high }: Word): readonly [bigint, bigint] {
    return this.#ranges.get(text) ?? [low, high];
  }

  /** Compares words. Asks nothing where their ranges decide, and narrows them by the answer. */
  compare(relation: Comparison, left: Word, right: Word): boolean {
    if (relation === "!==") return !this.compare("===", left, right);
    const [a, b] = [this.rangeOf(left), this.rangeOf(right)];
    const known = decided(relation, a, b);
    if (known !== undefined) return known;
    const bits = Math.max(left.bits, right.bits);
    const { terms } = this;
    const term = `(${relations[relation]} ${terms.inBits(left, bits)} ${terms.inBits(right, bits)})`;
    const answer = this.decide(term);
    this.#narrow(left, relation, b, answer);
    this.#narrow(right, mirrored[relation], a, answer);
    return answer;
  }

  #narrow(
    word: Word,
    relation: Exclude<Comparison, "!==">,
    than: readonly [bigint, bigint],
    is: boolean,
  ): void {
    const [low, high] = this.rangeOf(word);
    const [least, most] = than;
    const holds = is ? relation : opposite[relation];
    const narrowed = ((): readonly [bigint, bigint] => {
      switch (holds) {
        case "<":
          return [low, min(high, most - 1n)];
        case "<=":
          return [low, min(high, most)];
        case ">":
          return [max(low, least + 1n), high];
        case ">=":
          return [max(low, least), high];
        case "===":
          return [max(low, least), min(high, most)];
        case "!==":
          // An end that is excluded moves.
          return least === most
            ? [low === least ? low + 1n : low, high === least ? high - 1n : high]
            : [low, high];
      }
    })();
    this.#ranges.set(word.text, narrowed);
  }

  /** Returns the number that the word is on this way, by halves of what it can be. */
  pick(word: Word): bigint {
    for (;;) {
      const [low, high] = this.rangeOf(word);
      if (low >= high) return low;
      this.compare("<", word, this.constant((low + high + 1n) >> 1n));
    }
  }

  /** Returns the bits of a word that is not negative, as many as there are from the highest 1 on. */
  lengthOf(word: Word): number {
    for (;;) {
      const [low, high] = this.rangeOf(word);
      if (low < 0n) throw new InvariantError("a negative number has no length in bits");
      const [least, most] = [lengthOf(low), lengthOf(high)];
      if (least >= most) return least;
      this.compare("<", word, this.constant(1n << BigInt((least + most) >> 1)));
    }
  }

  constant(value: bigint): Word {
    const bits = bitsFor(value, value);
    return { text: literalWord(value, bits), bits, low: value, high: value };
  }
}

const mirrored = { "<": ">", "<=": ">=", ">": "<", ">=": "<=", "===": "===" } as const;
const opposite = { "<": ">=", "<=": ">", ">": "<=", ">=": "<", "===": "!==" } as const;

/** Returns the bits of a natural number; none of 0. */
function lengthOf(x: bigint): number {
  if (x === 0n) return 0;
  const digits = x.toString(16);
  return 4 * digits.length - Math.clz32(Number.parseInt(digits.charAt(0), 16)) + 28;
}

const min = (x: bigint, y: bigint): bigint => (x < y ? x : y);
const max = (x: bigint, y: bigint): bigint => (x > y ? x : y);

/** Returns the answer that all numbers of two ranges give. */
function decided(
  relation: Exclude<Comparison, "!==">,
  [low, high]: readonly [bigint, bigint],
  [least, most]: readonly [bigint, bigint],
): boolean | undefined {
  switch (relation) {
    case "<":
      return high < least ? true : low >= most ? false : undefined;
    case "<=":
      return high <= least ? true : low > most ? false : undefined;
    case ">":
      return low > most ? true : high <= least ? false : undefined;
    case ">=":
      return low >= most ? true : high < least ? false : undefined;
    case "===":
      if (high < least || low > most) return false;
      return low === high && least === most ? true : undefined;
  }
}

/**
 * Runs a program on unknowns, on every way through it. Law: whatever the unknowns are, the conditions of one
 * way hold, and its result is what the program gives. Cost: a run for each way. Throws
 * {@link InvariantError} where there are more than {@link MOST_PATHS}.
 */
export function pathsOf<T>(terms: Terms, run: (way: Way) => T): readonly Path<T>[] {
  const paths: Path<T>[] = [];
  const taken: boolean[] = [];
  for (;;) {
    const way = new Way(terms, taken);
    const result = run(way);
    paths.push({ conditions: way.conditions, result });
    if (paths.length > MOST_PATHS) throw new InvariantError(`more than ${MOST_PATHS} ways through a program`);
    while (taken.at(-1) === false) taken.pop();
    if (taken.length === 0) return paths;
    taken[taken.length - 1] = false;
  }
}
