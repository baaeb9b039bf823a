import { InvariantError } from "../../../spec/shapes/index.ts";

/** A word of a program's text; of a template the texts between its expressions, and those. */
export type Token =
  | { readonly kind: "name" | "mark" | "end"; readonly text: string }
  | { readonly kind: "literal"; readonly text: string; readonly value: number | bigint | string }
  | {
      readonly kind: "template";
      readonly text: string;
      readonly texts: readonly string[];
      readonly sources: readonly string[];
    };

const SPACE = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const NAME = /#?[A-Za-z_$][\w$]*/y;
const NUMBER = /0[xb][0-9a-f_]+n?|(?:\d[\d_]*)(?:\.\d+)?(?:e[+-]?\d+)?n?/iy;
const STRING = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y;
/** Longer marks come first. A regular expression is none, and functions that have one are not read. */
const MARK =
  /\?\?=|\*\*=|<<=|>>=|>>>|\.\.\.|===|!==|=>|\?\?|\?\.|\*\*|<<|>>|<=|>=|&&|\|\||\+\+|--|\+=|-=|\*=|\|=|&=|\^=|[{}()[\];,<>+\-*/%&|^!~?:=.@]/y;

/**
 * Cuts a text into words. Where JavaScript shifts by `>>>=` or `>>=`, `=` is part of the mark. Throws
 * {@link InvariantError} for what is no word here.
 */
export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = matched(SPACE, source, 0)?.length ?? 0;
  while (at < source.length) {
    const token = tokenAt(source, at);
    tokens.push(token);
    at += token.text.length;
    at += matched(SPACE, source, at)?.length ?? 0;
  }
  return tokens;
}

function matched(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

function tokenAt(source: string, at: number): Token {
  const name = matched(NAME, source, at);
  if (name !== undefined) return { kind: "name", text: name };
  const number = matched(NUMBER, source, at);
  if (number !== undefined) return { kind: "literal", text: number, value: numberOf(number) };
  const string = matched(STRING, source, at);
  if (string !== undefined) return { kind: "literal", text: string, value: unescaped(string.slice(1, -1)) };
  if (source[at] === "`") return templateAt(source, at);
  const wide = source.startsWith(">>>=", at) ? ">>>=" : matched(MARK, source, at);
  if (wide === undefined) throw new InvariantError(`no word of a program: ${source.slice(at, at + 40)}`);
  return { kind: "mark", text: wide };
}

function numberOf(text: string): number | bigint {
  const digits = text.replaceAll("_", "");
  return digits.endsWith("n") ? BigInt(digits.slice(0, -1)) : Number(digits);
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, letter: string) => (letter === "n" ? "\n" : letter));
}

/** Reads a template, with braces in pairs inside of its expressions. */
function templateAt(source: string, start: number): Token {
  const texts: string[] = [];
  const sources: string[] = [];
  let from = start + 1;
  for (let at = from; at < source.length; at++) {
    if (source[at] === "\\") at += 1;
    else if (source[at] === "`") {
      texts.push(unescaped(source.slice(from, at)));
      return { kind: "template", text: source.slice(start, at + 1), texts, sources };
    } else if (source.startsWith("${", at)) {
      texts.push(unescaped(source.slice(from, at)));
      const end = braceAfter(source, at + 2);
      sources.push(source.slice(at + 2, end));
      from = end + 1;
      at = end;
    }
  }
  throw new InvariantError(`a template does not end: ${source.slice(start, start + 40)}`);
}

function braceAfter(source: string, start: number): number {
  for (let [at, depth] = [start, 0]; at < source.length; at++) {
    if (source[at] === "{") depth += 1;
    else if (source[at] === "}") {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  throw new InvariantError(`braces do not end: ${source.slice(start, start + 40)}`);
}
