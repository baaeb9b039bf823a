import { EOF, type ILexingResult, type IToken, Lexer, type TokenType } from "chevrotain";
import { nearestName, present, quote } from "../shapes/index.ts";
import { endOf, placeOf } from "./data_parser.ts";
import { Faults, startsOf } from "./fault.ts";
import { blockHeads, clauseHeads, headerHeads, heads, LineParser } from "./line_parser.ts";
import { COMMENTS, t, tokens } from "./tokens.ts";
import type { Line, Place } from "./tree.ts";

/** A text's lines as a tree, with what is wrong; the comments stand apart. */
export interface Tree {
  readonly lines: readonly Line[];
  readonly comments: readonly Place[];
  /** All lines, in the order of the text. */
  readonly rows: readonly Row[];
  readonly faults: Faults;
}

/** A line before it is parsed: where it stands, and how far it is indented. */
interface Row extends Place {
  readonly indent: number;
}

/** The most blocks, or brackets, in each other. */
const MAXIMUM_DEPTH = 100;

/** The most operators in a line. */
const MAXIMUM_SIGNS = 1000;

/** Behind these a line's first word is a name. */
const binding: ReadonlySet<TokenType> = new Set([t[":="], t["<-"], t.update, t[","], t["."]]);

const infix: ReadonlySet<TokenType> = new Set([t.operator, t["+"], t["-"], t["/"]]);
const opening: ReadonlySet<TokenType> = new Set([t["("], t["["], t["{"]]);
const closing: ReadonlySet<TokenType> = new Set([t[")"], t["]"], t["}"]]);

/** The lexer and the parser are made when the first text is read. */
let machine: { readonly lexer: Lexer; readonly parser: LineParser } | undefined;

/**
 * Reads a text's lines. A line goes on while a bracket is open and what follows is indented further; lines
 * that are indented further than one above are its body. Cost: linear; 10⁵ lines take some tenths of a
 * second.
 */
export function treeOf(text: string): Tree {
  machine ??= {
    // Tests check the grammar, and nobody waits for that again.
    lexer: new Lexer([...tokens], { positionTracking: "onlyOffset", skipValidations: true }),
    parser: new LineParser(),
  };
  const growing = new GrowingTree(machine.parser);
  const starts = startsOf(text);
  for (const [i, start] of starts.entries()) {
    if (growing.faults.isFull) break;
    growing.addRow(machine.lexer.tokenize(text.slice(start, starts[i + 1])), start, text);
  }
  growing.endLine();
  machine.parser.input = [];
  return growing;
}

/** A level of indentation that is open: what is indented further than its line goes to its body. */
interface Level {
  readonly indent: number;
  readonly body: Line[];
  /** The body's own indentation, once it has a line. */
  inner?: number;
}

/** Reads a text row by row, so that no more tokens are held than those of a line. */
class GrowingTree implements Tree {
  readonly lines: Line[] = [];
  readonly comments: Place[] = [];
  readonly rows: Row[] = [];
  readonly faults: Faults = new Faults();
  readonly #parser: LineParser;
  readonly #open: Level[] = [{ indent: -1, body: this.lines }];
  /** The line that may go on: its tokens, how far it is indented, and the brackets that are open. */
  #tokens: IToken[] = [];
  #indent = 0;
  #depth = 0;
  /** Its brackets stand in each other deeper than anybody writes. */
  #isTangled = false;

  constructor(parser: LineParser) {
    this.#parser = parser;
  }

