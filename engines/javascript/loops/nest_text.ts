import type { Affine, Loop, Place } from "./nest.ts";

/** A name or a number in generated text, and how many loops it stands inside. */
export interface Term {
  readonly text: string;
  readonly level: number;
}

/**
 * The text of a loop nest as it is written: what is declared goes into the outermost loop where all that it needs is known, and
 * the same text is declared once, which is what shares subexpressions, rows and positions. Positions are never multiplied: a loop
 * has a counter for each stride that moves a position, and what the loops outside contribute is added up outside.
 */
export class NestText {
  readonly #loops: readonly Loop[];
  readonly #before: string[][];
  readonly #after: string[][];
  readonly #counters: Set<number>[];
  readonly #names = new Map<string, Term>();

  constructor(loops: readonly Loop[]) {
    this.#loops = loops;
    this.#before = [...loops, 0].map(() => []);
    this.#after = [...loops, 0].map(() => []);
    this.#counters = loops.map(() => new Set<number>());
  }

  /** A name for an expression. The same text at the same level is one name. */
  declare(text: string, level: number): Term {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const term = { text: `t${this.#names.size}`, level };
    this.#names.set(text, term);
    this.write(`const ${term.text}=${text};`, level);
    return term;
  }

  /** A statement for each round at a level, in the order of the calls. */
  write(statement: string, level: number): void {
    this.#before[level]?.push(statement);
  }

  /** A statement behind the loops inside a level. */
  writeAfter(statement: string, level: number): void {
    this.#after[level]?.push(statement);
  }

  /** Text for an element, not yet declared, and the level that its position has. */
  place({ array, position, lookups }: Place): Term {
    const found = lookups.map((lookup): Term => {
      const { text, level } = this.#position(lookup.position, []);
      const entry =
        lookup.scale === 1 ? `${lookup.array}[${text}]` : `${lookup.array}[${text}]*${lookup.scale}`;
      return this.declare(entry, level);
    });
    const { text, level } = this.#position(position, found);
    return { text: `${array}[${text}]`, level };
  }

  /** The value of an element, read in the outermost loop that knows its position. */
  read(place: Place): Term {
    const { text, level } = this.place(place);
    return this.declare(text, level);
  }

  /** The level at which all loops that move a position have begun. */
  levelOf(strides: readonly number[]): number {
    return this.#loops.findLastIndex((loop, n) => strides[n] !== 0 && loop.extent > loop.width) + 1;
  }

  /** The text of the whole nest, a block of its own. */
  toString(): string {
    const opened = this.#loops.map((loop, n) => `${(this.#before[n] ?? []).join("")}${this.#head(loop, n)}`);
    const closed = this.#loops.map(
      (loop, n) => `${isWritten(loop) ? "}" : ""}${(this.#after[n] ?? []).join("")}`,
    );
    const inner = [...(this.#before.at(-1) ?? []), ...(this.#after.at(-1) ?? [])].join("");
    return `{${opened.join("")}${inner}${closed.toReversed().join("")}}`;
  }

  /** What moves with the innermost moving loop is a counter; the rest, lookups of outer loops included, is added up outside. */
  #position({ offset, strides }: Affine, lookups: readonly Term[]): Term {
    const level = this.levelOf(strides);
    const outer = lookups.filter((lookup) => lookup.level < level);
    const late = lookups.filter((lookup) => lookup.level >= level);
    const last = level - 1;
    const counter = level === 0 ? [] : [this.#counter(last, strides[last] ?? 0)];
    const rest = level === 0 ? [] : strides.slice(0, last);
    const isBase = level > 0 && (outer.length > 0 || this.levelOf(rest) > 0);
    const base = isBase ? this.#base({ offset, strides: rest }, outer) : offset === 0 ? [] : [`${offset}`];
    const parts = [...counter, ...base, ...late.map(({ text }) => text)];
    const text = parts.length === 0 ? "0" : parts.join("+").replaceAll("+-", "-");
    return { text, level: Math.max(level, ...late.map((lookup) => lookup.level)) };
  }

  #base(position: Affine, lookups: readonly Term[]): string[] {
    const { text, level } = this.#position(position, lookups);
    return [this.declare(text, level).text];
  }

  #counter(loop: number, stride: number): string {
    this.#counters[loop]?.add(stride);
    return this.#counterName(loop, stride);
  }

  #counterName(loop: number, stride: number): string {
    return `i${loop}_${stride < 0 ? `m${-stride}` : stride}`;
  }

  #head(loop: Loop, n: number): string {
    if (!isWritten(loop)) return "";
    const strides = [...(this.#counters[n] ?? [])];
    const [leader = 1] = strides;
    const counters = strides.length === 0 ? [1] : strides;
    const begin = counters.map((stride) => `${this.#counterName(n, stride)}=0`);
    const step = counters.map((stride) => `${this.#counterName(n, stride)}+=${stride * loop.width}`);
    const end = `${this.#counterName(n, leader)}${leader < 0 ? ">" : "<"}${leader * loop.extent}`;
    return `for(let ${begin};${end};${step}){`;
  }
}

/** Whether there is more than one round to go. */
function isWritten(loop: Loop): boolean {
  return loop.extent > loop.width;
}
