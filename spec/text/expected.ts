import type { IParserErrorMessageProvider, IToken, TokenType } from "chevrotain";
import { quote } from "../shapes/index.ts";
import { t } from "./tokens.ts";

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
  const kinds = types.flatMap((type) => (type === t.word ? [t.name, t.text] : type));
  const names = [...new Set(kinds.map(nameOf))];
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
