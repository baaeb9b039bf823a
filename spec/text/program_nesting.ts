import type { Shape } from "../shapes/index.ts";
import { numberText, programNameText } from "./words.ts";

/** A written expression, and how tightly its outermost sign binds. */
export interface Form {
  readonly text: string;
  readonly level: number;
}

/** Names and calls need no brackets anywhere. */
export const ATOM = 9;

/** A sign before a number or a value binds between the products and the powers. */
export const SIGNED = 4;

/** Written within a line, a value takes so many columns at most. */
const WIDTH = 48;

/** A value that its one use may hold in place of its name. */
export interface Entry {
  readonly name: string;
  /** As it stands anywhere. */
  readonly form: Form;
  /** It is a number that fills a shape, or a value that is broadcast to one: as it stands where that is due. */
  readonly implied?: { readonly kind: "number" | "broadcast"; readonly shape: Shape; readonly form: Form };
  /** The value that is broadcast, if it is in waiting too. */
  readonly inner?: Entry;
}

/** An operand of a statement, and what may stand for it where a shape is due. */
export interface Want {
  readonly name: string;
  readonly implied: "none" | "scalar" | "number" | "any";
}

/**
 * Values in waiting, in the order of their statements. A line is read operand by operand, so a statement may
 * hold those that it uses if they are the last, in the order in which the reader comes to them.
 */
export class Waiting {
  #stack: Entry[] = [];
  readonly #write: (entry: Entry) => void;

  /** What waits in vain is written in lines of its own. */
  constructor(write: (entry: Entry) => void) {
    this.#write = write;
  }

  push(entry: Entry): void {
    this.#stack.push(entry);
  }

  /** Finds a value that waits. */
  find(name: string): Entry | undefined {
    return this.#stack.findLast((entry) => entry.name === name);
  }

  /** The value that came last, if it has this name. */
  last(name: string): Entry | undefined {
    const entry = this.#stack.at(-1);
    return entry?.name === name ? entry : undefined;
  }

  /** Writes all that waits. */
  flush(): void {
    const inner = new Set(this.#stack.map((entry) => entry.inner));
    for (const entry of this.#stack) if (!inner.has(entry)) this.#write(entry);
    this.#stack = [];
  }

  /** The operands as they stand in a statement. `isPhased`: numbers and broadcasts come behind all operands. */
  take(wants: readonly Want[], isPhased: boolean): readonly Form[] {
    const entries = wants.map(({ name }) => this.find(name));
    const isWaiting = entries.some((entry) => entry !== undefined);
    if (isWaiting) {
      for (const isImplied of [true, false]) {
        const used = entries.map((entry, i) => isImplied && isDue(entry, wants[i]));
        if (!this.#drop(orderOf(entries, used, isPhased))) continue;
        return wants.map(({ name }, i) => {
          const entry = entries[i];
          const form = used[i] === true ? entry?.implied?.form : entry?.form;
          return form ?? named(name);
        });
      }
      this.flush();
    }
    return wants.map(({ name }) => named(name));
  }

  /** Takes these from the end, if they stand there in this order. */
  #drop(order: readonly Entry[]): boolean {
    const from = this.#stack.length - order.length;
    if (from < 0 || order.some((entry, i) => this.#stack[from + i] !== entry)) return false;
    this.#stack.length = from;
    return true;
  }
}

/** Tells whether a value is short enough to stand in a line. */
export function isShort({ text }: Form): boolean {
  return text.length <= WIDTH;
}

/** A name, as it stands in an expression. */
export function named(name: string): Form {
  return { text: programNameText(name), level: ATOM };
}

/** A number, as it stands in an expression. */
export function numeral(value: number): Form {
  return { text: numberText(value), level: value < 0 ? SIGNED : ATOM };
}

/** The text of an operand, in brackets if its sign binds less tightly than it must. */
export function bracketed({ text, level }: Form, least: number): string {
  return level < least ? `(${text})` : text;
}

function isDue(entry: Entry | undefined, want: Want | undefined): boolean {
  const implied = entry?.implied;
  if (implied === undefined || want === undefined) return false;
  switch (want.implied) {
    case "none":
      return false;
    case "scalar":
      return implied.kind === "number" && implied.shape.length === 0;
    case "number":
      return implied.kind === "number";
    case "any":
      return true;
  }
}

/** The order in which a reader makes the values, given which of them are implied. */
function orderOf(
  entries: readonly (Entry | undefined)[],
  used: readonly boolean[],
  isPhased: boolean,
): readonly Entry[] {
  const before = entries.map((entry, i) => {
    if (entry === undefined) return [];
    const own = used[i] === true && isPhased ? [] : [entry];
    return entry.inner === undefined ? own : [entry.inner, ...own];
  });
  const behind = entries.flatMap((entry, i) =>
    entry !== undefined && used[i] === true && isPhased ? [entry] : [],
  );
  return [...before.flat(), ...behind];
}
