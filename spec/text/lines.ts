import { EOF, type IToken, Lexer, type TokenType } from "chevrotain";
import { nearestName, present, quote } from "../shapes/index.ts";
import { Faults } from "./fault.ts";
import { blockHeads, clauseHeads, headerHeads, LineParser } from "./parser.ts";
import {
  Becomes,
  COMMENTS,
  Colon,
  Comma,
  CurlyClose,
  CurlyOpen,
  Dot,
  Equals,
  Infix,
  Minus,
  Plus,
  RoundClose,
  RoundOpen,
  Slash,
  SquareClose,
  SquareOpen,
  tokens,
  Update,
  Writes,
} from "./tokens.ts";
import type { Line, Place } from "./tree.ts";

/** A text's lines as a tree, with what is wrong; the comments stand apart. */
export interface Tree {
  readonly lines: readonly Line[];
  readonly comments: readonly Place[];
  /** The places of all lines, in the order of the text. */
  readonly places: readonly Place[];
  readonly faults: Faults;
}

/** A line before it is parsed: its tokens, and how far it is indented. */
interface Raw {
  readonly indent: number;
  readonly tokens: IToken[];
  /** Its brackets stand in each other deeper than anybody writes. */
  isTangled: boolean;
}

/** A line break as any system writes it. */
const LINE_BREAK = /\r\n|\n|\r/g;

/** The most blocks, or brackets, in each other. */
const MAXIMUM_DEPTH = 100;

/** The most operators in a line. */
const MAXIMUM_SIGNS = 1000;

/** Behind these a line's first word is a name. */
const binding: ReadonlySet<TokenType> = new Set([Equals, Becomes, Writes, Update, Comma, Dot]);

const infix: ReadonlySet<TokenType> = new Set([Infix, Plus, Minus, Slash]);
const opening: ReadonlySet<TokenType> = new Set([RoundOpen, SquareOpen, CurlyOpen]);
const closing: ReadonlySet<TokenType> = new Set([RoundClose, SquareClose, CurlyClose]);

/** Words that a line may begin with. */
const heads: readonly string[] = [...headerHeads, ...clauseHeads, ...blockHeads, "state", "return"];

/** The lexer and the parser are made when the first text is read. */
let machine: { readonly lexer: Lexer; readonly parser: LineParser } | undefined;

/**
 * Reads a text's lines. A line goes on while a bracket is open and what follows is indented further; lines
 * that are indented further than one above are its body. Cost: linear; 10⁵ lines take some tenths of a
 * second.
 */
export function treeOf(text: string): Tree {
  machine ??= {
    lexer: new Lexer([...tokens], { positionTracking: "onlyOffset" }),
    parser: new LineParser(),
  };
  const { lexer, parser } = machine;
  const lexed = lexer.tokenize(text);
  const faults = new Faults();
  for (const { offset, length } of lexed.errors) {
    if (faults.isFull) break;
    const place = { start: offset, end: offset + length };
    const message = `${quote(text.slice(offset, offset + length))} is no sign of this language.`;
    faults.add("text/character", place, message, "a name with other characters stands in double quotes");
  }
  const raw = rawLines(text, lexed.tokens);
  const lines = blockOf(raw, parser, faults);
  parser.input = [];
  const comments = (lexed.groups[COMMENTS] ?? []).map(({ startOffset, image }) => ({
    start: startOffset,
    end: startOffset + image.length,
  }));
  const places = raw.map(({ tokens: all }) => ({
    start: all[0]?.startOffset ?? 0,
    end: endOf(all.at(-1)),
  }));
  return { lines, comments, places, faults };
}

/** Divides the tokens into lines. */
function rawLines(text: string, all: readonly IToken[]): readonly Raw[] {
  const starts = [0, ...Array.from(text.matchAll(LINE_BREAK), ({ index, 0: { length } }) => index + length)];
  const lines: Raw[] = [];
  let depth = 0;
  let row = -1;
  for (const token of all) {
    const { startOffset, tokenType } = token;
    const before = row;
    while ((starts[row + 1] ?? Number.POSITIVE_INFINITY) <= startOffset) row += 1;
    const indent = startOffset - (starts[row] ?? 0);
    const line = lines.at(-1);
    // A bracket that is never closed must not swallow the rest of the text.
    const goesOn = depth > 0 && (indent > (line?.indent ?? 0) || closing.has(tokenType));
    if (line === undefined || (row > before && !goesOn)) {
      lines.push({ indent, tokens: [token], isTangled: false });
      depth = 0;
    } else line.tokens.push(token);
    if (opening.has(tokenType)) depth += 1;
    if (closing.has(tokenType)) depth = Math.max(0, depth - 1);
    const last = lines.at(-1);
    if (last !== undefined && depth > MAXIMUM_DEPTH) last.isTangled = true;
  }
  return lines;
}

