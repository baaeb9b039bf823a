import {
  createToken,
  type IParserErrorMessageProvider,
  type IToken,
  type ITokenConfig,
  Lexer,
  type TokenType,
} from "chevrotain";
import { quote } from "../shapes/index.ts";

/** A comment goes to the end of its line, and is kept apart from what is parsed. */
export const COMMENTS = "comments";

/** Makes a kind of token. Keywords are none: a line's first word decides what the line is. */
function token(name: string, pattern: RegExp | string, more: Partial<ITokenConfig> = {}): TokenType {
  return createToken({ name, pattern, ...more });
}

/** A sign that stands for itself. */
function sign(text: string): TokenType {
  return token(text, text);
}

/** A name or a text. */
const word: TokenType = createToken({ name: "word", pattern: Lexer.NA });

/**
 * A word that names something: of ASCII letters alone, which the lexer finds by their first character, or of
 * any letters, such as `λ`.
 */
const name: TokenType = token("name", /[A-Za-z_][A-Za-z0-9_]*(?![A-Za-z0-9_\u0080-\uFFFF])/, {
  categories: [word],
});
const UnicodeName = createToken({
  name: "letters",
  // The lexer would drop the flag without which a pattern knows no letters.
  pattern: (text, offset) => {
    letters.lastIndex = offset;
    const [found] = letters.exec(text) ?? [];
    return found === undefined ? null : [found];
  },
  line_breaks: false,
  categories: [name],
  // The lexer looks tokens up by their first character, by itself below 256 and by its 256 neighbours above.
  start_chars_hint: [
    ..."_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    ...Array.from({ length: 128 }, (_, i) => String.fromCharCode(128 + i)),
    ...Array.from({ length: 255 }, (_, i) => String.fromCharCode(256 * (i + 1))),
  ],
});

const letters = /[\p{L}_][\p{L}\p{M}\p{N}_]*/uy;

/** A word that stands between parts of a line; a value may have such a name all the same. */
function keyword(text: string): TokenType {
  return token(text, new RegExp(text), { longer_alt: [name, UnicodeName], categories: [name] });
}

/** An infix operator of two operands, except the signs that may stand before a number. */
const operator: TokenType = token("operator", /\*\*|<=|>=|==|!=|[*@<>]/);

/** A value by its id, such as `%3`; in programs a name that somebody's tool made up. */
const Numbered = token("id", /%[A-Za-z0-9_]+/, { categories: [name] });

/** Blanks, and the mark of byte order that some editors begin a file with. */
const Blank = token("blank", /[ \t\uFEFF]+/, { group: Lexer.SKIPPED });
const LineBreak = token("line break", /\r\n|\n|\r/, { group: Lexer.SKIPPED, line_breaks: true });
const Comment = token("comment", /#[^\n\r]*/, { group: COMMENTS });

/** Names of the kinds of token that are parsed; signs and keywords are called as they are written. */
type Kind =
  | ("word" | "name" | "text" | "numeral" | "update" | "operator" | "unit")
  | ("in" | "index" | "given" | "of" | "by" | "at" | "along" | "call" | "most")
  | ("," | ":=" | ":" | ";" | "&" | "?" | "|" | ".." | "." | "=>" | "(" | ")" | "[" | "]" | "{" | "}")
  | ("<-" | "=" | "+" | "-" | "/");

/** Holds the kinds of token that are parsed, in the order in which they are tried. */
export const t: Readonly<Record<Kind, TokenType>> = {
  word,
  /** An operator applied in place to a location. */
  update: token("update", /[+\-*/]=|(?:max|min)=(?!=)/, { start_chars_hint: ["+", "-", "*", "/", "m"] }),
  index: keyword("index"),
  in: keyword("in"),
  given: keyword("given"),
  of: keyword("of"),
  by: keyword("by"),
  at: keyword("at"),
  along: keyword("along"),
  call: keyword("call"),
  most: keyword("most"),
  name,
  /** A name with any characters, or a text, as JSON writes strings. */
  text: token("text", /"(?:[^"\\\n\r]|\\.)*"/, { categories: [word] }),
  /** A number without its sign: decimal, or hexadecimal as C writes it. */
  numeral: token(
    "numeral",
    /0[xX][0-9a-fA-F]+(?:\.[0-9a-fA-F]+)?(?:[pP][+-]?[0-9]+)?|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/,
  ),
  ",": sign(","),
  ":=": sign(":="),
  ":": sign(":"),
  ";": sign(";"),
  "&": sign("&"),
  "?": sign("?"),
  "|": sign("|"),
  "..": sign(".."),
  ".": sign("."),
  "=>": sign("=>"),
  "(": sign("("),
  ")": sign(")"),
  "[": sign("["),
  "]": sign("]"),
  "{": sign("{"),
  "}": sign("}"),
  "<-": sign("<-"),
  operator,
  "=": sign("="),
  "+": token("+", "+", { categories: [operator] }),
  "-": token("-", "-", { categories: [operator] }),
  "/": token("/", "/", { categories: [operator] }),
  /** A sign that stands in units alone. */
  unit: token("unit sign", /[·⋅^°⁰¹²³⁴-⁹⁻]/, { start_chars_hint: [..."·⋅^°⁰¹²³⁴⁵⁶⁷⁸⁹⁻"] }),
};

/** Lists the tokens in the order in which they are tried. */
export const tokens: readonly TokenType[] = [
  ...[Blank, LineBreak, Comment],
  ...Object.values(t),
  ...[Numbered, UnicodeName],
];

/** Words a parser's complaint as one sentence: what was expected, and what stands there. */
export const expectations: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected, actual }) =>
    `expected ${listOf([expected])}, found ${found(actual)}`,
  buildNotAllInputParsedMessage: ({ firstRedundant }) =>
    `expected an operator or the end of the line, found ${found(firstRedundant)}`,
  buildNoViableAltMessage: ({ expectedPathsPerAlt, actual }) => {
    const first = expectedPathsPerAlt.flatMap((paths) => paths.flatMap(([token]) => token ?? []));
    return `expected ${listOf(first)}, found ${found(actual[0])}`;
  },
  buildEarlyExitMessage: ({ expectedIterationPaths, actual }) =>
    `expected ${listOf(expectedIterationPaths.flatMap(([token]) => token ?? []))}, found ${found(actual[0])}`,
};

function listOf(types: readonly TokenType[]): string {
  const all = types.flatMap((type) => (type === t.word ? [t.name, t.text] : type));
  const names = [...new Set(all.map(nameOf))];
  const last = names.pop() ?? "something else";
  return names.length === 0 ? last : `${names.join(", ")} or ${last}`;
}

const kinds: ReadonlyMap<string, string> = new Map(
  ["a name", "a text", "a numeral", "a unit sign", "an update", "an operator"].map((kind) => [
    kind.replace(/^an? /, ""),
    kind,
  ]),
);

/** Names a kind of token: signs by themselves, kinds of word in words. */
function nameOf({ name }: TokenType): string {
  return kinds.get(name) ?? quote(name);
}

function found(token: IToken | undefined): string {
  return token === undefined || token.image === "" ? "the end of the line" : quote(token.image);
}
