import { assertNever } from "../../../spec/shapes/index.ts";
import type { Term } from "./terms.ts";
import { overReals, type Vocabulary } from "./vocabulary.ts";
import { partsOf, subterms } from "./walk.ts";

/** Terms as SMT-LIB, what they share written once. */
export interface WrittenTerms {
  /** One name for each shared term, in an order in which each uses only earlier ones. */
  readonly shared: readonly { readonly name: string; readonly sort: string; readonly text: string }[];
  /** The given terms, in their order. */
  readonly texts: readonly string[];
}

/**
 * Writes terms, with a name for each operation that occurs more than once: the prefix and a number in order
 * of making, so equal histories give equal texts. Prefixes keep two calls in a script apart. Cost: linear.
 */
export function writeTerms(
  terms: readonly Term[],
  vocabulary: Vocabulary = overReals,
  prefix: string = "$",
): WrittenTerms {
  const all = subterms(terms);
  const uses = new Map<Term, number>();
  for (const part of [...all.flatMap(partsOf), ...terms]) uses.set(part, (uses.get(part) ?? 0) + 1);
  const texts = new Map<Term, string>();
  const textOf = (term: Term): string => texts.get(term) ?? "";
  const shared: { name: string; sort: string; text: string }[] = [];
  for (const term of all) {
    const text = written(term, partsOf(term).map(textOf), vocabulary);
    if (partsOf(term).length === 0 || (uses.get(term) ?? 0) < 2) {
      texts.set(term, text);
      continue;
    }
    const name = `${prefix}${shared.length + 1}`;
    shared.push({ name, sort: term.kind === "comparison" ? "Bool" : vocabulary.sort, text });
    texts.set(term, name);
  }
  return { shared, texts: terms.map(textOf) };
}

function written(term: Term, parts: readonly string[], vocabulary: Vocabulary): string {
  switch (term.kind) {
    case "literal":
      return vocabulary.literal(term.value).text;
    case "variable":
    case "truth":
      return term.name;
    case "application":
    case "comparison":
      return vocabulary.apply(term.operator, parts);
    case "selection":
      return `(ite ${parts.join(" ")})`;
    default:
      return assertNever(term);
  }
}

/** Returns one term as one SMT-LIB term, what it shares bound by `let`. */
export function letTerm(term: Term, vocabulary: Vocabulary = overReals): string {
  const { shared, texts } = writeTerms([term], vocabulary);
  const opening = shared.map(({ name, text }) => `(let ((${name} ${text})) `).join("");
  return `${opening}${texts[0] ?? ""}${")".repeat(shared.length)}`;
}

/** Returns the shared terms as `define-fun` commands, a line each. */
export function definitionsOf({ shared }: WrittenTerms): string {
  return shared.map(({ name, sort, text }) => `(define-fun ${name} () ${sort} ${text})`).join("\n");
}

/** Commands that declare the terms' sort, variables, literals and functions that the theory lacks. */
export function declarationsOf(terms: readonly Term[], vocabulary: Vocabulary = overReals): string {
  const { sort } = vocabulary;
  const lines = subterms(terms).flatMap((term) => declarationsFor(term, vocabulary));
  return [...(vocabulary.isSortDeclared ? [`(declare-sort ${sort} 0)`] : []), ...new Set(lines)].join("\n");
}

function declarationsFor(term: Term, vocabulary: Vocabulary): readonly string[] {
  const { sort } = vocabulary;
  switch (term.kind) {
    case "literal": {
      const { text, isDeclared } = vocabulary.literal(term.value);
      return isDeclared ? [`(declare-const ${text} ${sort})`] : [];
    }
    case "variable":
      return [`(declare-const ${term.name} ${sort})`];
    case "truth":
      return [`(declare-const ${term.name} Bool)`];
    case "application":
    case "comparison": {
      if (!vocabulary.isDeclared(term.operator)) return [];
      const operands = term.operands.map(() => sort).join(" ");
      return [`(declare-fun ${term.operator} (${operands}) ${term.kind === "comparison" ? "Bool" : sort})`];
    }
    case "selection":
      return [];
    default:
      return assertNever(term);
  }
}
