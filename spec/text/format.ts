import { at, fail, ok, type Result } from "../shapes/index.ts";
import type { TextFault } from "./fault.ts";
import { type Tree, treeOf } from "./lines.ts";
import { printedLine } from "./print.ts";
import type { Line } from "./tree.ts";
import { folded } from "./words.ts";

/** A line or a comment of the text that is written. */
interface Item {
  readonly depth: number;
  readonly isComment?: true;
  /** A document begins here. */
  readonly isHeader?: boolean;
  /** A comment that stands behind it. */
  trailing?: string;
  readonly text: string;
  isSpaced: boolean;
}

/**
 * Makes the layout of a text uniform: an indent of two for each level, blanks around signs, a blank line
 * between documents, long lines folded. Comments and names stay. Laws: the same tree is read from it, but for
 * brackets that change nothing; formatting it again changes nothing. Cost: linear. Fails, with the text as it
 * was: `text/…` where a line is not understood.
 */
export function formatText(text: string): Result<string, readonly TextFault[]> {
  const tree = treeOf(text);
  const { all } = tree.faults;
  if (all.length > 0) return fail(all.toSorted((a, b) => a.place.start - b.place.start));
  return ok(spaced(new Layout(text, tree).items()).map(written).join(""));
}

function written({ depth, text, trailing, isSpaced }: Item): string {
  const own = folded("  ".repeat(depth) + text);
  return `${isSpaced ? "\n" : ""}${own}${trailing === undefined ? "" : `  ${trailing}`}\n`;
}

/** Counts the characters before a place in its line. */
function columnOf(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && text[start - 1] !== "\n" && text[start - 1] !== "\r") start -= 1;
  return offset - start;
}

/** Tells whether a line of blanks stands before the one that holds a place of the text. */
function isBehindBlank(text: string, offset: number): boolean {
  const start = offset - columnOf(text, offset);
  const end = start - (text.startsWith("\r\n", start - 2) ? 2 : 1);
  return start > 0 && text.slice(end - columnOf(text, end), end).trim() === "";
}

/** Puts comments between and behind lines. */
class Layout {
  readonly #text: string;
  readonly #tree: Tree;
  readonly #items: Item[] = [];
  /** The columns of the line that was written last, and of those around it, from the outermost. */
  readonly #columns: number[] = [];
  #nextRow = 0;
  #next = 0;

  constructor(text: string, tree: Tree) {
    this.#text = text;
    this.#tree = tree;
  }

  items(): readonly Item[] {
    for (const line of this.#tree.lines) this.#add(line, 0);
    while (this.#next < this.#tree.comments.length) this.#addBetween(0);
    return this.#items;
  }

  #add(line: Line, depth: number): void {
    const { start, end, indent } = at(this.#tree.rows, this.#nextRow);
    this.#nextRow += 1;
    while (this.#isBefore(start)) this.#addBetween(depth);
    let isSpaced = isBehindBlank(this.#text, start);
    // A comment within a line goes before it.
    while (this.#isBefore(end)) {
      this.#addComment(depth, isSpaced);
      isSpaced = false;
    }
    const text = printedLine(line, "  ".repeat(depth), this.#text);
    const item: Item = { depth, isHeader: line.kind === "header" && depth === 0, text, isSpaced };
    const behind = this.#tree.comments[this.#next];
    if (behind !== undefined && !/[\r\n]/.test(this.#text.slice(end, behind.start)))
      item.trailing = this.#takeComment();
    this.#items.push(item);
    this.#columns.splice(depth, Number.POSITIVE_INFINITY, indent);
    if ("body" in line) for (const inner of line.body) this.#add(inner, depth + 1);
  }

  #isBefore(offset: number): boolean {
    return (this.#tree.comments[this.#next]?.start ?? Number.POSITIVE_INFINITY) < offset;
  }

  /** Adds a comment between two lines, in the innermost block that it is indented for. */
  #addBetween(least: number): void {
    const { start } = at(this.#tree.comments, this.#next);
    const own = columnOf(this.#text, start);
    const depth = this.#columns.findLastIndex((column, level) => level > least && column <= own);
    this.#addComment(Math.max(least, depth), isBehindBlank(this.#text, start));
  }

  #addComment(depth: number, isSpaced: boolean): void {
    const text = this.#takeComment();
    this.#items.push({ depth, isComment: true, text, isSpaced });
  }

  #takeComment(): string {
    const { start, end } = at(this.#tree.comments, this.#next);
    this.#next += 1;
    return this.#text.slice(start, end).trimEnd();
  }
}

/**
 * Puts blank lines before documents, with the comments right before them, and takes them away where bodies
 * begin.
 */
function spaced(items: readonly Item[]): readonly Item[] {
  for (const [i, item] of items.entries()) {
    const before = items[i - 1];
    if (before === undefined || item.depth > before.depth) item.isSpaced = false;
    if (item.isHeader !== true) continue;
    let first = i;
    while (items[first]?.isSpaced === false && items[first - 1]?.isComment === true) first -= 1;
    const start = items[first];
    if (start !== undefined && first > 0) start.isSpaced = true;
  }
  return items;
}
