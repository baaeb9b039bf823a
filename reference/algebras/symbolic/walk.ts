import type { Term } from "./terms.ts";

/** Lists the parts of a term's outermost application, in order. */
export function partsOf(term: Term): readonly Term[] {
  switch (term.kind) {
    case "literal":
    case "variable":
    case "truth":
      return [];
    case "application":
    case "comparison":
      return term.operands;
    case "selection":
      return [term.condition, term.yes, term.no];
  }
}

/** Every term that the given ones are made of, themselves included, after its parts. No recursion. */
export function subterms(terms: readonly Term[]): readonly Term[] {
  const found = new Map<number, Term>();
  const waiting = [...terms];
  for (let term = waiting.pop(); term !== undefined; term = waiting.pop()) {
    if (found.has(term.id)) continue;
    found.set(term.id, term);
    waiting.push(...partsOf(term));
  }
  // A part has a smaller id than the whole.
  return [...found.values()].sort((a, b) => a.id - b.id);
}

/** Counts the different expressions that the terms are made of. */
export function countNodes(terms: readonly Term[]): number {
  return subterms(terms).length;
}
