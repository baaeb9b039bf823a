import { createToken, type ITokenConfig, Lexer, type TokenType } from "chevrotain";

/** A comment goes to the end of its line, and is kept apart from what is parsed. */
export const COMMENTS = "comments";

/** Makes a kind of token. Keywords are none: a line's first word decides what the line is. */
function token(name: string, pattern: RegExp | string, more: Partial<ITokenConfig> = {}): TokenType {
  return createToken({ name, pattern, ...more });
}

/**
 * A word that names something: of ASCII letters alone, which the lexer finds by their first character, or of
 * any letters, such as `λ`.
 */
export const Name: TokenType = token("name", /[A-Za-z_][A-Za-z0-9_]*(?![A-Za-z0-9_\u0080-\uFFFF])/);
const UnicodeName = createToken({
  name: "letters",
  // The lexer would drop the flag without which a pattern knows no letters.
  pattern: (text, offset) => {
    letters.lastIndex = offset;
    const [word] = letters.exec(text) ?? [];
    return word === undefined ? null : [word];
  },
  line_breaks: false,
  categories: [Name],
  // The lexer looks tokens up by their first character, by itself below 256 and by its 256 neighbours above.
  start_chars_hint: [
    ..."_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    ...Array.from({ length: 128 }, (_, i) => String.fromCharCode(128 + i)),
    ...Array.from({ length: 255 }, (_, i) => String.fromCharCode(256 * (i + 1))),
  ],
});

const letters = /[\p{L}_][\p{L}\p{M}\p{N}_]*/uy;

/** The words that stand between parts of a line; a value may have such a name all the same. */
const keyword = (word: string): TokenType =>
  token(word, new RegExp(word), { longer_alt: [Name, UnicodeName], categories: [Name] });

export const In: TokenType = keyword("in");
export const Index: TokenType = keyword("index");
export const Given: TokenType = keyword("given");
export const Of: TokenType = keyword("of");
export const By: TokenType = keyword("by");
export const At: TokenType = keyword("at");
export const Along: TokenType = keyword("along");
export const Call: TokenType = keyword("call");
export const Most: TokenType = keyword("most");

/** A value by its id, such as `%3`; in programs a name that somebody's tool made up. */
const Numbered = token("id", /%[A-Za-z0-9_]+/, { categories: [Name] });

/** A name with any characters, or a text, as JSON writes strings. */
export const Quoted: TokenType = token("text", /"(?:[^"\\\n\r]|\\.)*"/);

/** A number without its sign: decimal, or hexadecimal as C writes it. */
export const Numeral: TokenType = token(
  "numeral",
  /0[xX][0-9a-fA-F]+(?:\.[0-9a-fA-F]+)?(?:[pP][+-]?[0-9]+)?|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/,
);

export const Comma: TokenType = token(",", ",");
export const Colon: TokenType = token(":", ":");
export const Semicolon: TokenType = token(";", ";");
export const Ampersand: TokenType = token("&", "&");
export const Question: TokenType = token("?", "?");
export const Bar: TokenType = token("|", "|");
export const Span: TokenType = token("..", "..");
export const Dot: TokenType = token(".", ".");
export const Arrow: TokenType = token("=>", "=>");
export const RoundOpen: TokenType = token("(", "(");
export const RoundClose: TokenType = token(")", ")");
export const SquareOpen: TokenType = token("[", "[");
export const SquareClose: TokenType = token("]", "]");
export const CurlyOpen: TokenType = token("{", "{");
export const CurlyClose: TokenType = token("}", "}");
export const Equals: TokenType = token("=", "=");
export const Becomes: TokenType = token(":=", ":=");
export const Writes: TokenType = token("<-", "<-");
/** An operator applied in place to a location. */
export const Update: TokenType = token("update", /[+\-*/]=|(?:max|min)=(?!=)/, {
  start_chars_hint: ["+", "-", "*", "/", "m"],
});
/** An infix operator of two operands, except the signs that may stand before a number. */
export const Infix: TokenType = token("operator", /\*\*|<=|>=|==|!=|[*@<>]/);
export const Plus: TokenType = token("+", "+", { categories: [Infix] });
export const Minus: TokenType = token("-", "-", { categories: [Infix] });
export const Slash: TokenType = token("/", "/", { categories: [Infix] });

/** A sign that stands in units alone. */
export const UnitSign: TokenType = token("unit sign", /[·⋅^°⁰¹²³⁴-⁹⁻]/, {
  start_chars_hint: [..."·⋅^°⁰¹²³⁴⁵⁶⁷⁸⁹⁻"],
});

/** Blanks, and the mark of byte order that some editors begin a file with. */
const Blank = token("blank", /[ \t\uFEFF]+/, { group: Lexer.SKIPPED });
const LineBreak = token("line break", /\r\n|\n|\r/, { group: Lexer.SKIPPED, line_breaks: true });
const Comment = token("comment", /#[^\n\r]*/, { group: COMMENTS });

/** Lists the tokens in the order in which they are tried. */
export const tokens: readonly TokenType[] = [
  Blank,
  LineBreak,
  Comment,
  Update,
  Index,
  In,
  Given,
  Of,
  By,
  At,
  Along,
  Call,
  Most,
  Name,
  Numbered,
  Quoted,
  Numeral,
  Comma,
  Becomes,
  Colon,
  Semicolon,
  Ampersand,
  Question,
  Bar,
  Span,
  Dot,
  Arrow,
  RoundOpen,
  RoundClose,
  SquareOpen,
  SquareClose,
  CurlyOpen,
  CurlyClose,
  Writes,
  Infix,
  Equals,
  Plus,
  Minus,
  Slash,
  UnitSign,
  UnicodeName,
];
