import type { Shape } from "../shapes/index.ts";
import type { Form } from "./forms.ts";

/** A value that its one use may hold in place of its name. */
export interface Entry<K> {
  readonly key: K;
  /** Its line, where it has one. */
  readonly line: string;
  /** As it stands anywhere, if it may. */
  readonly form?: Form;
  /**
   * It is a number that fills a shape, or a value that is broadcast to one: as it stands where that is due.
   */
  readonly implied?: { readonly kind: "number" | "broadcast"; readonly shape: Shape; readonly form: Form };
  /** The value that is broadcast, if it is in waiting too. */
  readonly inner?: Entry<K> | undefined;
}

/** An operand, and what may stand for it where a shape is due. */
export interface Want<K> {
  readonly key: K;
  readonly implied: "none" | "scalar" | "number" | "any";
}

/**
 * Holds values in waiting, in their order. A line is read operand by operand, so it may hold those that it
 * uses if they are the last, in the order in which the reader comes to them.
 */
export class Waiting<K> {
  #stack: Entry<K>[] = [];
  readonly #write: (line: string) => void;
  readonly #named: (key: K) => Form;

  /** What waits in vain is written in lines of its own, and named where it is used. */
  constructor(write: (line: string) => void, named: (key: K) => Form) {
    this.#write = write;
    this.#named = named;
  }

  /** Adds a value; where it may not wait, it and all before it get lines. */
  push(entry: Entry<K>, mayWait: boolean): void {
    this.#stack.push(entry);
    if (!mayWait) this.flush();
  }

  /** Finds a value that waits. */
  find(key: K): Entry<K> | undefined {
    return this.#stack.findLast((entry) => entry.key === key);
  }

  /** The value that came last, if it has this name. */
  last(key: K): Entry<K> | undefined {
    const entry = this.#stack.at(-1);
    return entry?.key === key ? entry : undefined;
  }

  /** Writes all that waits. */
  flush(): void {
    const inner = new Set(this.#stack.map((entry) => entry.inner));
    for (const entry of this.#stack) if (!inner.has(entry)) this.#write(entry.line);
    this.#stack = [];
  }

  /**
   * The operands as they stand in a statement. `isPhased`: numbers and broadcasts come behind all operands.
   */
  take(wants: readonly Want<K>[], isPhased: boolean): readonly Form[] {
    const entries = this.#stack.length === 0 ? [] : wants.map(({ key }) => this.find(key));
    if (entries.some((entry) => entry !== undefined)) {
      for (const isImplied of [true, false]) {
        const used = entries.map((entry, i) => isImplied && isDue(entry, wants[i]));
        const forms = entries.map((entry, i) => (used[i] === true ? entry?.implied?.form : entry?.form));
        const isReadable = entries.every((entry, i) => entry === undefined || forms[i] !== undefined);
        if (isReadable && this.#drop(orderOf(entries, used, isPhased)))
          return wants.map(({ key }, i) => forms[i] ?? this.#named(key));
      }
      this.flush();
    }
    return wants.map(({ key }) => this.#named(key));
  }

  /** Takes these from the end, if they stand there in this order. */
  #drop(order: readonly Entry<K>[]): boolean {
    const from = this.#stack.length - order.length;
    if (from < 0 || order.some((entry, i) => this.#stack[from + i] !== entry)) return false;
    this.#stack.length = from;
    return true;
  }
}

function isDue<K>(entry: Entry<K> | undefined, want: Want<K> | undefined): boolean {
  const { kind, shape } = entry?.implied ?? {};
  if (kind === undefined || want === undefined || want.implied === "none") return false;
  if (want.implied === "any") return true;
  return kind === "number" && (want.implied === "number" || shape?.length === 0);
}

/** The order in which a reader makes the values, given which of them are implied. */
function orderOf<K>(
  entries: readonly (Entry<K> | undefined)[],
  used: readonly boolean[],
  isPhased: boolean,
): readonly Entry<K>[] {
  const isBehind = (i: number): boolean => isPhased && used[i] === true;
  const before = entries.flatMap((entry, i) => [entry?.inner ?? [], isBehind(i) ? [] : (entry ?? [])].flat());
  return [...before, ...entries.flatMap((entry, i) => (isBehind(i) ? (entry ?? []) : []))];
}
