import { at, fail, ok, type Result } from "../shapes/index.ts";
import type { TextFault } from "./fault.ts";
import { treeOf } from "./lines.ts";
import { printedLine } from "./print.ts";
import type { Line, Place } from "./tree.ts";
import { folded } from "./words.ts";

/** A line or a comment of the text that is written. */
interface Item {
  readonly depth: number;
  readonly isComment: boolean;
  /** A document begins here. */
  readonly isHeader: boolean;
  /** A comment that stands behind it. */
  trailing?: string;
  readonly text: string;
  isSpaced: boolean;
}

/** A line of the tree, and how far it is indented, in levels and in characters. */
interface Row {
  readonly line: Line;
  readonly depth: number;
  readonly place: Place;
  readonly column: number;
}

/**
 * Makes the layout of a text uniform: an indent of two for each level, blanks around signs, a blank line between
 * documents, long lines folded. Comments and names stay. Laws: the same tree is read from it, but for brackets
 * that change nothing; formatting it again changes nothing. Cost: linear. Fails, with the text as it was: `text/…`
 * where a line is not understood.
 */
export function formatText(text: string): Result<string, readonly TextFault[]> {
  const { lines, comments, places, faults } = treeOf(text);
  if (faults.all.length > 0) return fail(faults.all.toSorted((a, b) => a.place.start - b.place.start));
  const source = new Source(text);
  const rows = rowsOf(lines, places, source);
  const items = spaced(new Layout(source, rows, comments).items());
  return ok(items.map((item) => written(item)).join(""));
}

function written({ depth, text, trailing, isSpaced }: Item): string {
  const own = folded("  ".repeat(depth) + text);
  return `${isSpaced ? "\n" : ""}${own}${trailing === undefined ? "" : `  ${trailing}`}\n`;
}

/** Knows where the lines of a text begin. */
class Source {
  readonly text: string;
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.text = text;
    const breaks = text.matchAll(/\r\n|\n|\r/g);
    this.#starts = [0, ...Array.from(breaks, ({ index, 0: { length } }) => index + length)];
  }

  /** Counts the lines before the one that holds a place of the text. */
  rowOf(offset: number): number {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (at(this.#starts, middle) <= offset) low = middle;
      else high = middle;
    }
    return low;
  }

  columnOf(offset: number): number {
    return offset - at(this.#starts, this.rowOf(offset));
  }

  /** Tells whether a line of blanks stands before the one that holds a place of the text. */
  isSpaced(offset: number): boolean {
    const row = this.rowOf(offset);
    if (row === 0) return false;
    return this.text.slice(at(this.#starts, row - 1), at(this.#starts, row)).trim() === "";
  }
}

/** Lists the lines of a tree from first to last, with their places. */
function rowsOf(lines: readonly Line[], places: readonly Place[], source: Source): readonly Row[] {
  const rows: Row[] = [];
  const visit = (line: Line, depth: number): void => {
    const place = at(places, rows.length);
    rows.push({ line, depth, place, column: source.columnOf(place.start) });
    if ("body" in line) for (const inner of line.body) visit(inner, depth + 1);
  };
  for (const line of lines) visit(line, 0);
  return rows;
}

/** Puts comments between and behind lines. */
class Layout {
  readonly #source: Source;
  readonly #rows: readonly Row[];
  readonly #comments: readonly Place[];
  readonly #items: Item[] = [];
  /** The columns of the line that was written last, and of those around it, from the outermost. */
  #columns: number[] = [];
  #next = 0;

  constructor(source: Source, rows: readonly Row[], comments: readonly Place[]) {
    this.#source = source;
    this.#rows = rows;
    this.#comments = comments;
  }

  items(): readonly Item[] {
    for (const row of this.#rows) this.#add(row);
    while (this.#next < this.#comments.length) this.#addBetween(0);
    return this.#items;
  }

  #add({ line, depth, place, column }: Row): void {
    while (this.#isBefore(place.start)) this.#addBetween(depth);
    let isSpaced = this.#source.isSpaced(place.start);
    // A comment within a line goes before it.
    while (this.#isBefore(place.end)) {
      this.#addComment(depth, isSpaced);
      isSpaced = false;
    }
    const text = printedLine(line, "  ".repeat(depth), this.#source.text);
    const isHeader = line.kind === "header" && depth === 0;
    const item: Item = { depth, isComment: false, isHeader, text, isSpaced };
    const behind = this.#comments[this.#next];
    if (behind !== undefined && !/[\r\n]/.test(this.#source.text.slice(place.end, behind.start))) {
      item.trailing = this.#commentText(behind);
      this.#next += 1;
    }
    this.#items.push(item);
    this.#columns = [...this.#columns.slice(0, depth), column];
  }

  #isBefore(offset: number): boolean {
    return (this.#comments[this.#next]?.start ?? Number.POSITIVE_INFINITY) < offset;
  }

  /** Adds a comment between two lines, in the innermost block that it is indented for. */
  #addBetween(least: number): void {
    const { start } = at(this.#comments, this.#next);
    const own = this.#source.columnOf(start);
    let depth = least;
    for (let level = least + 1; level < this.#columns.length; level++)
      if (at(this.#columns, level) <= own) depth = level;
    this.#addComment(depth, this.#source.isSpaced(start));
  }

  #addComment(depth: number, isSpaced: boolean): void {
    const text = this.#commentText(at(this.#comments, this.#next));
    this.#items.push({ depth, isComment: true, isHeader: false, text, isSpaced });
    this.#next += 1;
  }

  #commentText({ start, end }: Place): string {
    return this.#source.text.slice(start, end).trimEnd();
  }
}

/** Puts blank lines before documents, with the comments right before them, and takes them away where bodies begin. */
function spaced(items: readonly Item[]): readonly Item[] {
  for (const [i, item] of items.entries()) {
    const before = items[i - 1];
    if (before === undefined || item.depth > before.depth) item.isSpaced = false;
    if (!item.isHeader) continue;
    let first = i;
    while (items[first]?.isSpaced === false && items[first - 1]?.isComment === true) first -= 1;
    const start = items[first];
    if (start !== undefined && first > 0) start.isSpaced = true;
  }
  return items;
}
