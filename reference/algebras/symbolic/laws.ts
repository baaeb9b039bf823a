import type { ScalarOperator, ScalarTerm, TermStore } from "./terms.ts";

/**
 * A law that may simplify terms, if asked for. `zero`: x + 0 = 0 + x = x. `one`: x·1 = 1·x = x.
 * `annihilation`: x·0 = 0·x = 0. `involution`: −(−x) = x. `commutativity` orders the operands of + and ×. Of
 * floats only `involution`, `one` and `commutativity` hold bit for bit.
 */
export type TermLaw = "zero" | "one" | "annihilation" | "involution" | "commutativity";

/** Returns the application, simplified at its top by the laws alone. */
export function applyLawfully(
  store: TermStore,
  laws: ReadonlySet<TermLaw>,
  operator: ScalarOperator,
  operands: readonly ScalarTerm[],
): ScalarTerm {
  const [x, y] = operands;
  if (
    operator === "negative" &&
    laws.has("involution") &&
    x?.kind === "application" &&
    x.operator === "negative"
  ) {
    return x.operands[0] ?? x;
  }
  if ((operator !== "add" && operator !== "multiply") || x === undefined || y === undefined) {
    return store.apply(operator, operands);
  }
  if (operator === "multiply" && laws.has("annihilation")) {
    if (isLiteral(x, 0)) return x;
    if (isLiteral(y, 0)) return y;
  }
  const unit = operator === "add" ? 0 : 1;
  if (laws.has(operator === "add" ? "zero" : "one")) {
    if (isLiteral(x, unit)) return y;
    if (isLiteral(y, unit)) return x;
  }
  return store.apply(operator, laws.has("commutativity") && x.id > y.id ? [y, x] : [x, y]);
}

function isLiteral(term: ScalarTerm, value: number): boolean {
  return term.kind === "literal" && Object.is(term.value, value);
}
