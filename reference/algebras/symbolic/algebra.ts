import { elementary } from "../../../spec/operators/index.ts";
import { type Algebra, everyLevel, InvariantError, type OrderedReal } from "../../../spec/shapes/index.ts";
import { parseFloat64 } from "../../../spec/wire/index.ts";
import { applyLawfully, type TermLaw } from "./laws.ts";
import { exactNumber, readExpressions, readNumeral } from "./read.ts";
import { letTerm } from "./smtlib.ts";
import { type ScalarOperator, type ScalarTerm, type TermStore, type TruthTerm, termStore } from "./terms.ts";

/** An algebra of terms, with names for unknowns. */
export interface SymbolicAlgebra extends Algebra<ScalarTerm, TruthTerm> {
  /** Returns the unknown of that name, always the same term. Throws {@link InvariantError} if it is none. */
  variable(name: string): ScalarTerm;
  /** Returns the unknown truth value of that name. Throws {@link InvariantError} for what is no name. */
  truth(name: string): TruthTerm;
  /** Everything the algebra offers, at once. */
  readonly operations: OrderedReal<ScalarTerm, TruthTerm>;
}

/** SMT-LIB needs no quotes around these names; `$` is left out, since shared terms begin with it. */
const simpleName = /^[A-Za-z_][A-Za-z0-9_.]*$/;

/**
 * Makes an algebra of hash-consed terms: a program run over them writes down what it computes, each
 * expression made once. Two results are the same expression exactly if they are the same object (`isSame`);
 * whether they are equal is a question for a solver. Only the laws asked for simplify terms. `detach` is the
 * identity: forward mode is `dual` of this algebra. `format` writes a term as SMT-LIB over the reals; `parse`
 * reads numbers and names. Terms of two algebras must not meet. Cost: one look-up for each operation.
 */
export function symbolic(laws: readonly TermLaw[] = [], store: TermStore = termStore()): SymbolicAlgebra {
  const chosen = new Set(laws);
  const unary =
    (operator: ScalarOperator) =>
    (x: ScalarTerm): ScalarTerm =>
      applyLawfully(store, chosen, operator, [x]);
  const binary =
    (operator: ScalarOperator) =>
    (x: ScalarTerm, y: ScalarTerm): ScalarTerm =>
      applyLawfully(store, chosen, operator, [x, y]);
  const operations: OrderedReal<ScalarTerm, TruthTerm> = {
    zero: store.literal(0),
    one: store.literal(1),
    add: binary("add"),
    detach: (x) => x,
    multiply: binary("multiply"),
    literal: store.literal,
    negative: unary("negative"),
    divide: binary("divide"),
    ...elementary(unary, binary),
    less: (x, y) => store.compare("less", x, y),
    equal: (x, y) => store.compare("equal", x, y),
    select: (condition, x, y) => store.select(condition, x, y),
    floor: unary("floor"),
  };
  return { ...offering(operations), ...naming(store, operations), operations };
}

function naming(
  store: TermStore,
  operations: OrderedReal<ScalarTerm, TruthTerm>,
): Pick<SymbolicAlgebra, "variable" | "truth" | "parse"> {
  const sorts = new Map<string, "scalar" | "truth">();
  const isName = (text: string, sort: "scalar" | "truth"): boolean =>
    simpleName.test(text) &&
    !reserved.has(text) &&
    !(text in operations) &&
    (sorts.get(text) ?? sort) === sort;
  const named = (name: string, sort: "scalar" | "truth"): string => {
    if (!isName(name, sort)) throw new InvariantError(`${name} is no name of a variable`);
    sorts.set(name, sort);
    return name;
  };
  return {
    variable: (name) => store.variable(named(name, "scalar")),
    truth: (name) => store.truth(named(name, "truth")),
    parse: (text) => {
      const value = parseFloat64(text) ?? parseNumeral(text);
      if (value !== undefined) return store.literal(value);
      return isName(text, "scalar") ? store.variable(named(text, "scalar")) : undefined;
    },
  };
}

function parseNumeral(text: string): number | undefined {
  const [expression, ...rest] = readExpressions(text) ?? [];
  const value = expression === undefined || rest.length > 0 ? undefined : readNumeral(expression);
  return value && exactNumber(value);
}

/** Words of SMT-LIB that a variable may not be called. */
const reserved: ReadonlySet<string> = new Set([
  "_", "as", "let", "forall", "exists", "match", "par", "true", "false", "not", "and", "or", "xor", "distinct", "ite", "abs", "div", "mod",
  "to_real", "to_int", "is_int", "Real", "Int", "Bool", "Val", "zero", "one",
]); // biome-ignore format: a list

function offering(all: OrderedReal<ScalarTerm, TruthTerm>): Omit<Algebra<ScalarTerm, TruthTerm>, "parse"> {
  return {
    name: "symbolic",
    additive: all,
    levels: everyLevel(all),
    isSame: (x, y) => x === y,
    format: (x) => letTerm(x),
  };
}
