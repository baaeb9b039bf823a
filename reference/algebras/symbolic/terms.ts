import type { Ordered, OrderedReal } from "../../../spec/shapes/index.ts";

/** The operations of an algebra whose result is a scalar made of scalars. */
export type ScalarOperator = Exclude<
  keyof OrderedReal<unknown, unknown>,
  "zero" | "one" | "literal" | "detach" | "select" | "sum" | "dot" | TruthOperator
>;

/** The operations of an algebra whose result is a truth value. */
export type TruthOperator = Exclude<
  keyof Ordered<unknown, unknown>,
  "zero" | "one" | "literal" | "detach" | "select" | "add" | "multiply" | "negative" | "floor" | "sum" | "dot"
>;

/** A float64, exactly; `0` and `−0` are two terms, since floats tell them apart. */
export interface LiteralTerm {
  readonly kind: "literal";
  readonly id: number;
  readonly value: number;
}

/** Any scalar, known by its name. */
export interface VariableTerm {
  readonly kind: "variable";
  readonly id: number;
  readonly name: string;
}

/** An operation of scalars. */
export interface ApplicationTerm {
  readonly kind: "application";
  readonly id: number;
  readonly operator: ScalarOperator;
  readonly operands: readonly ScalarTerm[];
}

/** `yes` where the condition holds, `no` elsewhere. */
export interface SelectionTerm {
  readonly kind: "selection";
  readonly id: number;
  readonly condition: TruthTerm;
  readonly yes: ScalarTerm;
  readonly no: ScalarTerm;
}

/** A comparison of scalars. */
export interface ComparisonTerm {
  readonly kind: "comparison";
  readonly id: number;
  readonly operator: TruthOperator;
  readonly operands: readonly [ScalarTerm, ScalarTerm];
}

/** Any truth value, known by its name. */
export interface TruthVariableTerm {
  readonly kind: "truth";
  readonly id: number;
  readonly name: string;
}

/** A scalar. Two terms of one {@link TermStore} are the same expression exactly if they are one object. */
export type ScalarTerm = LiteralTerm | VariableTerm | ApplicationTerm | SelectionTerm;

/** A truth value. */
export type TruthTerm = ComparisonTerm | TruthVariableTerm;

/** Either. What a term is made of has a smaller `id` than it. */
export type Term = ScalarTerm | TruthTerm;

/** The store makes an expression once, and finds it again afterwards. Cost: one look-up each. */
export interface TermStore {
  literal(value: number): LiteralTerm;
  variable(name: string): VariableTerm;
  apply(operator: ScalarOperator, operands: readonly ScalarTerm[]): ApplicationTerm;
  select(condition: TruthTerm, yes: ScalarTerm, no: ScalarTerm): SelectionTerm;
  compare(operator: TruthOperator, x: ScalarTerm, y: ScalarTerm): ComparisonTerm;
  truth(name: string): TruthVariableTerm;
}

/** Applications are told apart by the operator and the operands, in their order. */
export function operandsKey(operator: string, operands: readonly Term[]): string {
  return operands.reduce((key, { id }) => `${key} ${id}`, operator);
}

/** Returns a store without terms. `keyOf` must give different texts to different expressions. */
export function termStore(keyOf: typeof operandsKey = operandsKey): TermStore {
  const literals = new Map<string, LiteralTerm>();
  const variables = new Map<string, VariableTerm>();
  const applications = new Map<string, ApplicationTerm>();
  const selections = new Map<string, SelectionTerm>();
  const comparisons = new Map<string, ComparisonTerm>();
  const truths = new Map<string, TruthVariableTerm>();
  let size = 0;
  const cons = <T extends Term>(table: Map<string, T>, key: string, make: (id: number) => T): T => {
    const found = table.get(key);
    if (found !== undefined) return found;
    const made = make(size++);
    table.set(key, made);
    return made;
  };
  return {
    literal: (value) =>
      cons(literals, Object.is(value, -0) ? "-0" : String(value), (id) => ({ kind: "literal", id, value })),
    variable: (name) => cons(variables, name, (id) => ({ kind: "variable", id, name })),
    apply: (operator, operands) =>
      cons(applications, keyOf(operator, operands), (id) => ({
        kind: "application",
        id,
        operator,
        operands,
      })),
    select: (condition, yes, no) =>
      cons(selections, keyOf("select", [condition, yes, no]), (id) => ({
        kind: "selection",
        id,
        condition,
        yes,
        no,
      })),
    compare: (operator, x, y) =>
      cons(comparisons, keyOf(operator, [x, y]), (id) => ({
        kind: "comparison",
        id,
        operator,
        operands: [x, y],
      })),
    truth: (name) => cons(truths, name, (id) => ({ kind: "truth", id, name })),
  };
}
