import { pointerTo } from "../shapes/index.ts";
import type { Faults } from "./fault.ts";
import type { Places } from "./places.ts";
import type { Word } from "./tree.ts";

/** Clauses that may be said more than once; what they say is added up. */
const lists: ReadonlySet<string> = new Set(["defects", "links", "flags", "faults", "base"]);

/** Keeps the clauses that are words alone, such as `note` and `links`, by their first word. */
export class Sayings {
  readonly #faults: Faults;
  readonly #said: Map<string, readonly Word[]> = new Map();

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  say(head: Word, words: readonly Word[]): void {
    if (words.length === 0)
      this.#faults.add("text/clause", head.place, `${head.text} says nothing.`, "add what it is");
    const before = this.#said.get(head.text);
    if (before !== undefined && !lists.has(head.text))
      this.#faults.add("text/twice", head.place, `${head.text} was said already.`, "say it once");
    this.#said.set(head.text, [...(before ?? []), ...words]);
  }

  has(head: string): boolean {
    return this.#said.has(head);
  }

  first(head: string): Word | undefined {
    return this.#said.get(head)?.[0];
  }

  /** Returns the words of a clause, whose places are those of a pointer and of the parts below it. */
  texts(head: string, pointer: string, places: Places): readonly string[] {
    return (this.#said.get(head) ?? []).map(({ text, place }, i) => {
      places.add(pointer, place);
      places.add(pointerTo(pointer, i), place);
      return text;
    });
  }
}
