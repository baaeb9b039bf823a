import { type Issue, MAXIMUM_ISSUES, nearestName, quote } from "../shapes/index.ts";
import type { Place, Word } from "./tree.ts";

/** Something is wrong with a text, at a place of it. */
export interface TextFault {
  /** It is the code of an issue: `text/syntax`. */
  readonly code: string;
  readonly place: Place;
  readonly message: string;
  readonly hint: string;
}

/** So many elements of a document may be left out, or have one number for all. */
const MAXIMUM_FILLED = 2 ** 20;

/** Gathers what is wrong with a text, up to the most that a check tells. */
export class Faults {
  readonly all: TextFault[] = [];

  #filled = 0;

  get isFull(): boolean {
    return this.all.length >= MAXIMUM_ISSUES;
  }

  add(code: string, place: Place, message: string, hint: string): void {
    if (!this.isFull) this.all.push({ code, place, message, hint });
  }

  /** Adds what a check of the document says, at the place of the part that it speaks of. */
  addIssue({ code, message, hint }: Issue, place: Place): void {
    this.add(code, place, message, hint);
  }

  /** Tells whether so many more elements may have numbers that are not written one by one; else adds a fault. */
  mayFill(count: number, place: Place): boolean {
    this.#filled += count;
    if (this.#filled <= MAXIMUM_FILLED) return true;
    const hint = "use smaller extents, or write the document as JSON, in base64";
    const message = `the numbers that are not written one by one are more than ${MAXIMUM_FILLED}.`;
    this.add("text/too-large", place, message, hint);
    return false;
  }

  /** A word names nothing: says so, with the name that was probably meant. */
  addUnknown(code: string, what: string, { text, place }: Word, known: readonly string[]): void {
    const near = nearestName(text, known);
    const some = known.length > 12 ? `${known.slice(0, 12).join(", ")}, …` : known.join(", ");
    const list = known.length === 0 ? "there is none" : `there are ${some}`;
    this.add(
      code,
      place,
      `there is no ${what} ${quote(text)}.`,
      near === undefined ? list : `did you mean "${near}"?`,
    );
  }
}