/** A level of indentation that is open: what is indented further than its line goes to its body. */
interface Level {
  readonly indent: number;
  readonly body: Line[];
  /** The body's own indentation, once it has a line. */
  inner?: number;
}

/** Parses lines, and puts those that are indented further below those that they follow. */
function blockOf(raw: readonly Raw[], parser: LineParser, faults: Faults): readonly Line[] {
  const top: Line[] = [];
  const open: Level[] = [{ indent: -1, body: top }];
  for (const line of raw) {
    if (faults.isFull) break;
    while ((open.at(-1)?.indent ?? -1) >= line.indent) open.pop();
    const around = present(open.at(-1), "the level of the whole text");
    around.inner ??= line.indent;
    if (around.inner !== line.indent) addUneven(line, around.inner, faults);
    if (open.length > MAXIMUM_DEPTH || line.isTangled || hasTooManySigns(line)) {
      addTooDeep(line, faults);
      continue;
    }
    const parsed = lineOf(line, parser, faults);
    if (parsed !== undefined) around.body.push(parsed);
    // What stands below a line that was not understood is read all the same, for its own mistakes.
    open.push({ indent: line.indent, body: parsed !== undefined && "body" in parsed ? parsed.body : [] });
    if (parsed !== undefined && !("body" in parsed)) open.pop();
  }
  return top;
}

/** Tells whether a line that is no clause, and so no list of numbers, has more operators than can be read. */
function hasTooManySigns({ tokens: all }: Raw): boolean {
  if (all.length <= MAXIMUM_SIGNS || clauseHeads.has(all[0]?.image ?? "")) return false;
  return all.filter(({ tokenType }) => infix.has(tokenType)).length > MAXIMUM_SIGNS;
}

/** Parses one line. */
function lineOf({ tokens: all }: Raw, parser: LineParser, faults: Faults): Line | undefined {
  parser.input = all;
  const line = parse(all, parser);
  const [error] = parser.errors;
  if (error === undefined) return line;
  const { startOffset, image, tokenType } = error.token;
  const isEnd = tokenType === EOF;
  const start = isEnd ? endOf(all.at(-1)) : startOffset;
  const place = { start, end: start + (isEnd ? 0 : image.length) };
  faults.add("text/syntax", place, `${error.message}.`, hintFor(all, error.token));
  return undefined;
}

/** Parses a line by its first words: a word that is followed by `=` is a name, whatever it is elsewhere. */
function parse([first, second, third]: readonly IToken[], parser: LineParser): Line {
  const word = first?.image ?? "";
  const isShaped = second?.tokenType === Colon && third?.tokenType === SquareOpen;
  if (second !== undefined && (isShaped || binding.has(second.tokenType))) return parser.statement();
  if (headerHeads.has(word)) return parser.header();
  if (blockHeads.has(word)) return parser.block();
  if (word === "state") return parser.state();
  if (word === "return") return parser.returned();
  return clauseHeads.has(word) ? parser.clause() : parser.statement();
}

function hintFor(all: readonly IToken[], found: IToken): string {
  const depth = all.reduce(
    (open, { tokenType }) => open + (opening.has(tokenType) ? 1 : 0) - (closing.has(tokenType) ? 1 : 0),
    0,
  );
  if (depth > 0) return "close the bracket; a line that goes on is indented further than it began";
  const near = found === all[1] ? nearestName(all[0]?.image ?? "", heads) : undefined;
  if (near !== undefined) return `did you mean "${near}"?`;
  if (found.tokenType === Colon)
    return "a colon stands before a shape, and at the end of a block's first line";
  if (found.tokenType === Equals)
    return "= binds a name; <- writes what a location holds, and := changes what a name stands for";
  return "docs/text.md has the grammar on one page";
}

function addUneven({ tokens: [first] }: Raw, inner: number, faults: Faults): void {
  const place = { start: first?.startOffset ?? 0, end: endOf(first) };
  const message = "the line is not indented as the lines before it in the same block.";
  faults.add("text/indentation", place, message, `indent it by ${inner} characters`);
}

function addTooDeep({ tokens: [first] }: Raw, faults: Faults): void {
  const place = { start: first?.startOffset ?? 0, end: endOf(first) };
  const message = `the line has more than ${MAXIMUM_DEPTH} brackets or blocks in each other, or too many signs.`;
  faults.add("text/nesting", place, message, "give parts of it names of their own");
}

function endOf(token: IToken | undefined): number {
  return token === undefined ? 0 : token.startOffset + token.image.length;
}
