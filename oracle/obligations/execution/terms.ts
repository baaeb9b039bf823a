/** An unknown integer as a word in two's complement, which holds all that it can be. */
export interface Word {
  /** A name or another term of SMT-LIB, of the sort of words of so many bits. */
  readonly text: string;
  readonly bits: number;
  readonly low: bigint;
  readonly high: bigint;
}

/** Returns the bits of words that hold these integers, with their sign. */
export function bitsFor(low: bigint, high: bigint): number {
  const size = (x: bigint): number => {
    const above = x < 0n ? ~x : x;
    if (above <= 0xffffffffn) return 32 - Math.clz32(Number(above));
    const digits = above.toString(16);
    return 4 * digits.length - Math.clz32(Number.parseInt(digits.charAt(0), 16)) + 28;
  };
  return Math.max(1, 1 + size(low), 1 + size(high));
}

/** Writes an integer as a word. */
export function literalWord(value: bigint, bits: number): string {
  return `(_ bv${BigInt.asUintN(bits, value)} ${bits})`;
}

/** Names the terms that runs of a program make, so that each is written once. */
export class Terms {
  readonly #names = new Map<string, string>();
  readonly #lines: string[] = [];

  /** Declares an unknown of so many bits, between two integers; it is defined where they are the same. */
  unknown(name: string, bits: number, low: bigint, high: bigint): Word {
    const sort = `(_ BitVec ${bits})`;
    this.#lines.push(
      low === high
        ? `(define-fun ${name} () ${sort} ${literalWord(low, bits)})`
        : `(declare-const ${name} ${sort})`,
    );
    return { text: name, bits, low, high };
  }

  /** Names a term of a sort. Law: the same term has the same name. */
  named(term: string, sort: string): string {
    const known = this.#names.get(term);
    if (known !== undefined) return known;
    const name = `t${this.#names.size}`;
    this.#names.set(term, name);
    this.#lines.push(`(define-fun ${name} () ${sort} ${term})`);
    return name;
  }

  /** Makes a word of a term. */
  word(term: string, bits: number, low: bigint, high: bigint): Word {
    return { text: this.named(term, `(_ BitVec ${bits})`), bits, low, high };
  }

  /** Returns the text of a word in so many bits: its sign is extended, or bits that say nothing go. */
  inBits(word: Word, bits: number): string {
    if (word.bits === bits) return word.text;
    const sort = `(_ BitVec ${bits})`;
    return word.bits < bits
      ? this.named(`((_ sign_extend ${bits - word.bits}) ${word.text})`, sort)
      : this.named(`((_ extract ${bits - 1} 0) ${word.text})`, sort);
  }

  /** Lists what was declared and defined. */
  get declarations(): string {
    return this.#lines.join("\n");
  }
}
