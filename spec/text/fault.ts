import {
  type Issue,
  MAXIMUM_ISSUES,
  nearestName,
  quote,
  type Result,
  type Shape,
  visible,
  wellFormedShape,
} from "../shapes/index.ts";
import type { Places } from "./places.ts";
import type { Assignment, Place, Word } from "./tree.ts";

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
  addIssue({ code, message, hint }: Omit<Issue, "pointer">, place: Place): void {
    this.add(code, place, message, hint);
  }

  /** Returns what a check accepts; adds what it refuses, where that is written. */
  accept<T>(checked: Result<T, readonly Issue[]>, places: Pick<Places, "of">): T | undefined {
    if (checked.ok) return checked.value;
    for (const issue of checked.error) this.addIssue(issue, places.of(issue.pointer));
    return undefined;
  }

  /** Tells whether a shape is one; else adds a fault. */
  acceptsShape(shape: Shape, place: Place): boolean {
    const checked = wellFormedShape(shape);
    if (!checked.ok) this.addIssue(checked.error, place);
    return checked.ok;
  }

  /** A call or a point lacks the numbers of something. */
  addMissing(who: string, name: string, place: Place): void {
    const hint = `write it behind at: at ${name} = …`;
    this.add("text/point", place, `${who} no numbers for ${name}.`, hint);
  }

  /** Keeps what a clause assigns to something, which is said once. */
  once<K>(all: Map<K, Assignment>, key: K | undefined, one: Assignment): void {
    if (key === undefined) return;
    if (all.has(key)) this.add("text/twice", one.name.place, "this has numbers already.", "give them once");
    all.set(key, one);
  }

  /**
   * Tells whether so many more elements may have numbers that are not written one by one; else adds a fault.
   */
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

/** Returns where the lines of a text start, up to an offset. */
export function startsOf(text: string, until: number = text.length): readonly number[] {
  const starts = [0];
  const breaks = /\r\n|\n|\r/g;
  while (breaks.test(text) && breaks.lastIndex <= until) starts.push(breaks.lastIndex);
  return starts;
}

/** Names a place as editors do: the line, and the column in it, counted from 1: `3:7`. */
export function positionOf(text: string, { start }: TextFault["place"]): string {
  const line = lineAt(text, start);
  return `${line.row}:${start - line.start + 1}`;
}

/** Finds the line around an offset: its number, from 1, and where it starts. */
function lineAt(text: string, offset: number): { readonly row: number; readonly start: number } {
  const starts = startsOf(text, offset);
  return { row: starts.length, start: starts.at(-1) ?? 0 };
}

/** Lines longer than this are shown around the place alone. */
const WIDTH = 96;

/**
 * Shows a fault as rustc does: what is wrong, the file and line, the line itself with marks below the place,
 * and what to do. Columns count characters from 1.
 */
export function frameOf(file: string, text: string, { code, place, message, hint }: TextFault): string[] {
  const { row, start } = lineAt(text, place.start);
  const column = place.start - start;
  const whole = /^[^\r\n]*/.exec(text.slice(start))?.[0] ?? "";
  const from = column < WIDTH - 16 ? 0 : column - 24;
  const shown = visible(whole.slice(from, from + WIDTH)).trimEnd();
  const lead = from === 0 ? "" : "…";
  const marked = Math.max(1, Math.min(place.end - place.start, whole.length - column, WIDTH - 16));
  const margin = " ".repeat(`${row}`.length);
  const pad = " ".repeat(visible(whole.slice(from, column), WIDTH).length + lead.length);
  return [
    `${code}: ${visible(message)}`,
    `${margin}--> ${visible(file)}:${row}:${column + 1}`,
    `${margin} |`,
    `${row} | ${lead}${shown}`,
    `${margin} | ${pad}${"^".repeat(marked)} ${visible(hint)}`,
  ];
}
