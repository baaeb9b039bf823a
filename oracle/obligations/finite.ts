import {
  definitionsOf,
  type ScalarTerm,
  subterms,
  uninterpreted,
  type WrittenTerms,
  writeTerms,
} from "../../reference/algebras/symbolic/index.ts";
import { elementary } from "../../spec/operators/index.ts";
import {
  type Algebra,
  everyLevel,
  InvariantError,
  type OrderedReal,
  present,
} from "../../spec/shapes/index.ts";
import type { Model } from "./obligation.ts";
import { readSExpressions, showSExpression } from "./solve/index.ts";

/** These are terms over uninterpreted operations, with names for all their parts to ask a model about. */
export interface NamedTerms {
  readonly parts: readonly Exclude<ScalarTerm, { readonly kind: "selection" }>[];
  readonly names: readonly string[];
  /** Returns the text of one of the parts. */
  readonly nameOf: (term: ScalarTerm) => string;
  /** Each line defines a name. */
  readonly definitions: string;
}

/** Names every part of the terms; the prefix keeps the names of two calls apart. Cost: linear. */
export function nameParts(terms: readonly ScalarTerm[], prefix: string): NamedTerms {
  const parts = subterms(terms).flatMap((term) =>
    term.kind === "literal" || term.kind === "variable" || term.kind === "application" ? [term] : [],
  );
  // Each part is written once more for itself, so that all count as shared and get names.
  const texts: WrittenTerms = writeTerms([...parts, ...parts], uninterpreted, prefix);
  const names = texts.texts.slice(0, parts.length);
  const byTerm = new Map<ScalarTerm, string>(
    parts.map((term, index) => [term, present(names[index], "a name")]),
  );
  return {
    parts,
    names,
    nameOf: (term) => present(byTerm.get(term), "the name of a part"),
    definitions: definitionsOf(texts),
  };
}

/** A model gives tables of operations on finitely many elements. */
export interface OperationTable {
  /** Looks up a variable or a literal. */
  element(name: string): string | undefined;
  /** Looks up the result of an operation on elements. */
  result(operator: string, operands: readonly string[]): string | undefined;
}

/** A model says this of one term, a constant or a function of elements. */
interface Said {
  readonly operator: string;
  readonly operands: readonly string[];
  readonly element: string;
}

/** Makes a table. Throws {@link InvariantError} if a function has two results at one place. */
function tableFrom(said: readonly Said[]): OperationTable {
  const results = new Map<string, string>();
  for (const { operator, operands, element } of said) {
    const key = keyOf(operator, operands);
    if ((results.get(key) ?? element) !== element)
      throw new InvariantError(`the model gives ${key} two values`);
    results.set(key, element);
  }
  return {
    element: (name) => results.get(name),
    result: (operator, operands) => results.get(keyOf(operator, operands)),
  };
}

/** Reads a model's values of named terms into a table. Throws {@link InvariantError} where one is missing. */
export function tableOf(model: Model, named: readonly NamedTerms[]): OperationTable {
  return tableFrom(
    named.flatMap(({ parts, nameOf }) => {
      const elementOf = (term: ScalarTerm): string => saidOf(model, nameOf(term));
      return parts.map(
        (part): Said =>
          part.kind === "application"
            ? { operator: part.operator, operands: part.operands.map(elementOf), element: elementOf(part) }
            : { operator: nameOf(part), operands: [], element: elementOf(part) },
      );
    }),
  );
}

/** Reads a model's values of constants, and of functions of asked terms. Throws as {@link tableOf} does. */
export function tableOfAsked(model: Model, asked: readonly string[]): OperationTable {
  return tableFrom(
    asked.map((text): Said => {
      const read = readSExpressions(text);
      const [term] = read.ok ? read.value : [];
      const [operator, ...operands] = typeof term === "string" ? [term] : (term ?? []);
      return {
        operator: showSExpression(present(operator, "a function")),
        operands: operands.map((operand) => saidOf(model, showSExpression(operand))),
        element: saidOf(model, text),
      };
    }),
  );
}

function saidOf(model: Model, text: string): string {
  return present(model.get(text), `what the model says of ${text}`);
}

function keyOf(operator: string, operands: readonly string[]): string {
  return [operator, ...operands].join(" ");
}

/** A completion supplies literals and results that a table lacks. */
export interface Completion {
  literal(name: string): string;
  result(operator: string, operands: readonly string[]): string;
}

/** Throws {@link InvariantError}, for tables that must be complete. */
const nothingMissing: Completion = {
  literal: (name) => {
    throw new InvariantError(`the model does not say what ${name} is`);
  },
  result: (operator, operands) => {
    throw new InvariantError(`the model does not say what ${keyOf(operator, operands)} is`);
  },
};

/**
 * Makes an algebra of a model's elements from its tables, so that real code runs over it. There is no order;
 * elements are equal if they are the same.
 */
export function finiteAlgebra(
  table: OperationTable,
  completion: Completion = nothingMissing,
): Algebra<string, boolean> {
  const literal = (value: number): string => {
    const name = uninterpreted.literal(value).text;
    return table.element(name) ?? completion.literal(name);
  };
  const operation =
    (operator: string) =>
    (...operands: readonly string[]): string =>
      table.result(operator, operands) ?? completion.result(operator, operands);
  const unordered = (): never => {
    throw new InvariantError("the elements of a model have no order");
  };
  const all: OrderedReal<string, boolean> = {
    get zero() {
      return literal(0);
    },
    get one() {
      return literal(1);
    },
    literal,
    detach: (x) => x,
    add: operation("add"),
    multiply: operation("multiply"),
    negative: operation("negative"),
    divide: operation("divide"),
    ...elementary(operation, operation),
    less: unordered,
    equal: (x, y) => x === y,
    select: (condition, x, y) => (condition ? x : y),
    floor: operation("floor"),
  };
  return {
    name: "finite",
    additive: all,
    levels: everyLevel(all),
    isSame: (x, y) => x === y,
    format: (x) => x,
    parse: () => undefined,
  };
}
