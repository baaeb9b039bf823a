import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Lexer } from "chevrotain";
import { describe, expect, test } from "vitest";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";
import { blockHeads, clauseHeads, headerHeads } from "./line_parser.ts";
import { stepWords } from "./tape_steps.ts";
import { COMMENTS, t, tokens } from "./tokens.ts";

const folder = new URL("../../conformance/suites/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".adj"));
const grammarPath = new URL("adj.tmLanguage.json", import.meta.url);
const lexer = new Lexer([...tokens]);

const wasm = readFileSync(createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm"));
await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));

/** Loads a grammar as editors do. */
async function grammarOf(text: string): Promise<textmate.IGrammar> {
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (line) => new oniguruma.OnigString(line),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(text, "adj.tmLanguage.json"),
  });
  return (await registry.loadGrammar("source.adj")) ?? expect.unreachable("there is a grammar");
}

/** Lists the words of a text that an editor colours otherwise than the reader understands them. */
function miscoloured(grammar: textmate.IGrammar, text: string): string[] {
  const lines = text.split("\n").map((line) => grammar.tokenizeLine(line, null).tokens);
  const scopeAt = (row = 1, column = 1): string =>
    lines[row - 1]
      ?.find(({ startIndex, endIndex }) => startIndex < column && column <= endIndex)
      ?.scopes.join(" ") ?? "";
  const lexed = lexer.tokenize(text);
  const scopes = new Map([
    [t.text, "string.quoted"],
    [t.numeral, "constant.numeric"],
  ]);
  const due = [
    ...lexed.tokens.map((token) => ({ ...token, scope: scopes.get(token.tokenType) })),
    ...(lexed.groups[COMMENTS] ?? []).map((token) => ({ ...token, scope: "comment.line" })),
  ].filter(({ scope }) => scope !== undefined);
  expect(due.length).toBeGreaterThan(20);
  return due.flatMap(({ image, startLine, startColumn, scope = "" }) =>
    scopeAt(startLine, startColumn).includes(scope) ? [] : [`${startLine}: ${image}`],
  );
}

/** Lists the words of lines and steps that an editor does not colour as keywords. */
function colourless(grammar: textmate.IGrammar): string[] {
  const scopeOf = (line: string, word: string): string => {
    const at = line.lastIndexOf(word);
    const { tokens: all } = grammar.tokenizeLine(line, null);
    return all.findLast(({ startIndex }) => startIndex <= at)?.scopes.at(-1) ?? "";
  };
  const heads = [...headerHeads, ...clauseHeads, ...blockHeads, "state", "return"];
  return [
    ...heads.filter((word) => !/^keyword\.(declaration|control)/.test(scopeOf(word, word))),
    ...stepWords.filter((word) => !scopeOf(`record t of g ${word}`, word).startsWith("keyword.other")),
  ];
}

describe("the grammar for editors", () => {
  const source = readFileSync(grammarPath, "utf8");

  test.each(files)("colours texts, numbers and comments of %s as they are read", async (file) => {
    expect(miscoloured(await grammarOf(source), readFileSync(new URL(file, folder), "utf8"))).toEqual([]);
  });

  test("would be seen to miss the numbers", async () => {
    const without = await grammarOf(source.replace('{ "include": "#number" },', ""));
    expect(miscoloured(without, readFileSync(new URL("structures.adj", folder), "utf8"))).not.toEqual([]);
  });

  test("colours every word that begins a line, and the words of steps", async () => {
    expect(colourless(await grammarOf(source))).toEqual([]);
  });

  test("would be seen to miss a clause and the words of steps", async () => {
    const without = source.replace("|choice|", "|").replace('"#step"', '"#clause"').replace("|may", "");
    expect(colourless(await grammarOf(without))).toEqual([
      "choice",
      ...stepWords.filter((word) => word !== "at"),
    ]);
  });

  test("tells a clause from a value of the same name", async () => {
    const grammar = await grammarOf(source);
    const first = (line: string): string => grammar.tokenizeLine(line, null).tokens[0]?.scopes.at(-1) ?? "";
    expect(first("at x = 3")).toBe("keyword.control.adj");
    expect(first("at = x * 3")).not.toBe("keyword.control.adj");
    expect(first("graph f(x)")).toBe("keyword.declaration.adj");
  });
});