  /** Adds a row, whose tokens count from its start. */
  addRow({ tokens: all, groups, errors }: ILexingResult, start: number, text: string): void {
    for (const { offset, length } of errors) {
      const place = { start: start + offset, end: start + offset + length };
      const message = `${quote(text.slice(place.start, place.end))} is no sign of this language.`;
      const hint = "a name with other characters stands in double quotes";
      this.faults.add("text/character", place, message, hint);
    }
    for (const { startOffset, image } of groups[COMMENTS] ?? [])
      this.comments.push({ start: start + startOffset, end: start + startOffset + image.length });
    const [first] = all;
    if (first === undefined) return;
    // A bracket that is never closed must not swallow the rest of the text.
    const goesOn = this.#depth > 0 && (first.startOffset > this.#indent || closing.has(first.tokenType));
    if (!goesOn) {
      this.endLine();
      [this.#indent, this.#depth, this.#isTangled] = [first.startOffset, 0, false];
    }
    for (const token of all) {
      token.startOffset += start;
      if (opening.has(token.tokenType)) this.#depth += 1;
      else if (closing.has(token.tokenType)) this.#depth = Math.max(0, this.#depth - 1);
      this.#isTangled ||= this.#depth > MAXIMUM_DEPTH;
      this.#tokens.push(token);
    }
  }

  /** Parses a line, and puts it below the one that it follows, if it is indented further. */
  endLine(): void {
    const [all, indent] = [this.#tokens, this.#indent];
    const [first] = all;
    if (first === undefined || this.faults.isFull) return;
    this.#tokens = [];
    this.rows.push({ indent, start: first.startOffset, end: endOf(all.at(-1)) });
    while ((this.#open.at(-1)?.indent ?? -1) >= indent) this.#open.pop();
    const around = present(this.#open.at(-1), "the level of the whole text");
    around.inner ??= indent;
    if (around.inner !== indent) {
      const message = "the line is not indented as the lines before it in the same block.";
      this.faults.add("text/indentation", placeOf(first), message, `indent it by ${around.inner} characters`);
    }
    if (this.#open.length > MAXIMUM_DEPTH || this.#isTangled || hasTooManySigns(all)) {
      const message = `the line has more than ${MAXIMUM_DEPTH} brackets or blocks in each other, or too many signs.`;
      this.faults.add("text/nesting", placeOf(first), message, "give parts of it names of their own");
      return;
    }
    const parsed = lineOf(all, this.#depth > 0, this.#parser, this.faults);
    if (parsed !== undefined) around.body.push(parsed);
    // What stands below a line that was not understood is read all the same, for its own mistakes.
    if (parsed === undefined) this.#open.push({ indent, body: [] });
    else if ("body" in parsed) this.#open.push({ indent, body: parsed.body });
  }
}

/** Tells whether a line that is no clause, and so no list of numbers, has more operators than can be read. */
function hasTooManySigns(all: readonly IToken[]): boolean {
  if (all.length <= MAXIMUM_SIGNS || clauseHeads.has(all[0]?.image ?? "")) return false;
  return all.filter(({ tokenType }) => infix.has(tokenType)).length > MAXIMUM_SIGNS;
}

/** Parses one line. */
function lineOf(all: IToken[], isOpen: boolean, parser: LineParser, faults: Faults): Line | undefined {
  parser.input = all;
  const line = parse(all, parser);
  const [error] = parser.errors;
  if (error === undefined) return line;
  const { startOffset, image, tokenType } = error.token;
  const isEnd = tokenType === EOF;
  const start = isEnd ? endOf(all.at(-1)) : startOffset;
  const place = { start, end: start + (isEnd ? 0 : image.length) };
  faults.add("text/syntax", place, `${error.message}.`, hintFor(all, error.token, isOpen));
  return undefined;
}

/** Parses a line by its first words: a word that is followed by `=` is a name, whatever it is elsewhere. */
function parse([first, second, third]: readonly IToken[], parser: LineParser): Line {
  const word = first?.image ?? "";
  const isShaped = second?.tokenType === t[":"] && third?.tokenType === t["["];
  if (second?.tokenType === t["="]) return parser.bound();
  if (second !== undefined && (isShaped || binding.has(second.tokenType))) return parser.statement();
  if (headerHeads.has(word)) return parser.header();
  if (blockHeads.has(word)) return parser.block();
  if (word === "state") return parser.state();
  if (word === "return") return parser.returned();
  return clauseHeads.has(word) ? parser.clause() : parser.statement();
}

function hintFor(all: readonly IToken[], found: IToken, isOpen: boolean): string {
  if (isOpen) return "close the bracket; a line that goes on is indented further than it began";
  const near = found === all[1] ? nearestName(all[0]?.image ?? "", [...heads]) : undefined;
  if (near !== undefined) return `did you mean "${near}"?`;
  if (found.tokenType === t[":"])
    return "a colon stands before a shape, and at the end of a block's first line";
  if (found.tokenType === t["="])
    return "= binds a name; <- writes what a location holds, and := changes what a name stands for";
  return "docs/text.md has the grammar on one page";
}
