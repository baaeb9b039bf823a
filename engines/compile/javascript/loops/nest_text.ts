import { at } from "../../../../spec/shapes/index.ts";
import type { Affine, Loop, Place } from "./nest.ts";

/** A name or a number in generated text, and how many loops it stands inside. */
export interface Term {
  readonly text: string;
  readonly level: number;
}

/**
 * Writes the text of a loop nest. A declaration goes into the outermost loop where its operands are known,
 * and equal text is declared once, so that subexpressions, rows and positions are shared. Positions are never
 * multiplied: a loop has a counter for each stride, and the contributions of outer loops are added outside.
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

  /** Declares a name for an expression; equal text gets one name. */
  declare(text: string, level: number): Term {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const term = { text: `t${this.#names.size}`, level };
    this.#names.set(text, term);
    this.write(`const ${term.text}=${text};`, level);
    return term;
  }

  /** Adds a statement for each round at a level, in the order of the calls. */
  write(statement: string, level: number): void {
    at(this.#before, level).push(statement);
  }

  /** Adds a statement after the loops inside a level. */
  writeAfter(statement: string, level: number): void {
    at(this.#after, level).push(statement);
  }

  /** Returns the text of an element, without a declaration, and its position's level. */
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

  /** Reads an element in the outermost loop that knows its position. */
  read(place: Place): Term {
    const { text, level } = this.place(place);
    return this.declare(text, level);
  }

  /** Returns the level inside all loops that move a position; `strides` may be those of outer loops only. */
  levelOf(strides: readonly number[]): number {
    return strides.findLastIndex((stride, n) => stride !== 0 && isWritten(at(this.#loops, n))) + 1;
  }

  /** Returns the text of the whole nest, as a block of its own. */
  toString(): string {
    const opened = this.#loops.map((loop, n) => `${at(this.#before, n).join("")}${this.#head(loop, n)}`);
    const closed = this.#loops.map(
      (loop, n) => `${isWritten(loop) ? "}" : ""}${at(this.#after, n).join("")}`,
    );
    const last = this.#loops.length;
    const inner = [...at(this.#before, last), ...at(this.#after, last)].join("");
    return `{${opened.join("")}${inner}${closed.toReversed().join("")}}`;
  }

  #position({ offset, strides }: Affine, lookups: readonly Term[]): Term {
    const moved = this.#moved(strides, lookups);
    if (moved === undefined) return { text: `${offset}`, level: 0 };
    const { text, level } = moved;
    return { text: offset === 0 ? text : `${text}${offset < 0 ? "" : "+"}${offset}`, level };
  }

  /**
   * Returns the moving part of a position as one name, which copies of a round share, because only their
   * offsets differ; `undefined` if nothing moves. The contributions of outer loops are added outside.
   */
  #moved(strides: readonly number[], lookups: readonly Term[]): Term | undefined {
    const level = this.levelOf(strides);
    const late = lookups.filter((lookup) => lookup.level >= level);
    if (level === 0 && late.length === 0) return undefined;
    const last = level - 1;
    const outer = level === 0 ? undefined : this.#moved(strides.slice(0, last), early(lookups, level));
    const counter = level === 0 ? [] : [this.#counter(last, at(strides, last))];
    const parts = [...counter, ...(outer === undefined ? [] : [outer.text]), ...late.map(({ text }) => text)];
    const whole = Math.max(level, ...late.map((lookup) => lookup.level));
    return parts.length === 1 ? { text: at(parts, 0), level: whole } : this.declare(parts.join("+"), whole);
  }

  #counter(loop: number, stride: number): string {
    at(this.#counters, loop).add(stride);
    return this.#counterName(loop, stride);
  }

  #counterName(loop: number, stride: number): string {
    return `i${loop}_${stride < 0 ? `m${-stride}` : stride}`;
  }

  #head(loop: Loop, n: number): string {
    if (!isWritten(loop)) return "";
    const strides = at(this.#counters, n);
    const counters = strides.size === 0 ? [1] : [...strides];
    const leader = at(counters, 0);
    const begin = counters.map((stride) => `${this.#counterName(n, stride)}=0`);
    const step = counters.map((stride) => `${this.#counterName(n, stride)}+=${stride * loop.width}`);
    const end = `${this.#counterName(n, leader)}${leader < 0 ? ">" : "<"}${leader * loop.extent}`;
    return `for(let ${begin};${end};${step}){`;
  }
}

/** Says whether there is more than one round. */
function isWritten(loop: Loop): boolean {
  return loop.extent > loop.width;
}

function early(lookups: readonly Term[], level: number): readonly Term[] {
  return lookups.filter((lookup) => lookup.level < level);
}
